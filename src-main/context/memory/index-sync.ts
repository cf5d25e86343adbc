import { type Said, said } from '../../ipc/said-contract'
import type { WriteDatabase } from '../../storage/database'
import type { LanceIndex } from './lance-index'
import { acknowledge, noteFailure, type OutboxEntry, readOutbox } from './outbox'
import { countVectors, type SpaceRow } from './spaces'

const OUTBOX_AT_ONCE = 200

export interface IndexSyncDeps {
  database: WriteDatabase
  /** Absent where the platform has no build of the on-disk index. */
  lance?: LanceIndex
  /** Vectors from which the on-disk index is searched and the engine keeps none. */
  indexFrom: number
  isClosed: () => boolean
}

/** Carries the outbox to the on-disk index. A trouble there is shown and retried; the search does not need it. */
export class IndexSync {
  readonly #deps: IndexSyncDeps
  /** The space whose table is open. */
  #open: number | undefined
  #problem: Said | undefined
  #searched = false

  constructor(deps: IndexSyncDeps) {
    this.#deps = deps
  }

  /** The on-disk index is what finds vectors, because they are too many for a scan. */
  get searched(): boolean {
    return this.#searched
  }

  get problem(): Said | undefined {
    return this.#problem
  }

  /** For the space that serves now. */
  decide(space: SpaceRow | undefined): void {
    this.#searched = space !== undefined && countVectors(this.#deps.database, space.id) >= this.#deps.indexFrom
  }

  /** `failed`: try again later. `handedOver`: from now on the index is searched, so the engine may drop its vectors. */
  async carry(serving: SpaceRow | undefined): Promise<{ failed: boolean; handedOver: boolean }> {
    const { database, lance } = this.#deps
    if (lance === undefined || serving === undefined) {
      this.#acknowledgeAll(serving?.id)
      return { failed: false, handedOver: false }
    }
    const next = () => readOutbox(database, OUTBOX_AT_ONCE, serving.id)
    let entries: OutboxEntry[] = next()
    try {
      if (this.#open !== serving.id) {
        await lance.open(serving)
        this.#open = serving.id
      }
      let deleted = false
      for (; entries.length > 0 && !this.#deps.isClosed(); entries = next()) {
        await lance.sync([...new Set(entries.map((entry) => entry.memory_id))])
        acknowledge(database, entries)
        deleted ||= entries.some((entry) => entry.operation === 'delete')
      }
      if (deleted) await lance.tidy()
      const handedOver = await this.#handOverWhenBig(serving, lance)
      this.#problem = undefined
      return { failed: false, handedOver }
    } catch (error) {
      this.#problem = said`The vector index on disk cannot be used: ${error instanceof Error ? error.message : String(error)}`
      this.#open = undefined
      if (entries.length > 0) noteFailure(database, entries, this.#problem)
      return { failed: true, handedOver: false }
    }
  }

  noteFailure(message: Said): void {
    const entries = readOutbox(this.#deps.database, OUTBOX_AT_ONCE)
    if (entries.length > 0) noteFailure(this.#deps.database, entries, message)
  }

  /** Nothing to carry them to: vectors stay in SQLite, from where an index can be made at any time. */
  #acknowledgeAll(space: number | undefined): void {
    const { database } = this.#deps
    const next = () => readOutbox(database, OUTBOX_AT_ONCE, space)
    for (let entries = next(); entries.length > 0; entries = next()) acknowledge(database, entries)
  }

  async #handOverWhenBig(serving: SpaceRow, lance: LanceIndex): Promise<boolean> {
    if (this.#searched || countVectors(this.#deps.database, serving.id) < this.#deps.indexFrom) return false
    await lance.tidy()
    this.#searched = true
    return true
  }
}
