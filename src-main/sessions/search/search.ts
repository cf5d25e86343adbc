import type { ReadDatabase } from '../../storage/database'
import type { SearchHit } from '../contract'
import { SESSION_FIELDS } from './search-index'
import { parseQuery, type SearchQuery } from './search-tokens'
import { makeSnippet, termRanges } from './snippet'

export interface SearchOptions {
  query: string
  limit?: number | undefined
  cursor?: string | undefined
  folderId?: string | null | undefined
  tagId?: string | undefined
  modelId?: string | undefined
  after?: string | undefined
  before?: string | undefined
  sessionId?: string | undefined
}

/** Global prompts belong to another room and are few: they are read when somebody searches. */
export interface SearchablePrompt {
  id: string
  name: string
  text: string
  updatedAt: string
}

export interface SearchPage {
  hits: SearchHit[]
  nextCursor: string | null
  total: number
}

interface Filter {
  sql: string
  bind: string[]
}

/** Conditions on the tables `session` (always) and `message` (when the hit is one). */
function filterOf(options: SearchOptions, timeColumn: string, modelSql: string): Filter {
  const filter: Filter = { sql: '', bind: [] }
  const add = (sql: string, ...bind: string[]) => {
    filter.sql += ` AND ${sql}`
    filter.bind.push(...bind)
  }
  if (options.sessionId !== undefined) add('session.id = ?', options.sessionId)
  if (options.folderId === null) add('session.folder_id IS NULL')
  else if (options.folderId !== undefined) add(`session.folder_id IN (${FOLDERS_BELOW})`, options.folderId)
  if (options.tagId !== undefined) {
    add('session.id IN (SELECT session_id FROM session_tag WHERE tag_id = ?)', options.tagId)
  }
  if (options.modelId !== undefined) add(`${modelSql} = ?`, options.modelId)
  if (options.after !== undefined) add(`${timeColumn} >= ?`, utc(options.after))
  if (options.before !== undefined) add(`${timeColumn} < ?`, utc(options.before))
  return filter
}

/** A folder's own id and those of every folder inside it. */
export const FOLDERS_BELOW = `WITH RECURSIVE inside (id) AS (
  SELECT ? UNION SELECT folder.id FROM folder JOIN inside ON folder.parent_id = inside.id) SELECT id FROM inside`

/** Stored times are UTC; a date alone means its first moment. */
function utc(time: string): string {
  const parsed = Date.parse(time)
  return Number.isNaN(parsed) ? time : new Date(parsed).toISOString()
}

interface SessionHitRow {
  row: number
  id: string
  title: string
  topic_prompt: string
  enhanced_prompt: string | null
  created_at: string
}

function sessionHits(database: ReadDatabase, query: SearchQuery, options: SearchOptions): SearchHit[] {
  const filter = filterOf(options, 'session.updated_at', 'session.model_id')
  const rows = database
    .prepare<string[], SessionHitRow>(
      `SELECT session_index.rowid AS row, session.id, title, topic_prompt, enhanced_prompt, created_at
       FROM session_index JOIN session ON session.seq = session_index.rowid / 4
       WHERE session_index MATCH ? ${filter.sql}
       ORDER BY session_index.rowid % 4, session.updated_at DESC, session.seq DESC`,
    )
    .all(query.match, ...filter.bind)
  return rows.map((row) => {
    const field = SESSION_FIELDS[row.row % 4] ?? 'title'
    const text = row[field] ?? ''
    return {
      sessionId: row.id,
      field,
      title: row.title,
      ...makeSnippet(text, query.terms),
      createdAt: row.created_at,
    }
  })
}

