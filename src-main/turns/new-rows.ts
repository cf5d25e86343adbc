import type { MessagePart, Session } from '../sessions/contract'
import type { NewMessage, TurnDeps } from './ports'
import { isoInZone } from './turn-time'

/** Where a message comes from, and the id it was given there. */
export type From = Pick<NewMessage, 'fromDraft' | 'fromQueue'> & { id?: string | undefined }

interface Asked {
  session: Session
  parentId: string | null
  isolated: boolean
  from: From
}

/** The rows a turn begins with: what was asked, and the place of the answer. */
export function newRows(deps: Pick<TurnDeps, 'ids' | 'clock' | 'timeZone'>) {
  const now = (): string => isoInZone(deps.clock(), deps.timeZone())
  return {
    user: (
      { session, parentId, isolated, from }: Asked,
      text: string,
      attachmentIds: readonly string[],
    ): NewMessage => ({
      ...from,
      id: from.id ?? deps.ids(),
      sessionId: session.id,
      parentId,
      role: 'user',
      parts: [{ type: 'text', text }],
      attachmentIds,
      state: 'complete',
      createdAt: now(),
      isolated,
    }),

    /** An answer made from messages written under isolation may repeat them, so it is marked like them. */
    reply: (
      session: Session,
      parentId: string | null,
      turnId: string,
      begun: { parts?: MessagePart[]; isolated: boolean },
    ): NewMessage => ({
      id: deps.ids(),
      sessionId: session.id,
      parentId,
      role: 'assistant',
      parts: begun.parts ?? [],
      state: 'streaming',
      createdAt: now(),
      turnId,
      isolated: begun.isolated,
    }),
  }
}
