import { AppError } from '../../ipc/app-error'
import { phrase, said } from '../../ipc/said-contract'
import type { Embedder, EmbeddingSpace } from '../../models/embedding/contract'
import type { WriteDatabase } from '../../storage/database'
import { calibrate, type EverydayTexts, storeCalibration } from './calibrate'
import type { EngineHost } from './engine-host'
import {
  buildingSpace,
  createSpace,
  dropBuilding,
  flipTo,
  isSameSpace,
  readSentinel,
  type SpaceRow,
  sameIdentity,
  servingSpace,
} from './spaces'

export interface SpaceKeeperDeps {
  database: WriteDatabase
  engine: EngineHost
  /** An embedder that still speaks an older space, if one can be had. */
  embedderFor?: (space: EmbeddingSpace) => Embedder | undefined
  everyday: EverydayTexts
  nowIso: () => string
  signal: AbortSignal
}

/** Knows which embedder speaks which space, begins a new space beside the one that serves, and flips to it. */
export class SpaceKeeper {
  readonly #deps: SpaceKeeperDeps
  #checked = false
  /** Grows with every doubt: one that comes during a check is about another embedder than the one being checked. */
  #doubts = 0
  #servingEmbedder: Embedder | undefined
  /** The space whose embedder has shown since the start that it still speaks it. */
  #proven: number | undefined
  /** A space whose embedder answers differently now: its vectors serve no longer, though its names are the same. */
  #lost: number | undefined

  constructor(deps: SpaceKeeperDeps) {
    this.#deps = deps
  }

  get checked(): boolean {
    return this.#checked
  }

  /** Before that a server may have another model under the same name. The built-in one cannot change without its name. */
  isProven(space: SpaceRow): boolean {
    return space.provider === 'built-in' || space.id === this.#proven
  }

  /** The settings or the embedder may have changed: the sentinel is read again before the next text. */
  doubt(): void {
    this.#doubts += 1
    this.#checked = false
  }

  speakerOf(space: SpaceRow, current: Embedder): Embedder | undefined {
    if (space.id === this.#lost) return undefined
    if (sameIdentity(space, current.space)) return current
    const kept = this.#servingEmbedder
    if (kept && sameIdentity(space, kept.space)) return kept
    return this.#deps.embedderFor?.({
      provider: space.provider,
      baseUrl: space.base_url,
      model: space.model,
      recipe: space.recipe,
    })
  }

  /** Whether the embedder still speaks the space that serves; if not, a new space begins beside it. */
  async check(embedder: Embedder): Promise<void> {
    const { database } = this.#deps
    const doubts = this.#doubts
    const serving = servingSpace(database)
    const sentinel = await this.#sentinelOf(embedder, this.#deps.signal)
    const building = buildingSpace(database)
    this.#lost = undefined
    if (serving !== undefined && isSameSpace(serving, embedder.space, sentinel)) {
      this.#servingEmbedder = embedder
      this.#proven = serving.id
      if (building !== undefined && !isSameSpace(building, embedder.space, sentinel)) dropBuilding(database)
    } else if (building === undefined || !isSameSpace(building, embedder.space, sentinel)) {
      dropBuilding(database)
      // With nothing to serve meanwhile, the new space serves from its first vector on.
      const state = serving === undefined ? 'serving' : 'building'
      const { id } = createSpace(database, embedder, sentinel, { state, nowIso: this.#deps.nowIso() })
      if (state === 'serving') {
        this.#servingEmbedder = embedder
        this.#proven = id
      }
    }
    const now = servingSpace(database)
    if (now && sameIdentity(now, embedder.space) && !isSameSpace(now, embedder.space, sentinel)) this.#lost = now.id
    this.#checked = doubts === this.#doubts
  }

  /** A space of its own for a rebuild, whatever serves now. */
  async begin(embedder: Embedder, signal: AbortSignal): Promise<void> {
    const { database } = this.#deps
    const sentinel = await this.#sentinelOf(embedder, signal)
    dropBuilding(database)
    createSpace(database, embedder, sentinel, { state: 'building', nowIso: this.#deps.nowIso() })
  }

  async flip(building: SpaceRow, embedder: Embedder): Promise<void> {
    const { database, engine, everyday, signal } = this.#deps
    const calibration = await calibrate(embedder, everyday, signal)
    if (calibration !== undefined) storeCalibration(database, building.id, calibration)
    flipTo(database, building.id)
    this.#servingEmbedder = embedder
    this.#proven = building.id
    await engine.forgetReadings()
    await engine.setMiddle('sentence', calibration?.middle)
  }

  /** The first space of a store serves before it could be measured. Resolves false when `paused` cut it short. */
  async calibrateServing(paused: AbortSignal): Promise<boolean> {
    const { database, engine, everyday, signal } = this.#deps
    const serving = servingSpace(database)
    const embedder = serving && this.#servingEmbedder
    if (!serving || serving.middle !== null || embedder === undefined || !sameIdentity(serving, embedder.space))
      return true
    try {
      const calibration = await calibrate(embedder, everyday, AbortSignal.any([signal, paused]))
      if (calibration === undefined) return true
      storeCalibration(database, serving.id, calibration)
      await engine.setMiddle('sentence', calibration.middle)
      return true
    } catch (error) {
      if (paused.aborted && !signal.aborted) return false
      throw error
    }
  }

  async #sentinelOf(embedder: Embedder, signal: AbortSignal): Promise<Float32Array> {
    const sentinel = await readSentinel(embedder, signal)
    if (sentinel === undefined)
      throw new AppError('embedder.unreachable', said`${phrase(embedder.label)} could not read the test sentence.`)
    return sentinel
  }
}
