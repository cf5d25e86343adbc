import { type Said, storedSaid, textOf } from '../../ipc/said-contract'
import type { ReadDatabase, WriteDatabase } from '../../storage/database'

const LONGEST_ERROR = 2_000

export interface OutboxEntry {
  seq: number
  memory_id: string
  revision: number
  operation: 'upsert' | 'delete'
  attempts: number
  last_error: string | null
}

/**
 * Changes the index has not acknowledged, oldest first. With a space only those it can take: deletions, and words that
 * were read into this space. The others stay, because whoever reads texts finds its work here.
 */
export function readOutbox(database: ReadDatabase, limit: number, space?: number): OutboxEntry[] {
  return database
    .prepare<[object], OutboxEntry>(
      `SELECT o.* FROM memory_outbox AS o WHERE @space IS NULL OR o.operation = 'delete' OR EXISTS
         (SELECT 1 FROM memory_vec AS v WHERE v.space = @space AND v.memory_id = o.memory_id AND v.revision = o.revision)
       ORDER BY o.seq LIMIT @limit`,
    )
    .all({ space: space ?? null, limit })
}

/** Only after the index has the change: a kill before this leaves the entry, and doing it twice changes nothing. */
export function acknowledge(database: WriteDatabase, entries: readonly OutboxEntry[]): void {
  const remove = database.prepare('DELETE FROM memory_outbox WHERE seq = ?')
  database.transaction(() => entries.map((entry) => remove.run(entry.seq))).immediate()
}

export function noteFailure(database: WriteDatabase, entries: readonly OutboxEntry[], error: Said): void {
  const whole = storedSaid(error)
  const stored = whole.length <= LONGEST_ERROR ? whole : textOf(error).slice(0, LONGEST_ERROR)
  const note = database.prepare('UPDATE memory_outbox SET attempts = attempts + 1, last_error = ? WHERE seq = ?')
  database.transaction(() => entries.map((entry) => note.run(stored, entry.seq))).immediate()
}

export function countOutbox(database: ReadDatabase): { pending: number; failed: number; lastError: string | null } {
  const row = database
    .prepare<[], { pending: number; failed: number | null; lastError: string | null }>(
      `SELECT count(*) AS pending, sum(attempts >= 3) AS failed,
         (SELECT last_error FROM memory_outbox WHERE last_error IS NOT NULL ORDER BY seq DESC LIMIT 1) AS lastError
       FROM memory_outbox`,
    )
    .get()
  return { pending: row?.pending ?? 0, failed: row?.failed ?? 0, lastError: row?.lastError ?? null }
}
