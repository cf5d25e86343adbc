import { AppError, saidBy } from '../../ipc/app-error'
import { phrase, type Said, said } from '../../ipc/said-contract'
import type { Embedder, EmbeddingSpace } from '../../models/embedding/contract'
import type { WriteDatabase } from '../../storage/database'
import { storageError } from '../../storage/storage-error'
import type { EverydayTexts } from './calibrate'
import type { EngineHost } from './engine-host'
import { Feeder } from './feeder'
import { IndexSync } from './index-sync'
import type { LanceIndex } from './lance-index'
import { countOutbox } from './outbox'
import { SpaceKeeper } from './space-keeper'
import { SpaceReader } from './space-reader'
import { buildingSpace, countUnread, holdsAny, type SpaceRow, servingSpace } from './spaces'
import { WorkLoop } from './work-loop'

export interface IndexerDeps {
  database: WriteDatabase
  engine: EngineHost
  /** Absent where the platform has no build of the on-disk index. */
  lance?: LanceIndex
  /** Load only. */
  readOnly?: boolean
  /** The embedder the settings ask for; undefined = words only. */
  embedder: () => Embedder | undefined
  /** The settings ask for one: without it something is missing. */
  isEmbedderWanted: () => boolean
  /** An embedder that still speaks an older space, if one can be had. */
  embedderFor?: (space: EmbeddingSpace) => Embedder | undefined
  everyday: EverydayTexts
  nowIso: () => string
  /** Newly read memories, for suggestions. */
  onRead?: (ids: readonly string[]) => void
  /** Readings or spaces have changed. */
  onProgress?: () => void
  onChange?: () => void
  /** The disk refused work in the background; it is tried again. Other failures are told by the status. */
  onProblem?: (error: unknown) => void
  /** Vectors from which the on-disk index is searched and the engine keeps none. */
  indexFrom: number
  /** After a start the model and the on-disk index wait this long: the first window comes first. */
  settleMs?: number
}

export interface IndexerStatus {
  serving?: SpaceRow
  building?: SpaceRow
  lastError?: Said
  indexProblem?: Said
  usesIndex: boolean
}

const NO_EMBEDDER =
  'The chosen embedding model has no connection any more. Choose another one in the memory settings; only words are searched.'

/** Keeps the search in step with SQLite: reads texts, builds new spaces beside the one that serves, feeds both indexes. */
export class MemoryIndexer {
  readonly #deps: IndexerDeps
  readonly #stop = new AbortController()
  readonly #spaces: SpaceKeeper
  readonly #reader: SpaceReader
  readonly #index: IndexSync
  readonly #feeder: Feeder
  readonly #loop: WorkLoop
  #loaded: Promise<void> | undefined
  #settling: Promise<void> | undefined
  #lastError: Said | undefined
  /** Told how many texts of which space were read. */
  #watch: ((space: number, count: number) => void) | undefined

