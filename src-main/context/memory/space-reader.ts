import type { Embedder } from '../../models/embedding/contract'
import type { WriteDatabase } from '../../storage/database'
import type { Feeder } from './feeder'
import { readTexts } from './read-texts'
import type { SpaceKeeper } from './space-keeper'
import { buildingSpace, countUnread, type PendingText, type SpaceRow, sameIdentity, servingSpace } from './spaces'
import { Sweep } from './sweep'

const MEMORIES_AT_ONCE = 8

export interface SpaceReaderDeps {
  database: WriteDatabase
  spaces: SpaceKeeper
  feeder: Feeder
  signal: AbortSignal
  /** Newly read memories of the space that serves. */
  onRead?: (ids: readonly string[]) => void
  /** After each batch: how many texts of which space. */
  onBatch: (space: number, count: number) => void
  /** A single text the model refuses. */
  onRefused: (error: unknown) => void
  /** Another space serves now. */
  onFlip: () => Promise<void>
}

/** Reads texts into their spaces, a batch at a time, and lets a finished new space serve. */
export class SpaceReader {
  readonly #deps: SpaceReaderDeps
  readonly #sweeps = new Map<number, Sweep>()

  constructor(deps: SpaceReaderDeps) {
    this.#deps = deps
  }

  /** Looks through the whole store again: after a failure, or with another embedder. */
  startOver(): void {
    this.#sweeps.clear()
  }

  /** One batch: the serving space first, then the one being built. False when there is nothing left. */
  async next(embedder: Embedder): Promise<boolean> {
    const { database, spaces, feeder, onRead } = this.#deps
    const serving = servingSpace(database)
    const speaks = serving && spaces.speakerOf(serving, embedder)
    if (serving !== undefined && speaks !== undefined) {
      const pending = await this.#sweepOf(serving).next(MEMORIES_AT_ONCE)
      if (pending.length > 0) {
        const ids = pending.map((memory) => memory.id)
        await this.#read(serving, speaks, pending)
        await feeder.feed(ids)
        onRead?.(ids)
        return true
      }
    }
    const building = buildingSpace(database)
    if (building === undefined || !sameIdentity(building, embedder.space)) return false
    return this.#build(building, embedder)
  }

  async #build(building: SpaceRow, embedder: Embedder): Promise<true> {
    const { database, spaces, feeder, onFlip } = this.#deps
    const pending = await this.#sweepOf(building).next(MEMORIES_AT_ONCE)
    if (pending.length > 0) {
      await this.#read(building, embedder, pending)
      return true
    }
    this.#sweeps.delete(building.id)
    // Written while the sweep had passed already: looked for once more.
    if (countUnread(database, building.id).left > 0) return true
    await spaces.flip(building, embedder)
    feeder.middleIsKnown()
    await onFlip()
    return true
  }

  #sweepOf(space: SpaceRow): Sweep {
    const sweep = this.#sweeps.get(space.id) ?? new Sweep(this.#deps.database, space.id)
    this.#sweeps.set(space.id, sweep)
    return sweep
  }

  async #read(space: SpaceRow, embedder: Embedder, pending: readonly PendingText[]): Promise<void> {
    const { database, signal, onRefused, onBatch } = this.#deps
    await readTexts(database, { space, embedder, pending, signal, onRefused })
    onBatch(space.id, pending.length)
  }
}
