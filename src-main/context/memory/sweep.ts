import { setImmediate } from 'node:timers/promises'
import type { ReadDatabase } from '../../storage/database'
import type { PendingText } from './spaces'

/** Rows looked through before the event loop gets a turn. */
const WINDOW = 1_000
const UNREAD = `NOT EXISTS (SELECT 1 FROM memory_vec AS v WHERE v.space = @space AND v.memory_id = m.id AND v.revision = m.text_revision)`

/**
 * Finds the memories whose present words have no reading in a space: fresh changes from the outbox, then once through
 * the whole store. It only moves on, so a hundred thousand memories are looked through once and not once a batch; after
 * a failure a new one begins at the start.
 */
export class Sweep {
  readonly #database: ReadDatabase
  readonly #space: number
  #outboxAfter = 0
  #after = 0
  #over = false

  constructor(database: ReadDatabase, space: number) {
    this.#database = database
    this.#space = space
  }

  /** Empty = nothing is left. */
  async next(limit: number): Promise<PendingText[]> {
    const fresh = this.#fresh(limit)
    if (fresh.length > 0) return fresh
    while (!this.#over) {
      const found = this.#inNextWindow(limit)
      if (found.length > 0) return found
      await setImmediate()
    }
    return []
  }

  #fresh(limit: number): PendingText[] {
    const rows = this.#database
      .prepare<[object], PendingText & { place: number }>(
        `SELECT m.id, m.text, m.text_revision AS revision, o.seq AS place FROM memory_outbox AS o
         JOIN memory AS m ON m.id = o.memory_id
         WHERE o.seq > @after AND o.operation = 'upsert' AND ${UNREAD} ORDER BY o.seq LIMIT @limit`,
      )
      .all({ after: this.#outboxAfter, space: this.#space, limit })
    this.#outboxAfter = rows.at(-1)?.place ?? this.#outboxAfter
    return rows
  }

  #inNextWindow(limit: number): PendingText[] {
    const end = this.#database
      .prepare<[number, number], { last: number | null }>(
        'SELECT max(seq) AS last FROM (SELECT seq FROM memory WHERE seq > ? ORDER BY seq LIMIT ?)',
      )
      .get(this.#after, WINDOW)?.last
    if (end == null) {
      this.#over = true
      return []
    }
    const rows = this.#database
      .prepare<[object], PendingText & { place: number }>(
        `SELECT m.id, m.text, m.text_revision AS revision, m.seq AS place FROM memory AS m
         WHERE m.seq > @after AND m.seq <= @end AND ${UNREAD} ORDER BY m.seq LIMIT @limit`,
      )
      .all({ after: this.#after, end, space: this.#space, limit })
    this.#after = rows.length === limit ? (rows.at(-1)?.place ?? end) : end
    return rows
  }
}