function promptHits(prompts: readonly SearchablePrompt[], query: SearchQuery, options: SearchOptions): SearchHit[] {
  const filtered = [options.folderId, options.tagId, options.modelId, options.sessionId].some((f) => f !== undefined)
  if (filtered) return []
  return prompts.flatMap((prompt) => {
    const text = `${prompt.name}\n${prompt.text}`
    const inTime =
      (options.after === undefined || utc(prompt.updatedAt) >= utc(options.after)) &&
      (options.before === undefined || utc(prompt.updatedAt) < utc(options.before))
    if (!inTime || !query.terms.every((term) => termRanges(text, [term]).length > 0)) return []
    return {
      sessionId: '',
      promptId: prompt.id,
      field: 'global_prompt' as const,
      title: prompt.name,
      ...makeSnippet(text, query.terms),
      createdAt: prompt.updatedAt,
    }
  })
}

interface MessageHitRow {
  id: string
  session_id: string
  title: string
  text: string
  created_at: string
}

const needsTables = (filter: Filter): boolean => filter.sql !== ''

/** Without filters the index alone counts: what lies in the bin is not in it. */
function countMessages(database: ReadDatabase, query: SearchQuery, filter: Filter): number {
  const joins = needsTables(filter)
    ? `JOIN message ON message.seq = message_index.rowid JOIN session ON session.id = message.session_id`
    : ''
  const row = database
    .prepare<string[], { total: number }>(
      `SELECT count(*) AS total FROM message_index ${joins} WHERE message_index MATCH ? ${filter.sql}`,
    )
    .get(query.match, ...filter.bind)
  return row?.total ?? 0
}

function messageHits(
  database: ReadDatabase,
  query: SearchQuery,
  filter: Filter,
  page: { limit: number; offset: number },
): SearchHit[] {
  const rows = database
    .prepare<(string | number)[], MessageHitRow>(
      `SELECT message.id, message.session_id, session.title, message.text, message.created_at
       FROM message_index JOIN message ON message.seq = message_index.rowid
         JOIN session ON session.id = message.session_id
       WHERE message_index MATCH ? ${filter.sql} ORDER BY message_index.rowid DESC LIMIT ? OFFSET ?`,
    )
    .all(query.match, ...filter.bind, page.limit, page.offset)
  return rows.map((row) => ({
    sessionId: row.session_id,
    messageId: row.id,
    field: 'message' as const,
    title: row.title,
    ...makeSnippet(row.text, query.terms),
    createdAt: row.created_at,
  }))
}

/** Ids of one session's messages, every version, oldest first. */
export function findMessages(database: ReadDatabase, sessionId: string, words: string): string[] {
  const query = parseQuery(words)
  if (!query) return []
  return database
    .prepare<[string, string], { id: string }>(
      `SELECT message.id FROM message_index JOIN message ON message.seq = message_index.rowid
       WHERE message_index MATCH ? AND message.session_id = ? ORDER BY message.seq`,
    )
    .all(query.match, sessionId)
    .map((row) => row.id)
}

/**
 * Titles first, then topic, enhanced and global prompts, then messages (every version), newest first.
 * Every term must occur in the same text. An empty query finds nothing.
 */
export function search(
  database: ReadDatabase,
  options: SearchOptions,
  prompts: readonly SearchablePrompt[] = [],
): SearchPage {
  const query = parseQuery(options.query)
  if (!query) return { hits: [], nextCursor: null, total: 0 }
  const limit = options.limit ?? 50
  const offset = Math.max(0, Number.parseInt(options.cursor ?? '0', 10) || 0)
  const filter = filterOf(options, 'message.created_at', 'ifnull(message.model_id, session.model_id)')
  const first = [...sessionHits(database, query, options), ...promptHits(prompts, query, options)]
  const total = first.length + countMessages(database, query, filter)
  const fromFirst = first.slice(offset, offset + limit)
  const rest = limit - fromFirst.length
  const hits =
    rest > 0
      ? [
          ...fromFirst,
          ...messageHits(database, query, filter, { limit: rest, offset: Math.max(0, offset - first.length) }),
        ]
      : fromFirst
  const next = offset + hits.length
  return { hits, nextCursor: hits.length > 0 && next < total ? String(next) : null, total }
}
