import type { Embedder } from '../../models/embedding/contract'
import type { ReadDatabase } from '../../storage/database'
import type { MemoryStatus } from './contract'
import type { MemoryIndexer } from './indexer'
import { countOutbox } from './outbox'
import { countMemories } from './repository'
import { countUnread } from './spaces'

/** How far the index is, what the embedder reads and what went wrong last. */
export function statusOf(
  deps: { database: ReadDatabase; nowIso: () => string; embedder: () => Embedder | undefined },
  indexer: Pick<MemoryIndexer, 'status'>,
): MemoryStatus {
  const { database } = deps
  const counts = countMemories(database, deps.nowIso())
  const { serving, building, lastError, indexProblem, usesIndex } = indexer.status()
  const outbox = countOutbox(database)
  const embedder = deps.embedder()
  const unread = serving === undefined ? counts.total : countUnread(database, serving.id)
  const read = database
    .prepare<[number], { readable: number; vectors: number }>(
      `SELECT count(DISTINCT memory_id) AS readable, count(*) AS vectors FROM memory_vec
       WHERE space = ? AND vector IS NOT NULL AND channel = 'sentence'`,
    )
    .get(serving?.id ?? -1)
  const problem = lastError ?? outbox.lastError ?? undefined
  return {
    embedder: embedder?.label ?? 'Words only',
    dims: serving?.dimensions ?? 0,
    indexed: counts.total - unread,
    pending: embedder === undefined ? 0 : unread,
    failed: outbox.failed,
    ...(problem === undefined ? {} : { lastError: problem }),
    total: counts.total,
    active: counts.holding,
    archived: counts.archived,
    reads: {
      scripts: [...(embedder?.scripts ?? [])],
      readable: read?.readable ?? 0,
      unreadable: Math.max(0, counts.total - unread - (read?.readable ?? 0)),
    },
    ...(building === undefined
      ? {}
      : { building: { embedder: building.label, done: building.done, total: building.total } }),
    search: {
      kind: usesIndex ? 'index' : 'scan',
      vectors: read?.vectors ?? 0,
      ...(indexProblem === undefined ? {} : { problem: indexProblem }),
    },
    threshold: {
      ...(serving?.threshold == null ? {} : { value: serving.threshold }),
      note: serving?.threshold_note || 'Not measured yet.',
    },
  }
}
