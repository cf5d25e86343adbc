import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../ipc/app-error'
import type { WriteDatabase } from '../storage/database'
import { migrate } from '../storage/open-database'
import { removeArrival, unfinishedArrivals } from './arrival'
import { type AttachmentPlace, releaseFiles } from './attachments/attachment-desk'
import type { NamedFiles } from './attachments/attachment-rows'
import { folderBlobs, memoryBlobs } from './attachments/blob-store'
import { createPdfReader } from './attachments/pdf-reader'
import { BranchCache } from './branch-cache'
import type { Session } from './contract'
import { isoTime } from './iso-time'
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

export interface DeskOptions {
  database: WriteDatabase
  dataDir: string
  /** Milliseconds since 1970. */
  now: () => number
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
  /** Temporary chats of this run that are gone, with their messages: what still comes for them must not reach the disk. */
  readonly #passed = new Set<string>()
  readonly #arriving = new Map<string, Promise<unknown>>()
  #cleaning: Promise<unknown> = Promise.resolve()
  #closing = false

  constructor(options: DeskOptions) {
    this.#options = options
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
    for (const listener of this.#departureListeners) listener(gone)
    this.#toCompact.add(desk)
    this.later(() => this.#clean(desk, named))
  }

  /** Indexes in the background what was too much for the call that wrote it. */
  indexLater(desk: Desk): void {
    if (this.#toIndex.has(desk)) return
    this.#toIndex.add(desk)
    this.later(() => {
      this.#toIndex.delete(desk)
      return this.#inSteps(indexBacklog(desk.database))
    })
  }

  /** Background work, one after the other; `cleaned` waits for it. */
  later(work: () => Promise<void>): void {
    this.#cleaning = this.#cleaning.then(work).catch((error: unknown) => this.#options.onCleaningFailed?.(error))
  }

  /**
   * Writes a session step by step; what came of it is removed when a step fails. @throws conflict when a session of this
   * name is being written already, busy when the app closes meanwhile
   */
  async arrive(desk: Desk, sessionId: string, steps: Generator<void, Session>): Promise<Session> {
    if (this.#arriving.has(sessionId)) {
      throw new AppError('conflict', 'This chat is being imported already. Wait until it is there.')
    }
    const written = this.#write(steps).catch((error: unknown) => {
      this.later(() => this.#inSteps(removeArrival(desk.database, sessionId)))
      throw error
    })
    this.#arriving.set(sessionId, written)
    try {
      return await written
    } finally {
      this.#arriving.delete(sessionId)
    }
  }

  async #write(steps: Generator<void, Session>): Promise<Session> {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      await nextTurn()
      if (this.#closing)
        throw new AppError('busy', 'Strata is closing; this chat was not saved. Do it again next time.')
    }
  }

  /** At start: what an end in the middle of an import or a fork left behind. */
  removeUnfinished(): void {
    const { database } = this.kept
    for (const id of unfinishedArrivals(database)) this.later(() => this.#inSteps(removeArrival(database, id)))
  }

  /** Calls and events get their turn between two steps. */
  async #inSteps(steps: Generator<void>): Promise<void> {
    for (;;) {
      await nextTurn()
      if (this.#closing || steps.next().done) return
    }
  }

  async #clean(desk: Desk, named: NamedFiles): Promise<void> {
    await releaseFiles(desk, named)
    // many departures at once are compacted once
    if (!this.#toCompact.delete(desk)) return
    await this.#inSteps(compactIndex(desk.database))
    // the journal still holds the old pages until it is emptied
    if (!this.#closing) desk.database.pragma('wal_checkpoint(TRUNCATE)')
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
