import { setImmediate } from 'node:timers/promises'
import type { ReadDatabase } from '../../storage/database'
import type { EngineHost } from './engine-host'
import { indexedMemories } from './feed'
import { servingSpace, vectorOf } from './spaces'

/** Rows read from SQLite and handed to the search at once: about a millisecond of this thread. */
const PAGE = 50

export interface FeederDeps {
  database: ReadDatabase
  engine: EngineHost
  /** False once the on-disk index finds the vectors: then the engine holds words only. */
  withVectors: () => boolean
  isClosed: () => boolean
}

/** Hands the search engine what SQLite holds, a page at a time, so that nothing else has to wait. */
export class Feeder {
  readonly #deps: FeederDeps
  /** The engine knows the middle of the space that serves. */
  #knowsMiddle = false

  constructor(deps: FeederDeps) {
    this.#deps = deps
  }

  middleIsKnown(): void {
    this.#knowsMiddle = true
  }

  /** Every memory, in the order they were made. */
  async all(): Promise<void> {
    for (let after = 0; ; ) {
      const page = this.#deps.database
        .prepare<[number, number], { id: string; seq: number }>(
          'SELECT id, seq FROM memory WHERE seq > ? ORDER BY seq LIMIT ?',
        )
        .all(after, PAGE)
      const last = page.at(-1)
      if (last === undefined || this.#deps.isClosed()) break
      await this.feed(page.map((row) => row.id))
      after = last.seq
    }
  }

  /** These as they stand now; unknown ids leave the search. */
  async feed(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += PAGE) {
      await this.#page(ids.slice(at, at + PAGE))
      // Neither loading nor a large import may hold up the window.
      if (ids.length >= PAGE) await setImmediate()
    }
  }

  async #page(ids: readonly string[]): Promise<void> {
    const { database, engine } = this.#deps
    const space = servingSpace(database)
    if (!this.#knowsMiddle && space?.middle) {
      this.#knowsMiddle = true
      await engine.setMiddle('sentence', vectorOf(space.middle))
    }
    const present = indexedMemories(database, ids, space?.id, this.#deps.withVectors())
    const known = new Set(present.map((memory) => memory.id))
    const gone = ids.filter((id) => !known.has(id))
    if (present.length > 0) await engine.upsert(present)
    if (gone.length > 0) await engine.remove(gone)
  }
}
