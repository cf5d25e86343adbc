import { asLastError, readSaid, type Said, textOf, type Words } from '../../ipc/said-contract'
import type { Embedder } from '../../models/embedding/contract'
import type { ReadDatabase } from '../../storage/database'
import type { MemoryStatus } from './contract'
import type { MemoryIndexer } from './indexer'
import { countOutbox } from './outbox'
import type { StoreCounts } from './store-counts'

/** How far the index is, what the embedder reads and what went wrong last. */
export function statusOf(
  deps: { database: ReadDatabase; counts: StoreCounts; clock: () => number; embedder: () => Embedder | undefined },
  indexer: Pick<MemoryIndexer, 'status'>,
): MemoryStatus {
  const { database } = deps
  const counts = deps.counts.memories(deps.clock())
  const { serving, building, lastError, indexProblem, usesIndex } = indexer.status()
  const outbox = countOutbox(database)
  const embedder = deps.embedder()
  const read = serving === undefined ? { unread: counts.total, readable: 0, vectors: 0 } : deps.counts.space(serving.id)
  const { unread } = read
  const stored = outbox.lastError === null ? undefined : readSaid(outbox.lastError)
  const note = readSaid(serving?.threshold_note || 'Not measured yet.')
  return {
    embedder: embedder?.label ?? 'Words only',
    dims: serving?.dimensions ?? 0,
    indexed: counts.total - unread,
    pending: embedder === undefined ? 0 : unread,
    failed: outbox.failed,
    ...asLastError(lastError ?? stored),
    total: counts.total,
    active: counts.holding,
    archived: counts.archived,
    reads: {
      scripts: [...(embedder?.scripts ?? [])],
      readable: read.readable,
      unreadable: Math.max(0, counts.total - unread - read.readable),
    },
    ...(building === undefined
      ? {}
      : {
          building: {
            embedder: building.label,
            done: counts.total - deps.counts.space(building.id).unread,
            total: counts.total,
          },
        }),
    search: {
      kind: usesIndex ? 'index' : 'scan',
      vectors: read.vectors,
      ...(indexProblem === undefined
        ? {}
        : { problem: textOf(indexProblem), ...wordsIn(indexProblem, 'problemWords') }),
    },
    threshold: {
      ...(serving?.threshold == null ? {} : { value: serving.threshold }),
      note: textOf(note),
      ...wordsIn(note, 'noteWords'),
    },
  }
}

const wordsIn = <Name extends string>(sentence: Said, name: Name): { [key in Name]?: Words } =>
  (typeof sentence === 'object' ? { [name]: sentence.words } : {}) as { [key in Name]?: Words }
