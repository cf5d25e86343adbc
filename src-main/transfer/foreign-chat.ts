import { createHash } from 'node:crypto'
import type { Said } from '../ipc/said-contract'
import type { MessagePart } from '../sessions/contract'
import { titleFromText } from '../sessions/message-writes'
import type { SessionStore } from '../sessions/session-store'
import { cleanTree, repairWarnings, type TreeItem } from './clean-tree'
import type { TransferReport } from './contract'
import type { OpenedForeign } from './foreign-files'
import { emptyReport, warn } from './import-report'

/** A message of another app, as far as it means anything here. */
export interface ForeignMessage extends TreeItem {
  role: 'user' | 'assistant'
  text: string
  reasoning?: string
  /** Stored form; undefined where the file has none. */
  createdAt: string | undefined
  modelId?: string
}

export interface ForeignChat {
  /** What the other app calls it: the same chat imported twice is one chat. */
  sourceId: string
  title: string
  createdAt: string | undefined
  updatedAt: string | undefined
  topicPrompt?: string
  archived?: boolean
  messages: ForeignMessage[]
}

export interface ForeignFile {
  format: string
  chats: (ForeignChat | { unreadable: string; title?: string })[]
  warnings: Said[]
}

/** Stable over imports, and shaped like any other id. */
export function foreignId(format: string, sourceId: string): string {
  const hash = createHash('sha256').update(`${format}\u0000${sourceId}`).digest('hex')
  return `${format}-${hash.slice(0, 24)}`
}

export interface ForeignTarget {
  store: SessionStore
  ids: () => string
  nowIso: () => string
}

export async function importForeign(
  file: OpenedForeign,
  target: ForeignTarget,
  dryRun: boolean,
): Promise<TransferReport> {
  const report = emptyReport(file.format, dryRun)
  for (const warning of file.warnings) warn(report, warning)
  const seen = new Set<string>()
  for (const [index, head] of file.chats.entries()) {
    if ('unreadable' in head) {
      const title = head.title === undefined ? {} : { title: head.title }
      report.sessions.skipped.push({ index, ...title, reason: head.unreadable })
      continue
    }
    if (head.messages === 0) {
      report.sessions.skipped.push({ index, title: head.title, reason: 'It holds no messages.' })
      continue
    }
    const id = foreignId(file.format, head.sourceId)
    if (seen.has(id) || target.store.getSession(id)) {
      report.sessions.existing += 1
      continue
    }
    seen.add(id)
    const whole = wholeSession({ ...head, messages: await file.messages(index) }, id, target, report)
    report.sessions.imported += 1
    report.messages += head.messages
    if (dryRun) continue
    await target.store.importSession(whole)
    report.sessionIds.push(id)
  }
  return report
}

function wholeSession(chat: ForeignChat, id: string, target: ForeignTarget, report: TransferReport) {
  const { items, repairs } = cleanTree(chat.messages, { taken: () => true, newId: target.ids })
  for (const warning of repairWarnings(chat.title, repairs)) warn(report, warning)
  const createdAt = chat.createdAt ?? items.find((item) => item.createdAt)?.createdAt ?? target.nowIso()
  // a message without a time stands right after the one before it
  let last = createdAt
  for (const item of items) {
    last = item.createdAt ?? last
    item.createdAt = last
  }
  return {
    session: {
      id,
      title: chat.title || titleFromText(items.find((item) => item.role === 'user')?.text ?? ''),
      topicPrompt: chat.topicPrompt ?? '',
      archived: chat.archived ?? false,
      createdAt,
      updatedAt: chat.updatedAt ?? last,
    },
    messages: stamped(items, id, createdAt),
  }
}

/** Made one by one while they are written. */
function* stamped(items: readonly ForeignMessage[], sessionId: string, first: string) {
  for (const { reasoning, createdAt = first, ...item } of items) {
    const parts: MessagePart[] = [
      ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
      { type: 'text', text: item.text },
    ]
    yield { ...item, createdAt, sessionId, parts }
  }
}

/** A field of something that may be anything. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

export const textField = (value: unknown, name: string): string => {
  const found = field(value, name)
  return typeof found === 'string' ? found : ''
}

export const listField = (value: unknown, name: string): unknown[] => {
  const found = field(value, name)
  return Array.isArray(found) ? found : []
}
