import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { Session } from './contract'
import { insertMessageRow, messageInserter, refreshSessionLine } from './message-rows'
import type { StampedMessage } from './message-writes'
import { indexQueue, indexSession, reindexSession } from './search/search-index'
import { insertSession, insertSessionRow, type NewSession, requireSession } from './session-rows'

type ArrivingMessage = StampedMessage & { selected: boolean }

/** Parents before their children; among siblings at most one selected (the newest is shown where none is). */
export interface WholeSession {
  session: NewSession
  messages: Iterable<ArrivingMessage> | AsyncIterable<ArrivingMessage>
}

/** Messages written, copied or deleted at a stretch: some milliseconds. */
export const ARRIVAL_STEP = 100
/** UTF-16 units written at a stretch; one long message may be more. */
const STEP_LENGTH = 200_000

/**
 * Writes a session with all its messages: ids and times are the caller's. A short one is one transaction. A long one
 * takes many, with a pause after each, and stays hidden until the last: readers see all of it or nothing.
 */
export async function* writeSession(
  database: WriteDatabase,
  { session, messages }: WholeSession,
): AsyncGenerator<void, Session> {
  const batches = inBatches(messages)
  const first = await batches.next()
  const second = first.done ? first : await batches.next()
  if (second.done) {
    return database.transaction(() => {
      insertSession(database, session)
      for (const message of first.value ?? []) insertMessageRow(database, message)
      return finish(database, session)
    })()
  }
  const isFound = session.removedAt === undefined
  const insert = messageInserter(database)
  const queue = indexQueue(database)
  const write = database.transaction((batch: readonly ArrivingMessage[]) => {
    for (const message of batch) {
      const seq = insert(message)
      // found a little later: at the end there would be too many to queue at once
      if (isFound) queue(seq)
    }
  })
  beginArrival(database, session)
  for (const batch of [first.value ?? [], second.value]) {
    write(batch)
    yield
  }
  for await (const batch of batches) {
    write(batch)
    yield
  }
  return endArrival(database, session, { isQueued: true })
}

async function* inBatches(items: WholeSession['messages']): AsyncGenerator<ArrivingMessage[], undefined> {
  let batch: ArrivingMessage[] = []
  let length = 0
  for await (const item of items) {
    batch.push(item)
    length += item.text.length
    if (batch.length < ARRIVAL_STEP && length < STEP_LENGTH) continue
    yield batch
    batch = []
    length = 0
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

interface ArrivalEnd {
  /** Runs in the same transaction. */
  also?: () => void
  /** Its messages wait for the index already. */
  isQueued?: boolean
}

/** Shows it, whole. */
export function endArrival(database: WriteDatabase, session: NewSession, end: ArrivalEnd = {}): Session {
  return database.transaction(() => {
    database
      .prepare('UPDATE session SET arriving = 0, removed_at = ? WHERE id = ?')
      .run(session.removedAt ?? null, session.id)
    end.also?.()
    return finish(database, session, end.isQueued)
  })()
}

function finish(database: WriteDatabase, session: NewSession, isQueued = false): Session {
  refreshSessionLine(database, session.id)
  if (session.removedAt === undefined) {
    if (isQueued) indexSession(database, session.id)
    else reindexSession(database, session.id)
  }
  return requireSession(database, session.id)
}

/** Sessions whose writing ended before they were whole. */
export function unfinishedArrivals(database: ReadDatabase): string[] {
  const rows = database.prepare<[], { id: string }>('SELECT id FROM session WHERE arriving = 1').all()
  return rows.map((row) => row.id)
}

export const chatChanged = (): AppError =>
  new AppError('conflict', 'The chat changed while it was being copied. Nothing was kept of the copy; fork it again.')
