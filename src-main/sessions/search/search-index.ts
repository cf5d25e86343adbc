import type { WriteDatabase } from '../../storage/database'
import { indexTokens } from './search-tokens'

/** Fields of a session in the index; the number is part of the row id and never changes. */
export const SESSION_FIELDS = ['title', 'topic_prompt', 'enhanced_prompt'] as const

interface SessionTexts {
  seq: number
  title: string
  topic_prompt: string
  enhanced_prompt: string | null
}

/** Puts a session's title and prompts into the index, in place of what stood there. */
export function indexSession(database: WriteDatabase, sessionId: string): void {
  const row = database
    .prepare<[string], SessionTexts>('SELECT seq, title, topic_prompt, enhanced_prompt FROM session WHERE id = ?')
    .get(sessionId)
  if (!row) return
  removeSessionRows(database, row.seq)
  const insert = database.prepare('INSERT INTO session_index (rowid, tokens) VALUES (?, ?)')
  SESSION_FIELDS.forEach((field, number) => {
    const text = row[field]
    if (text) insert.run(row.seq * 4 + number, indexTokens(text))
  })
}

function removeSessionRows(database: WriteDatabase, seq: number): void {
  database.prepare('DELETE FROM session_index WHERE rowid BETWEEN ? AND ?').run(seq * 4, seq * 4 + 3)
}

/** UTF-16 units: a longer text is indexed in the background. */
const LONG_TEXT = 20_000
/** Messages: a longer session is indexed in the background. */
const LONG_SESSION = 200
/** Messages indexed at a time in the background, and UTF-16 units: some milliseconds. */
const STEP = 40
const STEP_LENGTH = 40_000

/** An answer that still streams is not in the index: it comes in when it ends. */
export function indexMessage(database: WriteDatabase, seq: number, text: string): void {
  if (text.length <= LONG_TEXT) indexNow(database, seq, text)
  else indexQueue(database)(seq)
}

/** Puts messages on the list of what is indexed in the background. */
export function indexQueue(database: WriteDatabase): (seq: number) => void {
  const insert = database.prepare('INSERT OR IGNORE INTO index_backlog (seq) VALUES (?)')
  return (seq) => insert.run(seq)
}

function indexNow(database: WriteDatabase, seq: number, text: string): void {
  messageIndexer(database)(seq, text)
}

/** For many: to make the statements ready takes longer than to run them. */
function messageIndexer(database: WriteDatabase): (seq: number, text: string) => void {
  const remove = database.prepare('DELETE FROM message_index WHERE rowid = ?')
  const insert = database.prepare('INSERT INTO message_index (rowid, tokens) VALUES (?, ?)')
  return (seq, text) => {
    remove.run(seq)
    if (text !== '') insert.run(seq, indexTokens(text))
  }
}

export function indexMessageById(database: WriteDatabase, id: string): void {
  const row = database
    .prepare<[string], { seq: number; text: string }>('SELECT seq, text FROM message WHERE id = ?')
    .get(id)
  if (row) indexMessage(database, row.seq, row.text)
}

/** A session in the bin is not found any more. */
export function unindexSession(database: WriteDatabase, sessionId: string): void {
  const row = database.prepare<[string], { seq: number }>('SELECT seq FROM session WHERE id = ?').get(sessionId)
  if (!row) return
  removeSessionRows(database, row.seq)
  database
    .prepare('DELETE FROM message_index WHERE rowid IN (SELECT seq FROM message WHERE session_id = ?)')
    .run(sessionId)
}

/** Back from the bin, or after an import: everything of the session is found again, large ones a little later. */
export function reindexSession(database: WriteDatabase, sessionId: string): void {
  const count = database
    .prepare<[string], { count: number }>('SELECT count(*) AS count FROM message WHERE session_id = ?')
    .get(sessionId)
  if ((count?.count ?? 0) <= LONG_SESSION) {
    indexWholeSession(database, sessionId)
    return
  }
  indexSession(database, sessionId)
  database
    .prepare(
      `INSERT OR IGNORE INTO index_backlog (seq)
       SELECT seq FROM message WHERE session_id = ? AND state <> 'streaming'`,
    )
    .run(sessionId)
}

export function indexWholeSession(database: WriteDatabase, sessionId: string): void {
  indexSession(database, sessionId)
  const rows = database
    .prepare<[string], { seq: number; text: string }>(
      "SELECT seq, text FROM message WHERE session_id = ? AND state <> 'streaming'",
    )
    .all(sessionId)
  const index = messageIndexer(database)
  for (const row of rows) index(row.seq, row.text)
}

interface WaitingRow {
  seq: number
  text: string
  binned: number
  arriving: number
}

/**
 * Indexes what waits, oldest first (the index takes growing numbers best), some messages a step. What went into the bin
 * meanwhile is only forgotten. It stops before a session that is still being written, whose end calls it again.
 */
export function* indexBacklog(database: WriteDatabase): Generator<void> {
  const next = database.prepare<[number], WaitingRow>(
    `SELECT message.seq, message.text, session.removed_at IS NOT NULL AS binned, session.arriving
     FROM index_backlog JOIN message ON message.seq = index_backlog.seq JOIN session ON session.id = session_id
     ORDER BY index_backlog.seq LIMIT ?`,
  )
  const done = database.prepare('DELETE FROM index_backlog WHERE seq = ?')
  const index = messageIndexer(database)
  const write = database.transaction((rows: readonly WaitingRow[]) => {
    let length = 0
    for (const row of rows) {
      if (row.arriving === 1) return false
      if (row.binned === 0) index(row.seq, row.text)
      done.run(row.seq)
      length += row.text.length
      if (length > STEP_LENGTH) return true
    }
    return rows.length > 0
  })
  while (write(next.all(STEP))) yield
}

const MERGED_PAGES = 50

/**
 * After a purge: rewrites the index piece by piece, so that deleted words leave the file and not only the results. Each
 * step of the generator takes some milliseconds.
 */
export function* compactIndex(database: WriteDatabase): Generator<void> {
  for (const table of ['message_index', 'session_index']) {
    const merge = database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`)
    const changes = database.prepare<[], { total: number }>('SELECT total_changes() AS total')
    // a negative number begins a merge of everything; positive ones go on with it until nothing is left to do
    for (let pages = -MERGED_PAGES, working = true; working; pages = MERGED_PAGES) {
      const before = changes.get()?.total ?? 0
      merge.run(pages)
      working = (changes.get()?.total ?? 0) - before >= 2
      yield
    }
  }
}
