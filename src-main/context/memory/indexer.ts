import { AppError } from '../../ipc/app-error'
import type { Embedder, Embedding, EmbeddingSpace } from '../../models/embedding/contract'
import type { WriteDatabase } from '../../storage/database'
import { calibrate, type EverydayTexts, storeCalibration } from './calibrate'
import { chunkText } from './chunk-text'
import type { EngineHost } from './engine-host'
import { indexedMemories } from './feed'
import type { LanceIndex } from './lance-index'
import { acknowledge, noteFailure, type OutboxEntry, readOutbox } from './outbox'
import {
  buildingSpace,
  countUnread,
  createSpace,
  flipTo,
  isSameSpace,
  type PendingText,
  readSentinel,
  type SpaceRow,
  sameIdentity,
  servingSpace,
  storeReadings,
  unreadMemories,
  vectorOf,
} from './spaces'

const MEMORIES_AT_ONCE = 8
const CHUNKS_AT_ONCE = 32
const OUTBOX_AT_ONCE = 200
const PAGE = 50
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 300_000

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
  onChange?: () => void
  /** Vectors from which the on-disk index is searched and the engine keeps none. */
  indexFrom: number
}

export interface IndexerStatus {
  serving?: SpaceRow
  building?: { label: string; done: number; total: number }
  lastError?: string
  indexProblem?: string
  usesIndex: boolean
}

/** Keeps the search in step with SQLite: reads texts, builds new spaces beside the one that serves, feeds both indexes. */
export class MemoryIndexer {
  readonly #deps: IndexerDeps
  #loaded: Promise<void> | undefined
  #running: Promise<void> | undefined
  #again = false
  #closed = false
  readonly #stop = new AbortController()
  #retry: NodeJS.Timeout | undefined
  #failures = 0
  #lastError: string | undefined
  #indexProblem: string | undefined
  /** The space whose table is open. */
  #indexOpen: number | undefined
  #spaceChecked = false
  /** Batches read since the start, and what windows were told last. */
  #batches = 0
  #told = ''
  #servingEmbedder: Embedder | undefined
  #usesIndex = false
  /** A space whose embedder answers differently now: its vectors serve no longer, though its names are the same. */
  #lost: number | undefined

  constructor(deps: IndexerDeps) {
    this.#deps = deps
  }

  /** Words are searchable when this resolves; vectors follow in the background. */
  start(): Promise<void> {
    this.#loaded ??= this.#load()
    this.#schedule()
    return this.#loaded
  }

