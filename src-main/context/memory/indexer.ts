import { AppError } from '../../ipc/app-error'
import { type Said, said } from '../../ipc/said-contract'
import type { Embedder, EmbeddingSpace } from '../../models/embedding/contract'
import type { WriteDatabase } from '../../storage/database'
import { Backoff } from './backoff'
import type { EverydayTexts } from './calibrate'
import type { EngineHost } from './engine-host'
import { Feeder } from './feeder'
import { IndexSync } from './index-sync'
import type { LanceIndex } from './lance-index'
import { countOutbox } from './outbox'
import { readTexts } from './read-texts'
import { SpaceKeeper } from './space-keeper'
import {
  buildingSpace,
  countUnread,
  holdsAny,
  type PendingText,
  type SpaceRow,
  sameIdentity,
  servingSpace,
} from './spaces'
import { Sweep } from './sweep'

const MEMORIES_AT_ONCE = 8

export interface IndexerDeps {
  database: WriteDatabase
  engine: EngineHost
  /** Absent where the platform has no build of the on-disk index. */
  lance?: LanceIndex
  /** Load only. */
  readOnly?: boolean
  /** The embedder the settings ask for; undefined = words only. */
  embedder: () => Embedder | undefined
  /** An embedder that still speaks an older space, if one can be had. */
  embedderFor?: (space: EmbeddingSpace) => Embedder | undefined
  everyday: EverydayTexts
  nowIso: () => string
  /** Newly read memories, for suggestions. */
  onRead?: (ids: readonly string[]) => void
  /** Readings or spaces have changed. */
  onProgress?: () => void
  onChange?: () => void
  /** Vectors from which the on-disk index is searched and the engine keeps none. */
  indexFrom: number
  /** After a start the model and the on-disk index wait this long: the first window comes first. */
  settleMs?: number
}

export interface IndexerStatus {
  serving?: SpaceRow
  building?: SpaceRow
  lastError?: string
  indexProblem?: string
  usesIndex: boolean
}

/** Keeps the search in step with SQLite: reads texts, builds new spaces beside the one that serves, feeds both indexes. */
export class MemoryIndexer {
  readonly #deps: IndexerDeps
  readonly #stop = new AbortController()
  readonly #spaces: SpaceKeeper
  readonly #index: IndexSync
  readonly #feeder: Feeder
  readonly #backoff = new Backoff()
  readonly #sweeps = new Map<number, Sweep>()
  #loaded: Promise<void> | undefined
  #running: Promise<void> | undefined
  #again = false
  /** Cuts the measuring of a space short. */
  #pause = new AbortController()
  #closed = false
  #settling: Promise<void> | undefined
  #lastError: string | undefined
  /** Told how many texts of which space were read. */
  #watch: ((space: number, count: number) => void) | undefined