  constructor(deps: IndexerDeps) {
    this.#deps = deps
    const isClosed = () => this.#loop.isClosed
    this.#loop = new WorkLoop({
      ready: () => (deps.readOnly === true ? undefined : this.#loaded),
      run: () => this.#work(),
      onFailure: (error) => this.#fail(error),
      onRest: () => {
        deps.onProgress?.()
        deps.onChange?.()
      },
    })
    this.#spaces = new SpaceKeeper({ ...deps, signal: this.#stop.signal })
    this.#index = new IndexSync({ ...deps, isClosed })
    this.#feeder = new Feeder({ ...deps, withVectors: () => !this.#index.searched, isClosed })
    this.#reader = new SpaceReader({
      database: deps.database,
      spaces: this.#spaces,
      feeder: this.#feeder,
      signal: this.#stop.signal,
      ...(deps.onRead === undefined ? {} : { onRead: deps.onRead }),
      onBatch: (space, count) => {
        deps.onProgress?.()
        this.#watch?.(space, count)
      },
      onRefused: (error) => this.#note(error),
      onFlip: () => this.#load(),
    })
  }

  /** Words are searchable when this resolves; vectors follow in the background. With nothing stored it starts nothing. */
  start(): Promise<void> {
    if (this.#loaded !== undefined) return this.#loaded
    this.#loaded = this.#load().catch((error: unknown) => {
      // the next one who asks tries again
      this.#loaded = undefined
      throw error
    })
    this.#settling = wait(this.#deps.settleMs ?? 0, this.#stop.signal).then(() => {
      this.#settling = undefined
      this.#loop.schedule()
    })
    return this.#loaded
  }

  /** After a committed write: words at once, vectors when they are read. */
  changed(ids: readonly string[]): void {
    if (this.#loaded === undefined) return
    this.#feeder.feed(ids).catch((error) => this.#note(error))
    this.#loop.schedule()
  }

  /** The settings may name another embedder now. */
  settingsChanged(): void {
    this.#spaces.doubt()
    this.#reader.startOver()
    this.#loop.wentWell()
    this.#loop.schedule()
  }

  get usesIndex(): boolean {
    return this.#index.searched
  }

  dense(): { space: SpaceRow; embedder: Embedder } | { reason: Said } | undefined {
    const current = this.#deps.embedder()
    if (current === undefined) return this.#deps.isEmbedderWanted() ? { reason: NO_EMBEDDER } : undefined
    const space = servingSpace(this.#deps.database)
    if (space === undefined) {
      return { reason: this.#lastError ?? said`${phrase(current.label)} is being prepared; only words were searched.` }
    }
    const embedder = this.#spaces.speakerOf(space, current)
    if (embedder === undefined)
      return { reason: said`The index for ${phrase(current.label)} is being built; only words were searched.` }
    if (!this.#spaces.isProven(space)) {
      this.#loop.schedule()
      return { reason: this.#lastError ?? said`${phrase(current.label)} is being checked; only words were searched.` }
    }
    return { space, embedder }
  }

  status(): IndexerStatus {
    const { database } = this.#deps
    const serving = servingSpace(database)
    const building = buildingSpace(database)
    const { problem } = this.#index
    const isMissing = this.#deps.embedder() === undefined && this.#deps.isEmbedderWanted()
    const lastError = isMissing ? NO_EMBEDDER : this.#lastError
    return {
      usesIndex: this.#index.searched,
      ...(serving === undefined ? {} : { serving }),
      ...(building === undefined ? {} : { building }),
      ...(lastError === undefined ? {} : { lastError }),
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
    this.#reader.startOver()
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
      this.#loop.schedule()
      if (buildingSpace(database) === undefined) break
      await this.#loop.current()
      if (this.#lastError !== undefined) throw new AppError('embedder.unreachable', this.#lastError)
    }
    this.#watch = undefined
    progress(total, total)
  }

  /** Resolves when nothing is left to do that can be done now. */
  async idle(): Promise<void> {
    await this.#loaded
    await this.#settling
    await this.#loop.idle()
  }

  async close(): Promise<void> {
    this.#loop.close()
    this.#stop.abort()
    await this.#loop.current()
    await this.#deps.lance?.close()
    await this.#deps.engine.close()
  }

  async #load(): Promise<void> {
    const { database } = this.#deps
    if (!holdsAny(database)) return
    this.#index.decide(servingSpace(database))
    await this.#feeder.all()
  }

  async #work(): Promise<void> {
    const { database } = this.#deps
    const embedder = this.#deps.embedder()
    if (!holdsAny(database)) {
      // Nothing to search: neither the model nor the index is loaded, except to take out what was deleted.
      if (buildingSpace(database) !== undefined && embedder !== undefined) while (await this.#reader.next(embedder));
      if (countOutbox(database).pending > 0) await this.#carry(servingSpace(database))
      return
    }
    if (embedder === undefined) {
      await this.#carry(undefined)
      this.#lastError = undefined
      return
    }
    if (!this.#spaces.checked) await this.#spaces.check(embedder)
    while (!this.#loop.isClosed && (await this.#reader.next(embedder))) this.#loop.wentWell()
    await this.#carry(servingSpace(database))
    // Takes a hundred everyday sentences: what somebody just wrote comes before them.
    const pause = this.#loop.yielding()
    if (!pause.aborted && (await this.#spaces.calibrateServing(pause))) this.#feeder.middleIsKnown()
    this.#lastError = undefined
  }

  async #carry(serving: SpaceRow | undefined): Promise<void> {
    const { failed, handedOver } = await this.#index.carry(serving)
    if (handedOver) await this.#load()
    if (failed) this.#loop.retryLater()
    else this.#loop.wentWell()
  }

  #note(error: unknown): void {
    if (storageError(error)) this.#deps.onProblem?.(error)
    this.#lastError = saidBy(error)
  }

  #fail(error: unknown): void {
    this.#note(error)
    this.#reader.startOver()
    if (error instanceof AppError && error.code === 'embedder.dimension') this.#spaces.doubt()
    this.#index.noteFailure(saidBy(error))
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