  /** After a committed write: words at once, vectors when they are read. */
  changed(ids: readonly string[]): void {
    if (this.#loaded === undefined) return
    this.#feed(ids).catch((error) => this.#note(error))
    this.#schedule()
  }

  /** The settings may name another embedder now. */
  settingsChanged(): void {
    this.#spaceChecked = false
    this.#failures = 0
    this.#schedule()
  }

  get usesIndex(): boolean {
    return this.#usesIndex
  }

  dense(): { space: SpaceRow; embedder: Embedder } | { reason: string } | undefined {
    const current = this.#deps.embedder()
    if (current === undefined) return undefined
    const space = servingSpace(this.#deps.database)
    if (space === undefined) {
      return { reason: this.#lastError ?? `${current.label} is being prepared; only words were searched.` }
    }
    const embedder = this.#speakerOf(space, current)
    if (embedder === undefined)
      return { reason: `The index for ${current.label} is being built; only words were searched.` }
    return { space, embedder }
  }

  status(): IndexerStatus {
    const { database } = this.#deps
    const serving = servingSpace(database)
    const building = buildingSpace(database)
    const total = building ? countAll(database) : 0
    return {
      usesIndex: this.#usesIndex,
      ...(serving === undefined ? {} : { serving }),
      ...(building === undefined
        ? {}
        : { building: { label: building.label, total, done: total - countUnread(database, building.id) } }),
      ...(this.#lastError === undefined ? {} : { lastError: this.#lastError }),
      ...(this.#indexProblem === undefined ? {} : { indexProblem: this.#indexProblem }),
    }
  }

  /** Reads every text again into a space of its own; the present one serves until then. */
  async rebuild(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<void> {
    await this.start()
    await this.idle()
    const embedder = this.#deps.embedder()
    if (embedder === undefined)
      throw new AppError('bad_input', 'No embedder is chosen, so there is nothing to build. Words are always indexed.')
    const sentinel = await readSentinel(embedder, signal)
    if (sentinel === undefined)
      throw new AppError('embedder.unreachable', `${embedder.label} could not read the test sentence.`)
    const { database } = this.#deps
    database.prepare("DELETE FROM memory_space WHERE state = 'building'").run()
    createSpace(database, embedder, sentinel, { state: 'building', nowIso: this.#deps.nowIso() })
    const total = countAll(database)
    for (;;) {
      signal.throwIfAborted()
      this.#schedule()
      const building = buildingSpace(database)
      if (building === undefined) break
      progress(total - countUnread(database, building.id), total)
      await this.#running
      if (this.#lastError !== undefined) throw new AppError('embedder.unreachable', this.#lastError)
    }
    progress(total, total)
  }

  /** Resolves when nothing is left to do that can be done now. */
  async idle(): Promise<void> {
    await this.#loaded
    while (this.#running !== undefined) await this.#running
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stop.abort()
    clearTimeout(this.#retry)
    await this.#running
    await this.#deps.lance?.close()
    await this.#deps.engine.close()
  }

  #speakerOf(space: SpaceRow, current: Embedder): Embedder | undefined {
    if (space.id === this.#lost) return undefined
    return sameIdentity(space, current.space) ? current : this.#olderEmbedder(space)
  }

  #olderEmbedder(space: SpaceRow): Embedder | undefined {
    const kept = this.#servingEmbedder
    if (kept && sameIdentity(space, kept.space)) return kept
    return this.#deps.embedderFor?.({
      provider: space.provider,
      baseUrl: space.base_url,
      model: space.model,
      recipe: space.recipe,
    })
  }

  async #load(): Promise<void> {
    const { database, engine } = this.#deps
    const space = servingSpace(database)
    if (space?.middle) await engine.setMiddle('sentence', vectorOf(space.middle))
    this.#usesIndex = space !== undefined && countVectors(database, space.id) >= this.#deps.indexFrom
    for (let after = 0; ; ) {
      const page = database
        .prepare<[number, number], { id: string; seq: number }>(
          'SELECT id, seq FROM memory WHERE seq > ? ORDER BY seq LIMIT ?',
        )
        .all(after, PAGE)
      const last = page.at(-1)
      if (last === undefined || this.#closed) break
      await this.#feed(page.map((row) => row.id))
      after = last.seq
      // Loading must not hold up the window: give the event loop a turn between pages.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #feed(ids: readonly string[]): Promise<void> {
    const { database, engine } = this.#deps
    const space = servingSpace(database)?.id
    const present = indexedMemories(database, ids, space, !this.#usesIndex)
    const known = new Set(present.map((memory) => memory.id))
    const gone = ids.filter((id) => !known.has(id))
    if (present.length > 0) await engine.upsert(present)
    if (gone.length > 0) await engine.remove(gone)
  }

  #schedule(): void {
    if (this.#closed || this.#loaded === undefined || this.#deps.readOnly === true) return
    if (this.#running !== undefined) {
      this.#again = true
      return
    }
    this.#again = false
    this.#running = this.#loaded
      .then(() => this.#work())
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#running = undefined
        this.#tellChange()
        if (this.#again) this.#schedule()
      })
  }

  /** A pass that found nothing to do tells nobody: every search starts one, and windows search again when they hear. */
  #tellChange(): void {
    if (this.#closed) return
    const { serving, building, lastError, indexProblem, usesIndex } = this.status()
    const seen = JSON.stringify([
      this.#batches,
      serving?.id,
      serving?.middle !== null,
      building,
      lastError,
      indexProblem,
    ])
    const now = `${seen} ${usesIndex}`
    if (now === this.#told) return
    this.#told = now
    this.#deps.onChange?.()
  }

  async #work(): Promise<void> {
    const embedder = this.#deps.embedder()
    if (embedder === undefined) {
      await this.#syncIndex(undefined)
      return
    }
    if (!this.#spaceChecked) await this.#checkSpace(embedder)
    while (!this.#closed && (await this.#readSome(embedder))) {
      this.#failures = 0
      this.#batches += 1
    }
    await this.#calibrateServing()
    await this.#syncIndex(servingSpace(this.#deps.database))
    this.#failures = 0
    this.#lastError = undefined
  }

  /** Whether the embedder still speaks the space that serves; if not, a new space begins beside it. */
  async #checkSpace(embedder: Embedder): Promise<void> {
    const { database } = this.#deps
    const serving = servingSpace(database)
    if (serving === undefined && countAll(database) === 0) return
    const sentinel = await readSentinel(embedder, this.#stop.signal)
    if (sentinel === undefined)
      throw new AppError('embedder.unreachable', `${embedder.label} could not read the test sentence.`)
    const building = buildingSpace(database)
    this.#lost = undefined
    if (serving !== undefined && isSameSpace(serving, embedder.space, sentinel)) {
      this.#servingEmbedder = embedder
      if (building !== undefined && !isSameSpace(building, embedder.space, sentinel)) dropBuilding(database)
    } else if (building === undefined || !isSameSpace(building, embedder.space, sentinel)) {
      dropBuilding(database)
      // With nothing to serve meanwhile, the new space serves from its first vector on.
      const state = serving === undefined ? 'serving' : 'building'
      createSpace(database, embedder, sentinel, { state, nowIso: this.#deps.nowIso() })
      if (state === 'serving') this.#servingEmbedder = embedder
    }
    const now = servingSpace(database)
    if (now && sameIdentity(now, embedder.space) && !isSameSpace(now, embedder.space, sentinel)) this.#lost = now.id
    this.#spaceChecked = true
  }

  /** One batch: the serving space first, then the one being built. False when there is nothing left. */
  async #readSome(embedder: Embedder): Promise<boolean> {
    const { database } = this.#deps
    const serving = servingSpace(database)
    if (serving !== undefined) {
      const speaks = this.#speakerOf(serving, embedder)
      const pending = speaks === undefined ? [] : unreadMemories(database, serving.id, MEMORIES_AT_ONCE)
      if (speaks !== undefined && pending.length > 0) {
        await this.#read(serving, speaks, pending)
        await this.#feed(pending.map((memory) => memory.id))
        this.#deps.onRead?.(pending.map((memory) => memory.id))
        return true
      }
    } else if (countAll(database) > 0 && !this.#spaceChecked) {
      await this.#checkSpace(embedder)
      return true
    }
    const building = buildingSpace(database)
    if (building === undefined || !sameIdentity(building, embedder.space)) return false
    const pending = unreadMemories(database, building.id, MEMORIES_AT_ONCE)
    if (pending.length > 0) {
      await this.#read(building, embedder, pending)
      return true
    }
    await this.#flip(building, embedder)
    return true
  }

  async #read(space: SpaceRow, embedder: Embedder, pending: readonly PendingText[]): Promise<void> {
    const pieces = pending.flatMap((memory) => chunkText(memory.text).map((text) => ({ memory, text })))
    const readings: Embedding[] = []
    for (let at = 0; at < pieces.length; at += CHUNKS_AT_ONCE) {
      const batch = pieces.slice(at, at + CHUNKS_AT_ONCE).map((piece) => piece.text)
      readings.push(...(await readBatch(embedder, batch, this.#stop.signal, (error) => this.#note(error))))
    }
    for (const reading of readings) {
      if (reading.vector === undefined || reading.vector.length === space.dimensions) continue
      this.#spaceChecked = false
      throw new AppError(
        'embedder.dimension',
        `${embedder.label} answered with ${reading.vector.length} dimensions instead of ${space.dimensions}. A new index is begun.`,
      )
    }
    for (const memory of pending) {
      const own = readings.filter((_, at) => pieces[at]?.memory === memory)
      storeReadings(this.#deps.database, space.id, memory, own)
    }
  }

  async #flip(building: SpaceRow, embedder: Embedder): Promise<void> {
    const { database, engine } = this.#deps
    const calibration = await calibrate(embedder, this.#deps.everyday, this.#stop.signal)
    if (calibration !== undefined) storeCalibration(database, building.id, calibration)
    flipTo(database, building.id)
    this.#servingEmbedder = embedder
    await engine.forgetReadings()
    await engine.setMiddle('sentence', calibration?.middle)
    await this.#load()
  }

  async #calibrateServing(): Promise<void> {
    const { database, engine } = this.#deps
    const serving = servingSpace(database)
    const embedder = serving && this.#servingEmbedder
    if (!serving || serving.middle !== null || embedder === undefined || !sameIdentity(serving, embedder.space)) return
    const calibration = await calibrate(embedder, this.#deps.everyday, this.#stop.signal)
    if (calibration === undefined) return
    storeCalibration(database, serving.id, calibration)
    await engine.setMiddle('sentence', calibration.middle)
  }

  /** Carries the outbox to the on-disk index. A trouble there is shown and retried; the search does not need it. */
  async #syncIndex(serving: SpaceRow | undefined): Promise<void> {
    const { database, lance } = this.#deps
    if (lance === undefined || serving === undefined) {
      for (
        let entries = readOutbox(database, OUTBOX_AT_ONCE);
        entries.length > 0;
        entries = readOutbox(database, OUTBOX_AT_ONCE)
      ) {
        acknowledge(database, entries)
      }
      return
    }
    let entries: OutboxEntry[] = readOutbox(database, OUTBOX_AT_ONCE)
    try {
      if (this.#indexOpen !== serving.id) {
        await lance.open(serving)
        this.#indexOpen = serving.id
      }
      let deleted = false
      for (; entries.length > 0 && !this.#closed; entries = readOutbox(database, OUTBOX_AT_ONCE)) {
        await lance.sync([...new Set(entries.map((entry) => entry.memory_id))])
        acknowledge(database, entries)
        deleted ||= entries.some((entry) => entry.operation === 'delete')
      }
      if (deleted) await lance.tidy()
      await this.#handOverWhenBig(serving)
      this.#indexProblem = undefined
    } catch (error) {
      this.#indexProblem = textOf(error)
      this.#indexOpen = undefined
      if (entries.length > 0) noteFailure(database, entries, this.#indexProblem)
      this.#retryLater()
    }
  }

  /** Past a size the vectors leave the memory and the on-disk index is searched. */
  async #handOverWhenBig(serving: SpaceRow): Promise<void> {
    if (this.#usesIndex || countVectors(this.#deps.database, serving.id) < this.#deps.indexFrom) return
    await this.#deps.lance?.tidy()
    this.#usesIndex = true
    await this.#load()
  }

  #note(error: unknown): void {
    this.#lastError = textOf(error)
  }

  #fail(error: unknown): void {
    // Stopped in the middle is no failure: the outbox still knows what is left.
    if (this.#closed) return
    this.#note(error)
    const entries = readOutbox(this.#deps.database, OUTBOX_AT_ONCE)
    if (entries.length > 0) noteFailure(this.#deps.database, entries, textOf(error))
    this.#retryLater()
  }

  #retryLater(): void {
    if (this.#closed) return
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures)
    this.#failures += 1
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#schedule(), wait)
    this.#retry.unref()
  }
}

/** A batch the model refuses is tried text by text; a single refused text is left without a vector, and said. */
async function readBatch(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
  onRefused: (error: unknown) => void,
): Promise<Embedding[]> {
  try {
    return await embedder.embed(texts, { purpose: 'memory', signal })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'model.rejected') throw error
    if (texts.length <= 1) {
      onRefused(error)
      return texts.map(() => ({ channel: 'sentence' }))
    }
    const all: Embedding[] = []
    for (const text of texts) all.push(...(await readBatch(embedder, [text], signal, onRefused)))
    return all
  }
}

function dropBuilding(database: WriteDatabase): void {
  database.prepare("DELETE FROM memory_space WHERE state = 'building'").run()
}

function countAll(database: WriteDatabase): number {
  return database.prepare<[], { n: number }>('SELECT count(*) AS n FROM memory').get()?.n ?? 0
}

function countVectors(database: WriteDatabase, space: number): number {
  const row = database
    .prepare<[number], { n: number }>('SELECT count(*) AS n FROM memory_vec WHERE space = ? AND vector IS NOT NULL')
    .get(space)
  return row?.n ?? 0
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