  constructor(deps: IndexerDeps) {
    this.#deps = deps
    this.#spaces = new SpaceKeeper({ ...deps, signal: this.#stop.signal })
    this.#index = new IndexSync({ ...deps, isClosed: () => this.#closed })
    this.#feeder = new Feeder({
      ...deps,
      withVectors: () => !this.#index.searched,
      isClosed: () => this.#closed,
    })
  }

  /** Words are searchable when this resolves; vectors follow in the background. With nothing stored it starts nothing. */
  start(): Promise<void> {
    if (this.#loaded !== undefined) return this.#loaded
    this.#loaded = this.#load()
    this.#settling = wait(this.#deps.settleMs ?? 0, this.#stop.signal).then(() => {
      this.#settling = undefined
      this.#schedule()
    })
    return this.#loaded
  }

  /** After a committed write: words at once, vectors when they are read. */
  changed(ids: readonly string[]): void {
    if (this.#loaded === undefined) return
    this.#feeder.feed(ids).catch((error) => this.#note(error))
    this.#schedule()
  }

  /** The settings may name another embedder now. */
  settingsChanged(): void {
    this.#spaces.doubt()
    this.#sweeps.clear()
    this.#backoff.reset()
    this.#schedule()
  }

  get usesIndex(): boolean {
    return this.#index.searched
  }

  dense(): { space: SpaceRow; embedder: Embedder } | { reason: Said } | undefined {
    const current = this.#deps.embedder()
    if (current === undefined) return undefined
    const space = servingSpace(this.#deps.database)
    if (space === undefined) {
      return { reason: this.#lastError ?? said`${current.label} is being prepared; only words were searched.` }
    }
    const embedder = this.#spaces.speakerOf(space, current)
    if (embedder === undefined)
      return { reason: said`The index for ${current.label} is being built; only words were searched.` }
    if (!this.#spaces.isProven(space)) {
      this.#schedule()
      return { reason: this.#lastError ?? said`${current.label} is being checked; only words were searched.` }
    }
    return { space, embedder }
  }

  status(): IndexerStatus {
    const { database } = this.#deps
    const serving = servingSpace(database)
    const building = buildingSpace(database)
    const { problem } = this.#index
    return {
      usesIndex: this.#index.searched,
      ...(serving === undefined ? {} : { serving }),
      ...(building === undefined ? {} : { building }),
      ...(this.#lastError === undefined ? {} : { lastError: this.#lastError }),
      ...(problem === undefined ? {} : { indexProblem: problem }),
    }
  }

  /** Reads every text again into a space of its own; the present one serves until then. */
  async rebuild(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<void> {
    await this.start()
    await this.idle()
    const { database } = this.#deps
    const embedder = this.#deps.embedder()
    if (embedder === undefined)
      throw new AppError('bad_input', 'No embedder is chosen, so there is nothing to build. Words are always indexed.')
    await this.#spaces.begin(embedder, signal)
    this.#sweeps.clear()
    const first = buildingSpace(database)
    const { left, total } = first ? countUnread(database, first.id) : { left: 0, total: 0 }
    let done = total - left
    progress(done, total)
    this.#watch = (space, count) => {
      if (space !== first?.id) return
      done = Math.min(total, done + count)
      progress(done, total)
    }
    for (;;) {
      signal.throwIfAborted()
      this.#schedule()
      if (buildingSpace(database) === undefined) break
      await this.#running
      if (this.#lastError !== undefined) throw new AppError('embedder.unreachable', this.#lastError)
    }
    this.#watch = undefined
    progress(total, total)
  }

  /** Resolves when nothing is left to do that can be done now. */
  async idle(): Promise<void> {
    await this.#loaded
    await this.#settling
    while (this.#running !== undefined) await this.#running
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stop.abort()
    this.#backoff.stop()
    await this.#running
    await this.#deps.lance?.close()
    await this.#deps.engine.close()
  }

  async #load(): Promise<void> {
    const { database } = this.#deps
    if (!holdsAny(database)) return
    this.#index.decide(servingSpace(database))
    await this.#feeder.all()
  }

  #schedule(): void {
    if (this.#closed || this.#loaded === undefined || this.#deps.readOnly === true) return
    if (this.#running !== undefined) {
      this.#again = true
      this.#pause.abort()
      return
    }
    this.#again = false
    this.#running = this.#loaded
      .then(() => this.#work())
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#running = undefined
        this.#deps.onProgress?.()
        this.#deps.onChange?.()
        if (this.#again) this.#schedule()
      })
  }

  async #work(): Promise<void> {
    const { database } = this.#deps
    const embedder = this.#deps.embedder()
    if (!holdsAny(database)) {
      // Nothing to search: neither the model nor the index is loaded, except to take out what was deleted.
      if (buildingSpace(database) !== undefined && embedder !== undefined) while (await this.#readSome(embedder));
      if (countOutbox(database).pending > 0) await this.#carry(servingSpace(database))
      return
    }
    if (embedder === undefined) {
      await this.#carry(undefined)
      return
    }
    if (!this.#spaces.checked) await this.#spaces.check(embedder)
    while (!this.#closed && (await this.#readSome(embedder))) this.#backoff.reset()
    await this.#carry(servingSpace(database))
    // Takes a hundred everyday sentences: what somebody just wrote comes before them.
    this.#pause = new AbortController()
    const measured = !this.#again && (await this.#spaces.calibrateServing(this.#pause.signal))
    if (measured) this.#feeder.middleIsKnown()
    this.#lastError = undefined
  }

  /** One batch: the serving space first, then the one being built. False when there is nothing left. */
  async #readSome(embedder: Embedder): Promise<boolean> {
    const { database } = this.#deps
    const serving = servingSpace(database)
    const speaks = serving && this.#spaces.speakerOf(serving, embedder)
    if (serving !== undefined && speaks !== undefined) {
      const pending = await this.#sweepOf(serving).next(MEMORIES_AT_ONCE)
      if (pending.length > 0) {
        const ids = pending.map((memory) => memory.id)
        await this.#read(serving, speaks, pending)
        await this.#feeder.feed(ids)
        this.#deps.onRead?.(ids)
        return true
      }
    }
    const building = buildingSpace(database)
    if (building === undefined || !sameIdentity(building, embedder.space)) return false
    const pending = await this.#sweepOf(building).next(MEMORIES_AT_ONCE)
    if (pending.length > 0) {
      await this.#read(building, embedder, pending)
      return true
    }
    this.#sweeps.delete(building.id)
    // Written while the sweep had passed already: looked for once more.
    if (countUnread(database, building.id).left > 0) return true
    await this.#spaces.flip(building, embedder)
    this.#feeder.middleIsKnown()
    await this.#load()
    return true
  }

  #sweepOf(space: SpaceRow): Sweep {
    const sweep = this.#sweeps.get(space.id) ?? new Sweep(this.#deps.database, space.id)
    this.#sweeps.set(space.id, sweep)
    return sweep
  }

  async #read(space: SpaceRow, embedder: Embedder, pending: readonly PendingText[]): Promise<void> {
    const onRefused = (error: unknown) => this.#note(error)
    await readTexts(this.#deps.database, { space, embedder, pending, signal: this.#stop.signal, onRefused })
    this.#deps.onProgress?.()
    this.#watch?.(space.id, pending.length)
  }

  async #carry(serving: SpaceRow | undefined): Promise<void> {
    const { failed, handedOver } = await this.#index.carry(serving)
    if (handedOver) await this.#load()
    if (failed) this.#retryLater()
    else this.#backoff.reset()
  }

  #note(error: unknown): void {
    this.#lastError = error instanceof Error ? error.message : String(error)
  }

  #fail(error: unknown): void {
    // Stopped in the middle is no failure: the outbox still knows what is left.
    if (this.#closed) return
    this.#note(error)
    this.#sweeps.clear()
    if (error instanceof AppError && error.code === 'embedder.dimension') this.#spaces.doubt()
    this.#index.noteFailure(this.#lastError ?? '')
    this.#retryLater()
  }

  #retryLater(): void {
    if (!this.#closed) this.#backoff.later(() => this.#schedule())
  }
}

/** Never keeps the process alive, and ends early when the room closes. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    timer.unref()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
