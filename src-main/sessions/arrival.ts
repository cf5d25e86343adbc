import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { Session } from './contract'
import { insertMessageRow, refreshSessionLine } from './message-rows'
import type { StampedMessage } from './message-writes'
import { reindexSession } from './search/search-index'
import { insertSession, insertSessionRow, type NewSession, requireSession } from './session-rows'

/** Parents before their children; among siblings at most one selected (the newest is shown where none is). */
export interface WholeSession {
  session: NewSession
  messages: Iterable<StampedMessage & { selected: boolean }>
}

/** Messages written, copied or deleted at a stretch: some milliseconds. */
export const ARRIVAL_STEP = 100

/**
 * Writes a session with all its messages: ids and times are the caller's. A short one is one transaction. A long one
 * takes many, with a pause after each, and stays hidden until the last: readers see all of it or nothing.
 */
export function* writeSession(database: WriteDatabase, { session, messages }: WholeSession): Generator<void, Session> {
  const batches = inBatches(messages)
  const first = batches.next().value ?? []
  const second = batches.next()
  const write = (batch: readonly (StampedMessage & { selected: boolean })[]) => {
    for (const message of batch) insertMessageRow(database, message)
  }
  if (second.done) {
    return database.transaction(() => {
      insertSession(database, session)
      write(first)
      return finish(database, session)
    })()
  }
  beginArrival(database, session)
  for (const batch of [first, second.value]) {
    database.transaction(write)(batch)
    yield
  }
  for (const batch of batches) {
    database.transaction(write)(batch)
    yield
  }
  return endArrival(database, session)
}

function* inBatches<T>(items: Iterable<T>): Generator<T[], undefined> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < ARRIVAL_STEP) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Puts a session there that nobody sees yet. */
export function beginArrival(database: WriteDatabase, { removedAt: _bin, ...session }: NewSession): void {
  database.transaction(() => {
    insertSessionRow(database, session)
    database.prepare('UPDATE session SET arriving = 1 WHERE id = ?').run(session.id)
  })()
}

/** Shows it, whole. `also` runs in the same transaction. */
export function endArrival(database: WriteDatabase, session: NewSession, also?: () => void): Session {
  return database.transaction(() => {
    database
      .prepare('UPDATE session SET arriving = 0, removed_at = ? WHERE id = ?')
      .run(session.removedAt ?? null, session.id)
    also?.()
    return finish(database, session)
  })()
}

function finish(database: WriteDatabase, session: NewSession): Session {
  refreshSessionLine(database, session.id)
  if (session.removedAt === undefined) reindexSession(database, session.id)
  return requireSession(database, session.id)
}

/** Sessions whose writing ended before they were whole. */
export function unfinishedArrivals(database: ReadDatabase): string[] {
  const rows = database.prepare<[], { id: string }>('SELECT id FROM session WHERE arriving = 1').all()
  return rows.map((row) => row.id)
}

export const chatChanged = (): AppError =>
  new AppError('conflict', 'The chat changed while it was being copied. Nothing was kept of the copy; fork it again.')
