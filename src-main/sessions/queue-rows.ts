import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { storedJson } from '../storage/stored-json'

export interface QueueRow {
  id: string
  sessionId: string
  text: string
  attachmentIds: string[]
  createdAt: string
  /** Why it was not sent when its turn came, as `storedSaid` wrote it. */
  held: string | null
}

interface Row {
  id: string
  session_id: string
  text: string
  attachment_ids: string
  created_at: string
  held: string | null
}

const toQueueRow = (row: Row): QueueRow => ({
  id: row.id,
  sessionId: row.session_id,
  text: row.text,
  attachmentIds: storedJson<string[]>(row.attachment_ids, []),
  createdAt: row.created_at,
  held: row.held,
})

const MOST_QUEUED = 100

/** In the order in which they go out. */
export function listQueue(database: ReadDatabase, sessionId: string): QueueRow[] {
  return database
    .prepare<[string], Row>('SELECT * FROM queued_message WHERE session_id = ? ORDER BY position, seq')
    .all(sessionId)
    .map(toQueueRow)
}

export function findQueued(database: ReadDatabase, id: string): QueueRow | undefined {
  const row = database.prepare<[string], Row>('SELECT * FROM queued_message WHERE id = ?').get(id)
  return row && toQueueRow(row)
}

export const queuedGone = (): AppError =>
  new AppError('not_found', 'This message does not wait any more. It was sent or removed, perhaps in another window.')

/** At the end. @throws conflict when the queue is full */
export function addQueued(database: WriteDatabase, row: Omit<QueueRow, 'held'>): void {
  const { count, last } = database
    .prepare<[string], { count: number; last: number | null }>(
      'SELECT count(*) AS count, max(position) AS last FROM queued_message WHERE session_id = ?',
    )
    .get(row.sessionId) ?? { count: 0, last: null }
  if (count >= MOST_QUEUED) {
    throw new AppError(
      'conflict',
      'This chat has as many waiting messages as it can hold. Send or remove some, then try again.',
    )
  }
  database
    .prepare(
      `INSERT INTO queued_message (id, session_id, position, text, attachment_ids, created_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(row.id, row.sessionId, (last ?? 0) + 1, row.text, JSON.stringify(row.attachmentIds), row.createdAt)
}

/** What is left out stays. A changed message is no longer held: the reason was about the old one. @throws not_found */
export function changeQueued(
  database: WriteDatabase,
  id: string,
  change: { text?: string | undefined; attachments?: readonly string[] | undefined },
): void {
  const row = findQueued(database, id)
  if (!row) throw queuedGone()
  database
    .prepare('UPDATE queued_message SET text = ?, attachment_ids = ?, held = NULL WHERE id = ?')
    .run(change.text ?? row.text, JSON.stringify(change.attachments ?? row.attachmentIds), id)
}

/** True when this call removed it: of two that try, one is told that it was first. */
export function removeQueued(database: WriteDatabase, id: string): boolean {
  return database.prepare('DELETE FROM queued_message WHERE id = ?').run(id).changes > 0
}

/** Before another one, or to the end. @throws not_found */
export function moveQueued(database: WriteDatabase, id: string, before: string | null): void {
  database.transaction(() => {
    const row = findQueued(database, id)
    if (!row) throw queuedGone()
    const others = listQueue(database, row.sessionId).filter((each) => each.id !== id)
    const at = before === null ? others.length : others.findIndex((each) => each.id === before)
    if (at < 0) throw queuedGone()
    const place = database.prepare('UPDATE queued_message SET position = ? WHERE id = ?')
    for (const [index, each] of others.toSpliced(at, 0, row).entries()) place.run(index + 1, each.id)
  })()
}

export function holdQueued(database: WriteDatabase, id: string, why: string | null): boolean {
  return (
    database.prepare('UPDATE queued_message SET held = ? WHERE id = ? AND held IS NOT ?').run(why, id, why).changes > 0
  )
}

/** The whole list as texts, the way `drafts.save` once had it. A text that waits already keeps its place's row. */
export function replaceQueue(
  database: WriteDatabase,
  sessionId: string,
  texts: readonly string[],
  made: { ids: () => string; createdAt: string },
): void {
  database.transaction(() => {
    const left = listQueue(database, sessionId)
    const kept = texts.map((text) => {
      const at = left.findIndex((row) => row.text === text)
      return at < 0 ? undefined : left.splice(at, 1)[0]?.id
    })
    for (const row of left) removeQueued(database, row.id)
    const place = database.prepare('UPDATE queued_message SET position = ? WHERE id = ?')
    for (const [index, text] of texts.entries()) {
      const id = kept[index] ?? made.ids()
      if (kept[index] === undefined)
        addQueued(database, { id, sessionId, text, attachmentIds: [], createdAt: made.createdAt })
      place.run(index + 1, id)
    }
  })()
}
