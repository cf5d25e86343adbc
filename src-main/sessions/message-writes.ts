import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { Message } from './contract'
import {
  appendToSessionLine,
  insertMessageRow,
  type MessagePatch,
  type NewMessage,
  readMessages,
  refreshSessionLine,
  updateMessageRow,
} from './message-rows'
import { indexMessage, indexMessageById, indexSession } from './search/search-index'
import { setTitle } from './session-rows'

export interface MessagePlace {
  session_id: string
  parent_id: string | null
  role: Message['role']
  state: Message['state']
}

export function placeOf(database: ReadDatabase, messageId: string): MessagePlace | undefined {
  return database
    .prepare<[string], MessagePlace>('SELECT session_id, parent_id, role, state FROM message WHERE id = ?')
    .get(messageId)
}

/** Which of these ids messages have. */
export function messagesAmong(database: ReadDatabase, ids: readonly string[]): string[] {
  return database
    .prepare<[string], { id: string }>('SELECT id FROM message WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids))
    .map((row) => row.id)
}

/** @throws not_found */
export function requirePlace(database: ReadDatabase, messageId: string): MessagePlace {
  const place = placeOf(database, messageId)
  if (!place) throw new AppError('not_found', 'This message does not exist any more. Reload the chat.')
  return place
}

const TITLE_LENGTH = 48

/** The first line's first words, cut at a space where there is one. */
export function titleFromText(text: string): string {
  const line =
    text
      .trim()
      .split('\n', 1)[0]
      ?.replaceAll(/\s+/g, ' ')
      .replace(/^[#>*\-\s]+/, '') ?? ''
  const characters = [...line]
  if (characters.length <= TITLE_LENGTH) return line
  const cut = characters.slice(0, TITLE_LENGTH).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > TITLE_LENGTH / 2 ? cut.slice(0, space) : cut}…`
}

function unselectSiblings(database: WriteDatabase, sessionId: string, parentId: string | null): void {
  if (parentId === null) {
    database
      .prepare('UPDATE message SET selected = 0 WHERE session_id = ? AND parent_id IS NULL AND selected = 1')
      .run(sessionId)
    return
  }
  database.prepare('UPDATE message SET selected = 0 WHERE parent_id = ? AND selected = 1').run(parentId)
}

export type StampedMessage = NewMessage & { id: string; createdAt: string }

/** Inserts a message and makes it the visible one of its siblings. @throws not_found, bad_input for a foreign parent */
export function writeMessage(database: WriteDatabase, row: StampedMessage): void {
  database.transaction(() => {
    const session = database
      .prepare<[string], { title: string; title_source: string; removed_at: string | null; isolated: number }>(
        `SELECT title, title_source, removed_at, isolation = 1 AND json_array_length(worldbook_ids) > 0 AS isolated
         FROM session WHERE id = ?`,
      )
      .get(row.sessionId)
    if (!session) throw new AppError('not_found', 'This chat does not exist any more. Reload the list of chats.')
    if (row.parentId !== null && requirePlace(database, row.parentId).session_id !== row.sessionId) {
      throw new AppError('bad_input', 'The message above belongs to another chat.')
    }
    unselectSiblings(database, row.sessionId, row.parentId)
    const isolated = row.isolated === true || session.isolated === 1
    const seq = insertMessageRow(database, { ...row, selected: true, isolated })
    const ended = (row.state ?? 'complete') !== 'streaming'
    if (ended && session.removed_at === null) indexMessage(database, seq, row.text)
    appendToSessionLine(database, row.sessionId, row.text, row.createdAt)
    if (row.role === 'user' && session.title === '' && session.title_source === 'auto') {
      const title = titleFromText(row.text)
      if (title !== '' && setTitle(database, row.sessionId, title, 'auto') && session.removed_at === null)
        indexSession(database, row.sessionId)
    }
  })()
}

/** @throws not_found */
export function patchMessage(database: WriteDatabase, id: string, patch: MessagePatch): MessagePlace {
  const before = requirePlace(database, id)
  const state = patch.state ?? before.state
  const settled = state !== 'streaming' && (before.state === 'streaming' || patch.text !== undefined || patch.parts)
  if (!settled) {
    updateMessageRow(database, id, patch)
    return before
  }
  database.transaction(() => {
    if (patch.text === undefined && !patch.parts) foldPieces(database, [id])
    updateMessageRow(database, id, patch)
    refreshSessionLine(database, before.session_id)
    const binned = database
      .prepare('SELECT 1 FROM session WHERE id = ? AND removed_at IS NOT NULL')
      .get(before.session_id)
    if (!binned) indexMessageById(database, id)
  })()
  return before
}

/** Shows a message: it and everything above it become the visible ones. */
export function selectPath(database: WriteDatabase, path: readonly { id: string; selected: boolean }[]): void {
  database.transaction(() => {
    for (const node of path) {
      if (node.selected) continue
      const place = requirePlace(database, node.id)
      unselectSiblings(database, place.session_id, place.parent_id)
      database.prepare('UPDATE message SET selected = 1 WHERE id = ?').run(node.id)
    }
  })()
}

/** Deletes a message and everything below it; a neighbour takes its place in view. */
export function removeSubtree(
  database: WriteDatabase,
  root: { id: string; sessionId: string },
  heir: string | undefined,
): void {
  database.transaction(() => {
    // a trigger deletes what the index holds of them
    database
      .prepare(
        `WITH RECURSIVE below (id) AS (
           SELECT ? UNION ALL SELECT message.id FROM message JOIN below ON message.parent_id = below.id)
         DELETE FROM message WHERE id IN (SELECT id FROM below)`,
      )
      .run(root.id)
    if (heir !== undefined) database.prepare('UPDATE message SET selected = 1 WHERE id = ?').run(heir)
    refreshSessionLine(database, root.sessionId)
  })()
}

/** What was being written when the process died. */
export function streamingMessages(database: ReadDatabase): { id: string; sessionId: string }[] {
  return database
    .prepare<[], { id: string; sessionId: string }>(
      "SELECT id, session_id AS sessionId FROM message WHERE state = 'streaming'",
    )
    .all()
}

/** Row and pieces become one again. */
export function foldPieces(database: WriteDatabase, ids: readonly string[]): void {
  const pieced = database
    .prepare<[string], { id: string }>(
      'SELECT DISTINCT message_id AS id FROM answer_piece WHERE message_id IN (SELECT value FROM json_each(?))',
    )
    .all(JSON.stringify(ids))
  for (const { parts, id } of readMessages(
    database,
    pieced.map((row) => row.id),
  ))
    updateMessageRow(database, id, { parts })
}

/** They keep their text and say so. */
export function interruptMessages(database: WriteDatabase, rows: readonly { id: string; sessionId: string }[]): void {
  database.transaction(() => {
    const ids = rows.map((row) => row.id)
    foldPieces(database, ids)
    const interrupt = database.prepare("UPDATE message SET state = 'interrupted' WHERE id = ? AND state = 'streaming'")
    for (const row of rows) {
      if (interrupt.run(row.id).changes === 0) continue
      indexMessageById(database, row.id)
      refreshSessionLine(database, row.sessionId)
    }
  })()
}
