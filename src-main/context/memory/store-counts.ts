import type { ReadDatabase } from '../../storage/database'
import { countMemories, type MemoryCounts } from './repository'
import { countUnread } from './spaces'

export interface SpaceCounts {
  /** Memories without a reading of their present words. */
  unread: number
  /** Memories the sentence model could read, and their vectors. */
  readable: number
  vectors: number
}

/**
 * How many memories there are and hold now, asked in every turn: counted once and again only after a write, or when a
 * validity begins or ends. Clocks may jump: a count is trusted between its own moment and the next border only.
 */
export class StoreCounts {
  readonly #database: ReadDatabase
  #memories: { counts: MemoryCounts; from: number; until: number } | undefined
  readonly #spaces = new Map<number, SpaceCounts>()

  constructor(database: ReadDatabase) {
    this.#database = database
  }

  /** After every write to memories. */
  written(): void {
    this.#memories = undefined
    this.#spaces.clear()
  }

  /** After texts were read or a space began or ended. */
  read(): void {
    this.#spaces.clear()
  }

  memories(now: number): MemoryCounts {
    const known = this.#memories
    if (known && now >= known.from && now < known.until) return known.counts
    const counts = countMemories(this.#database, new Date(now).toISOString())
    this.#memories = { counts, from: now, until: this.#nextBorder(now) }
    return counts
  }

  space(id: number): SpaceCounts {
    const known = this.#spaces.get(id)
    if (known) return known
    const { readable, vectors } = this.#database
      .prepare<[number], { readable: number; vectors: number }>(
        `SELECT count(DISTINCT memory_id) AS readable, count(*) AS vectors
         FROM memory_vec INDEXED BY memory_vec_with_vector WHERE space = ? AND vector IS NOT NULL AND channel = 'sentence'`,
      )
      .get(id) ?? { readable: 0, vectors: 0 }
    const counts = { unread: countUnread(this.#database, id).left, readable, vectors }
    this.#spaces.set(id, counts)
    return counts
  }

  #nextBorder(now: number): number {
    const after = (column: 'valid_from' | 'valid_until') =>
      this.#database
        .prepare<[], { at: string }>(`SELECT ${column} AS at FROM memory WHERE ${column} IS NOT NULL`)
        .all()
        .map(({ at }) => Date.parse(at))
        .filter((at) => at > now)
    return [...after('valid_from'), ...after('valid_until')].reduce(
      (least, at) => Math.min(least, at),
      Number.POSITIVE_INFINITY,
    )
  }
}
