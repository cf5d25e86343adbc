import type { Span } from '../context/contract'
import type { Preview } from './contract'

/** What this request shares with the one before it, from the front: the part a provider's cache can serve. */
export function sharedPrefix(
  body: string,
  ledger: readonly Span[],
  before: { body: string; ledger: readonly Span[] },
): NonNullable<Preview['prefix']> {
  const most = Math.min(body.length, before.body.length)
  let shared = 0
  while (shared < most && body.charCodeAt(shared) === before.body.charCodeAt(shared)) shared += 1
  const counts = {
    sharedBytes: Buffer.byteLength(body.slice(0, shared)),
    totalBytes: Buffer.byteLength(body),
  }
  const differs = ledger.findIndex((span, index) => {
    const old = before.ledger[index]
    return old !== undefined && (old.text !== span.text || old.role !== span.role)
  })
  const span = ledger[differs]
  if (!span) return counts
  const { segment, sourceId, label } = span
  return { ...counts, firstChange: { segment, sourceId, label } }
}
