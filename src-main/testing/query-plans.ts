import type { WriteDatabase } from '../storage/database'

/** Tables that grow with every message, memory or chat: a statement that walks one of them freezes a large folder. */
const LARGE_TABLES = [
  'attachment',
  'memory',
  'memory_history',
  'memory_read_message',
  'memory_use',
  'memory_vec',
  'message',
  'message_attachment',
  'message_blob',
  'sent_source',
  'sent_text',
  'session',
  'turn',
  'turn_record',
  'worldbook_entry',
  'worldbook_timers',
]

/** Statements that walk a large table on purpose, by their beginning, each with its reason. */
const KNOWN_WALKS: readonly { sql: string; why: string }[] = [
  { sql: 'SELECT (SELECT count(*) FROM session WHERE removed_at IS NULL)', why: 'counts a backup, on its own thread' },
  {
    sql: 'SELECT count(*) AS count FROM session WHERE removed_at IS NULL AND arriving = 0 AND EXISTS',
    why: '3 ms over 3,000 chats; a list in a column has no index',
  },
  { sql: 'UPDATE session SET worldbook_ids = (SELECT coalesce', why: 'when a worldbook is deleted; one row per chat' },
  { sql: 'SELECT id FROM session WHERE removed_at IS NULL', why: 'a migration that made the search index' },
  {
    sql: 'INSERT INTO session (id, title, title_source, temporary, topic_prompt, worldbook_ids, isolation, tool_choices, summarise, pinned, archived, created_at, updated_at, message_count, snippet) SELECT DISTINCT',
    why: 'after a rescue, before the app opens',
  },
  { sql: 'UPDATE message SET parent_id = ( SELECT earlier.id', why: 'after a rescue, before the app opens' },
  {
    sql: 'INSERT OR IGNORE INTO index_backlog (seq) SELECT seq FROM message WHERE state',
    why: 'after a rescue, before the app opens',
  },
  { sql: 'SELECT id FROM session', why: 'after a rescue, before the app opens' },
  {
    sql: 'SELECT count(*) AS total, coalesce(sum(NOT EXISTS',
    why: 'how far an embedding is: 20 ms over 100,000 memories, by an index alone',
  },
  {
    sql: 'SELECT id, tool_choices FROM session WHERE instr',
    why: 'once at start, while old permissions are bound to the tools of then',
  },
  { sql: 'SELECT 1 FROM memory LIMIT 1', why: 'stops at the first row' },
]

const plain = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim()

/**
 * The large tables a statement walks from end to end, as the plan puts it; [] for none. A walk along an index that stops
 * at a limit is a page, not a walk. Without statistics, so that it is the same on every machine.
 */
export function walksOf(database: WriteDatabase, sql: string): string[] {
  const text = plain(sql)
  if (KNOWN_WALKS.some((known) => text.startsWith(known.sql))) return []
  const places = [...text.matchAll(/[@:$]([a-z]\w*)/gi)].map((match) => match[1] ?? '')
  const named = Object.fromEntries(places.map((name) => [name, null]))
  const unnamed = Array.from({ length: text.match(/\?/g)?.length ?? 0 }, () => null)
  const explain = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
  const rows = places.length > 0 ? explain.all(named) : explain.all(...unnamed)
  return rows.flatMap(({ detail }) => {
    const table = /^SCAN (\w+)/.exec(detail)?.[1]
    if (table === undefined || !LARGE_TABLES.includes(tableOf(text, table))) return []
    const isPage = /\bLIMIT\b/i.test(text) && (/USING (COVERING )?INDEX/.test(detail) || / NOT INDEXED /.test(text))
    return isPage ? [] : [detail]
  })
}

/** The plan names a table by its alias where the statement gives one. */
const tableOf = (sql: string, name: string): string =>
  new RegExp(`\\b(?:FROM|JOIN) (\\w+) AS ${name}\\b`, 'i').exec(sql)?.[1] ?? name
