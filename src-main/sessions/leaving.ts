import BetterSqlite3 from 'better-sqlite3'
import type { WriteDatabase } from '../storage/database'
import { ARRIVAL_STEP, beginArrival } from './arrival'
import { filesOfMessages, type NamedFiles } from './attachments/attachment-rows'
import { refreshSessionLine } from './message-rows'

/** Messages deleted within the call that asks for it; more go piece by piece behind a row nobody sees. */
export const SMALL_DEPARTURE = 200

/** Hides chats at once, bin or not: from here on they only wait to be deleted. Returns those that were there. */
export function hideSessions(database: WriteDatabase, ids: readonly string[]): string[] {
  return database.transaction(() => {
    const hide = database.prepare('UPDATE session SET arriving = 1, removed_at = NULL WHERE id = ? AND arriving = 0')
    return ids.filter((id) => hide.run(id).changes > 0)
  })()
}

/**
 * Takes a message and everything below it out of its chat by moving the one message into a hidden chat: what is below is
 * no longer reached from a root. Its neighbour takes its place in view.
 */
export function detachSubtree(
  database: WriteDatabase,
  root: { id: string; sessionId: string },
  to: { hiddenId: string; createdAt: string; heir: string | undefined },
): void {
  database.transaction(() => {
    beginArrival(database, { id: to.hiddenId, title: '', createdAt: to.createdAt })
    database
      .prepare('UPDATE message SET session_id = ?, parent_id = NULL, selected = 1 WHERE id = ?')
      .run(to.hiddenId, root.id)
    if (to.heir !== undefined) database.prepare('UPDATE message SET selected = 1 WHERE id = ?').run(to.heir)
    refreshSessionLine(database, root.sessionId)
  })()
}

/** Every message of a hidden chat and below those, wherever it is, newest first. */
function waitingIn(database: WriteDatabase, hiddenId: string): string[] {
  const rows = database
    .prepare<[string], { id: string }>(
      `WITH RECURSIVE waiting (id, seq) AS (
         SELECT id, seq FROM message WHERE session_id = ?
         UNION SELECT message.id, message.seq FROM message JOIN waiting ON message.parent_id = waiting.id)
       SELECT id FROM waiting ORDER BY seq DESC`,
    )
    .all(hiddenId)
  return rows.map((row) => row.id)
}

/** One piece of a departure, gone: the rooms that keep something about these messages let it go too. */
export type DepartedPiece = (messageIds: string[], named: NamedFiles) => void

/**
 * Deletes what a hidden chat holds, last messages first, some milliseconds a step, then the chat itself. An end in the
 * middle leaves the rest hidden, and the next start goes on.
 */
export function* removeHidden(database: WriteDatabase, hiddenId: string, gone: DepartedPiece): Generator<void> {
  const remove = database.prepare('DELETE FROM message WHERE id IN (SELECT value FROM json_each(?))')
  // a message may be written below one of them meanwhile: then once more, from the new end
  for (let waiting = waitingIn(database, hiddenId); waiting.length > 0; waiting = waitingIn(database, hiddenId)) {
    for (let at = 0; at < waiting.length; at += ARRIVAL_STEP) {
      const piece = waiting.slice(at, at + ARRIVAL_STEP)
      const named = filesOfMessages(database, piece)
      if (!isDeleted(() => remove.run(JSON.stringify(piece)))) break
      gone(piece, named)
      yield
    }
  }
  database.prepare('DELETE FROM session WHERE id = ? AND arriving = 1').run(hiddenId)
}

/** False when a newer message hangs below one of these. */
function isDeleted(remove: () => unknown): boolean {
  try {
    remove()
    return true
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return false
    throw error
  }
}
