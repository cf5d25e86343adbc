import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../ipc/app-error'
import type { WriteDatabase } from '../storage/database'
import { emptyJournal } from '../storage/empty-journal'
import { SOUND_STORAGE, type StorageHealth } from '../storage/health'
import { migrate } from '../storage/open-database'
import { unfinishedArrivals } from './arrival'
import { type AttachmentPlace, releaseFiles } from './attachments/attachment-desk'
import type { NamedFiles } from './attachments/attachment-rows'
import { folderBlobs, memoryBlobs } from './attachments/blob-store'
import { createPdfReader } from './attachments/pdf-reader'
import { BranchCache } from './branch-cache'
import type { Session } from './contract'
import { isoTime } from './iso-time'
import { removeHidden } from './leaving'
import { sessionMigrations } from './migrations'
import { compactIndex, indexBacklog } from './search/search-index'

/** One database of sessions with its files and its cache. */
export interface Desk extends AttachmentPlace {
  cache: BranchCache
}

/** What leaves for good: other rooms delete what they keep about it. */
export interface Departure {
  sessionIds: string[]
  messageIds: string[]
}

type ArrivalSteps = Generator<void, Session> | AsyncGenerator<void, Session>

export interface DeskOptions {
  database: WriteDatabase
  dataDir: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Absent: the disk is never full, as in memory. */
  storage?: Pick<StorageHealth, 'troubled' | 'note' | 'keep' | 'whenWell'>
  /** Called with a failure of background cleaning, which nobody waits for. */
  onCleaningFailed?: (error: unknown) => void
}

/**
 * Where sessions lie: the kept ones in the data folder, temporary ones in a second database in memory with the same
 * tables, so that nothing of them reaches the disk.
 */
export class SessionDesks {
  readonly kept: Desk
  readonly passing: Desk
  readonly pdf = createPdfReader()
  readonly #options: DeskOptions
  readonly #departureListeners: ((gone: Departure) => void)[] = []
  readonly #toCompact = new Set<Desk>()
  readonly #toIndex = new Set<Desk>()
  readonly #leaving = new Set<string>()
  /** Temporary chats of this run that are gone, with their messages: what still comes for them must not reach the disk. */
  readonly #passed = new Set<string>()
  readonly #arriving = new Map<string, Promise<unknown>>()
  readonly storage: Pick<StorageHealth, 'troubled' | 'note' | 'keep' | 'whenWell'>
  readonly #undone: (() => Promise<void>)[] = []
  #cleaning: Promise<unknown> = Promise.resolve()
  #closing = false

