import type { Emit } from '../../app-contract'
import type { Handlers } from '../../ipc/contract'
import type { Embedder } from '../../models/embedding/contract'
import type { WriteDatabase } from '../../storage/database'
import type { BlockSource } from '../block-source'
import type { WorldbookSettings } from './book-contract'
import { createBookFiles } from './book-files'
import { newBreathing } from './breathing'
import { createCompiledBooks } from './compiled-books'
import type { worldbookCalls } from './contract'
import { loadBooks } from './evaluate-books'
import { worldbookHandlers } from './handlers'
import { deleteGone, giveUpUnfinished } from './repository'
import { createScanner } from './scanner'
import { createFindSimilar } from './similarity'
import { copyTimers, forgetTimers } from './timer-rows'
import { createWorldbookSource } from './worldbook-block'

export interface WorldbookRoomDeps {
  database: WriteDatabase
  /** Where a session's timers live: in the file, or in memory for a temporary chat. */
  timersOf: (sessionId: string) => WriteDatabase
  ids: () => string
  /** ISO 8601 with offset. */
  nowIso: () => string
  emit: Emit
  settings: () => WorldbookSettings
  /** Tokens of a text for the default model; an estimate will do. */
  countTokens: (text: string) => number
  /** Makes the counts of these texts exact from now on, as far as it can. */
  primeTokens: (texts: readonly string[]) => Promise<unknown>
  /** Context window of the default model, in tokens. */
  defaultWindow: () => number | undefined
  /** Sessions outside the bin that a book is bound to. */
  countSessions: (worldbookId: string) => number
  /** Takes a book that is gone out of every session, as far as that makes none of them less private. */
  unbind: (worldbookId: string) => void
  /** The embedder chosen in Settings; undefined = none, and vectorised entries fire by their keys only. */
  embedder: () => Embedder | undefined
}

export interface WorldbookRoom {
  handlers: Handlers<typeof worldbookCalls>
  source: BlockSource
  /** To be called inside the transaction that writes a fork. */
  onFork(fork: { fromSessionId: string; toSessionId: string; forkMap: ReadonlyMap<string, string> }): void
  /** To be called when sessions are gone for good. */
  onSessionsGone(sessionIds: readonly string[]): void
  /** Builds these books' indexes ahead of the first turn, for example when a session is opened. Never throws. */
  warm(worldbookIds: readonly string[]): void
  /** Ends the threads. */
  close(): Promise<void>
}

/** The whole room: one cache of compiled books and one pair of threads behind the calls and the turns. */
export function createWorldbookRoom(deps: WorldbookRoomDeps): WorldbookRoom {
  const { database, timersOf, emit } = deps
  const scanner = createScanner()
  const files = createBookFiles()
  // a folder of a newer version is only looked at
  if (!database.readonly) {
    giveUpUnfinished(database)
    // What is left of it is not seen, and the next start tries again.
    deleteGone(database, newBreathing()).catch(() => {})
  }
  const compiled = createCompiledBooks(scanner, (worldbookId, building) =>
    emit('worldbook.building', { worldbookId, building }),
  )
  const findSimilar = createFindSimilar(deps.embedder)
  return {
    handlers: worldbookHandlers({ ...deps, scanner, compiled, files, findSimilar }),
    source: createWorldbookSource({
      database,
      timersOf,
      scanner,
      compiled,
      findSimilar,
    }),
    onFork: (fork) => void copyTimers(timersOf(fork.fromSessionId), timersOf(fork.toSessionId), fork),
    onSessionsGone(sessionIds) {
      // A session that is gone tells no more where it was kept.
      for (const kept of new Set([database, ...sessionIds.map(timersOf)])) forgetTimers(kept, sessionIds)
    },
    warm(worldbookIds) {
      // A build that fails here is tried again by the turn, which then says why.
      loadBooks({ database, compiled, scanner }, worldbookIds).catch(() => {})
    },
    async close() {
      await Promise.all([scanner.close(), files.close()])
    },
  }
}
