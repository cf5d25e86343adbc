import type { Span } from '../context/contract'
import type { Message } from '../sessions/contract'
import type { Preview, TurnRecord } from './contract'
import type { TurnStore } from './ports'
import { lastSent, readRecord, type Sent } from './record-repository'

const tokensOf = (spans: readonly Span[]): number => spans.reduce((sum, { tokens }) => sum + tokens, 0)

/**
 * What this request shares with the one before it, from the front: the part a provider's cache can serve. What the first
 * change cost are the texts behind it that had been sent before and now are read anew.
 */
export function sharedPrefix(now: Sent, before: Sent, leastTokens = 0): NonNullable<Preview['prefix']> {
  const { body, ledger } = now
  const most = Math.min(body.length, before.body.length)
  let shared = 0
  while (shared < most && body.charCodeAt(shared) === before.body.charCodeAt(shared)) shared += 1
  const differs = ledger.findIndex((span, index) => {
    const old = before.ledger[index]
    return old === undefined || old.text !== span.text || old.role !== span.role
  })
  const same = differs < 0 ? ledger.length : differs
  const sharedTokens = tokensOf(ledger.slice(0, same))
  const prefix: NonNullable<Preview['prefix']> = {
    sharedBytes: Buffer.byteLength(body.slice(0, shared)),
    totalBytes: Buffer.byteLength(body),
    sharedTokens,
    lostTokens: 0,
  }
  if (sharedTokens < leastTokens) prefix.leastTokens = leastTokens
  const span = ledger[same]
  // growing at the end breaks nothing
  if (!span || same >= before.ledger.length) return prefix
  const { segment, sourceId, label } = span
  const known = new Set(before.ledger.slice(same).map(({ text }) => text))
  const lostTokens = tokensOf(ledger.slice(same + 1).filter(({ text }) => known.has(text)))
  return { ...prefix, lostTokens, firstChange: { segment, sourceId, label } }
}

/** The newest request sent for the answers of a branch, oldest first. */
export function lastSentOn(store: TurnStore, sessionId: string, branch: readonly Message[]): Sent | undefined {
  const answers = branch.filter(({ role }) => role === 'assistant').map(({ id }) => id)
  return lastSent(store.databaseOf(sessionId), answers)
}

/** What was sent for an answer, held against the request before it: the round before, or the answer before. */
export function recordWithPrefix(store: TurnStore, messageId: string, round?: number): TurnRecord {
  const database = store.databaseOfMessage(messageId)
  const record = readRecord(database, messageId, round)
  const sent = ({ wire, ledger }: TurnRecord): Sent => ({ body: wire.body, ledger })
  const message = store.getMessage(messageId)
  const parent = message?.parentId ?? undefined
  const before =
    record.round > 1
      ? sent(readRecord(database, messageId, record.round - 1))
      : message && parent && lastSentOn(store, message.sessionId, store.branchTo(message.sessionId, parent))
  return before ? { ...record, prefix: sharedPrefix(sent(record), before) } : record
}