  constructor(options: DeskOptions) {
    this.#options = options
    this.storage = options.storage ?? SOUND_STORAGE
    this.storage.whenWell(() => {
      for (const work of this.#undone.splice(0)) this.later(work)
    })
    const memory = new BetterSqlite3(':memory:')
    memory.pragma('foreign_keys = ON')
    migrate(memory, sessionMigrations, () => isoTime(options.now()))
    const { database } = options
    this.kept = {
      database,
      cache: new BranchCache(database),
      blobs: folderBlobs(join(options.dataDir, 'attachments')),
    }
    this.passing = { database: memory, cache: new BranchCache(memory), blobs: memoryBlobs() }
  }

  of(sessionId: string): Desk {
    const passing = this.passing.database.prepare('SELECT 1 FROM session WHERE id = ?').get(sessionId)
    return passing || this.#passed.has(sessionId) ? this.passing : this.kept
  }

  ofMessage(messageId: string): Desk {
    const passing = this.passing.database.prepare('SELECT 1 FROM message WHERE id = ?').get(messageId)
    return passing || this.#passed.has(messageId) ? this.passing : this.kept
  }

  onDeparture(listener: (gone: Departure) => void): void {
    this.#departureListeners.push(listener)
  }

  /** After rows were deleted for good: tells the rooms, then removes files and index entries in the background. */
  depart(desk: Desk, gone: Departure, named: NamedFiles): void {
    if (desk === this.passing) for (const id of [...gone.sessionIds, ...gone.messageIds]) this.#passed.add(id)
    this.tellDeparture(gone)
    this.#toCompact.add(desk)
    this.later(() => this.#clean(desk, named))
  }

  /** Deletes hidden chats and detached branches piece by piece; the rooms are told of each piece. */
  removeLater(desk: Desk, hiddenIds: readonly string[], named: NamedFiles = { attachmentIds: [], hashes: [] }): void {
    for (const id of hiddenIds) this.#leaving.add(id)
    this.later(async () => {
      const files: NamedFiles = { attachmentIds: [...named.attachmentIds], hashes: [...named.hashes] }
      for (const id of hiddenIds) {
        const steps = removeHidden(desk.database, id, (messageIds, freed) => {
          for (const listener of this.#departureListeners) listener({ sessionIds: [], messageIds })
          files.attachmentIds.push(...freed.attachmentIds)
          files.hashes.push(...freed.hashes)
        })
        // the next start goes on with what is left
        if (!(await this.#inSteps(steps))) return
        desk.cache.drop(id)
        this.#leaving.delete(id)
      }
      this.#toCompact.add(desk)
      await this.#clean(desk, files)
    })
  }

  /** Told at once, whatever is still to be deleted. */
  tellDeparture(gone: Departure): void {
    for (const listener of this.#departureListeners) listener(gone)
  }

  /** Indexes in the background what was too much for the call that wrote it. */
  indexLater(desk: Desk): void {
    if (this.#toIndex.has(desk)) return
    this.#toIndex.add(desk)
    this.later(() => {
      this.#toIndex.delete(desk)
      return this.#inSteps(indexBacklog(desk.database)).then(() => undefined)
    })
  }

  /** Background work, one after the other; `cleaned` waits for it. What the disk refuses is done when there is room. */
  later(work: () => Promise<void>): void {
    this.#cleaning = this.#cleaning.then(work).catch((error: unknown) => {
      if (this.storage.note(error)) this.#undone.push(work)
      else this.#options.onCleaningFailed?.(error)
    })
  }

  /**
   * Writes a session step by step; what came of it is removed when a step fails. @throws conflict when a session of this
   * name is being written already, busy when the app closes meanwhile
   */
  async arrive(desk: Desk, sessionId: string, steps: ArrivalSteps): Promise<Session> {
    if (this.#arriving.has(sessionId)) {
      throw new AppError('conflict', 'This chat is being imported already. Wait until it is there.')
    }
    // the same chat may still be on its way out
    if (this.#leaving.has(sessionId)) await this.cleaned()
    const written = this.#write(steps).catch((error: unknown) => {
      this.removeLater(desk, [sessionId])
      // what waited behind it
      this.indexLater(desk)
      throw error
    })
    this.#arriving.set(sessionId, written)
    try {
      return await written
    } finally {
      this.#arriving.delete(sessionId)
    }
  }

  async #write(steps: ArrivalSteps): Promise<Session> {
    for (;;) {
      const step = await steps.next()
      if (step.done) return step.value
      await nextTurn()
      if (this.#closing)
        throw new AppError('busy', 'Strata is closing; this chat was not saved. Do it again next time.')
    }
  }

  /** At start: what an end in the middle of an import, a fork or a deletion left behind. */
  removeUnfinished(): void {
    const { database } = this.kept
    const unfinished = unfinishedArrivals(database)
    if (unfinished.length > 0) this.removeLater(this.kept, unfinished)
  }

  /** Calls and events get their turn between two steps. False when the app closes before the last. */
  async #inSteps(steps: Generator<void>): Promise<boolean> {
    for (;;) {
      await nextTurn()
      if (this.#closing) return false
      if (steps.next().done) return true
    }
  }

  async #clean(desk: Desk, named: NamedFiles): Promise<void> {
    await releaseFiles(desk, named)
    // many departures at once are compacted once
    if (!this.#toCompact.has(desk)) return
    await this.#inSteps(compactIndex(desk.database))
    this.#toCompact.delete(desk)
    // the journal still holds the old pages until it is emptied
    await emptyJournal(desk.database, () => this.#closing)
  }

  /** Resolves once the background cleaning and indexing are done. */
  async cleaned(): Promise<void> {
    await this.#cleaning
  }

  /** Cuts the cleaning short, then lets the temporary sessions go. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.allSettled(this.#arriving.values())
    await Promise.all([this.cleaned(), this.pdf.close()])
    this.passing.database.close()
  }
}
