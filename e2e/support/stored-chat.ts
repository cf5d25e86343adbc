import type { StrataApp } from './launch-app'

export interface StoredMessage {
  role: 'user' | 'assistant'
  text: string
  /** Index of the message it hangs below; the one before it unless told. */
  below?: number
  /** Hidden behind another version. */
  hidden?: boolean
}

const MINUTE = 60_000

/** The app's own export of one chat, oldest message first. Ids are `<id>-0`, `<id>-1`, … */
export function exportOf(id: string, title: string, messages: readonly StoredMessage[], more: object[] = []): string {
  const at = (index: number) => new Date(Date.now() - (messages.length - index) * MINUTE).toISOString()
  const items = [
    ...more,
    { type: 'session', id, title, titleSource: 'user', createdAt: at(0), updatedAt: at(messages.length) },
    ...messages.map(({ role, text, below, hidden }, index) => ({
      type: 'message',
      id: `${id}-${index}`,
      parentId: index === 0 ? null : `${id}-${below ?? index - 1}`,
      selected: !hidden,
      role,
      text,
      createdAt: at(index),
    })),
  ]
  return JSON.stringify({ format: 'strata', version: 1, exportedAt: at(0), items })
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Puts a whole chat into the app through its import. Returns the session's id. */
export async function storeChat(
  app: StrataApp,
  { id, title, messages }: { id: string; title: string; messages: readonly StoredMessage[] },
): Promise<string> {
  const report = await app.call('transfer.import', {
    fileName: 'chat.strata.json',
    dataBase64: base64(exportOf(id, title, messages)),
  })
  const [sessionId] = report.sessionIds
  if (!sessionId) throw new Error(`The chat was not imported: ${JSON.stringify(report)}`)
  return sessionId
}
