import type { ReadDatabase } from '../../storage/database'
import type { MemoryHistoryEntry, MemoryKind } from './contract'
import { normalHash } from './normal-text'
import { type HistoryRow, historyEntryOf, type MemoryRow } from './rows'

export type MemoryStatusFilter = 'active' | 'past' | 'archived' | 'all'

/** Conditions on a row at the moment `@now` (ISO 8601 in UTC). `julianday` compares times of any offset. */
export const HOLDS_NOW = `archived = 0 AND superseded_by IS NULL
  AND (valid_until IS NULL OR julianday(valid_until) > julianday(@now))
  AND (valid_from IS NULL OR julianday(valid_from) <= julianday(@now))`

const STATUS: Record<MemoryStatusFilter, string> = {
  active: `archived = 0 AND superseded_by IS NULL AND (valid_until IS NULL OR julianday(valid_until) > julianday(@now))`,
  past: `archived = 0 AND (superseded_by IS NOT NULL OR julianday(valid_until) <= julianday(@now))`,
  archived: 'archived = 1',
  all: '1 = 1',
}

export function findMemory(database: ReadDatabase, id: string): MemoryRow | undefined {
  return database.prepare<[string], MemoryRow>('SELECT * FROM memory WHERE id = ?').get(id)
}

/** Rows of those ids that exist, in no particular order. */
export function findMemories(database: ReadDatabase, ids: readonly string[]): Map<string, MemoryRow> {
  const rows = database
    .prepare<[string], MemoryRow>('SELECT * FROM memory WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The newest memory that holds now and says the same after normalisation. */
export function findEqualText(database: ReadDatabase, text: string, nowIso: string): MemoryRow | undefined {
  return database
    .prepare<[{ hash: string; now: string }], MemoryRow>(
      `SELECT * FROM memory WHERE normal_hash = @hash AND ${HOLDS_NOW} ORDER BY seq DESC LIMIT 1`,
    )
    .get({ hash: normalHash(text), now: nowIso })
}

export interface ListOptions {
  status: MemoryStatusFilter
  query?: string
  kind?: MemoryKind
  limit: number
  /** Sequence number to continue below. */
  before?: number
  nowIso: string
}

/** Newest first, walking down the rows: no index is worth a sort of them. A search reads the words once, for the count and the page together. */
export function listMemories(database: ReadDatabase, options: ListOptions): { rows: MemoryRow[]; total: number } {
  const words = options.query?.trim()
  const where = [STATUS[options.status], ...(options.kind === undefined ? [] : ['kind = @kind'])].join(' AND ')
  const bind = {
    now: options.nowIso,
    before: options.before ?? Number.MAX_SAFE_INTEGER,
    limit: options.limit,
    ...(options.kind === undefined ? {} : { kind: options.kind }),
  }
  if (words) return searchMemories(database, where, { ...bind, query: `%${words.replace(/[\\%_]/g, '\\$&')}%` })
  const total = database
    .prepare<[object], { n: number }>(`SELECT count(*) AS n FROM memory INDEXED BY memory_by_standing WHERE ${where}`)
    .get(bind)
  const rows = database
    .prepare<[object], MemoryRow>(
      `SELECT * FROM memory NOT INDEXED WHERE ${where} AND seq < @before ORDER BY seq DESC LIMIT @limit`,
    )
    .all(bind)
  return { rows, total: total?.n ?? 0 }
}

function searchMemories(
  database: ReadDatabase,
  where: string,
  bind: { query: string; before: number; limit: number },
): { rows: MemoryRow[]; total: number } {
  const found = database
    .prepare<[object], { seq: number }>(
      `SELECT seq FROM memory NOT INDEXED WHERE ${where} AND (text LIKE @query ESCAPE '\\' OR entities LIKE @query ESCAPE '\\') ORDER BY seq DESC`,
    )
    .all(bind)
  const page = found.filter(({ seq }) => seq < bind.before).slice(0, bind.limit)
  const rows = database
    .prepare<[string], MemoryRow>(
      'SELECT * FROM memory WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC',
    )
    .all(JSON.stringify(page.map(({ seq }) => seq)))
  return { rows, total: found.length }
}

/** Everything that holds now, oldest first: what Top K 0 injects. */
export function holdingMemories(database: ReadDatabase, nowIso: string, limit: number): MemoryRow[] {
  return database
    .prepare<[object], MemoryRow>(`SELECT * FROM memory NOT INDEXED WHERE ${HOLDS_NOW} ORDER BY seq LIMIT @limit`)
    .all({ now: nowIso, limit })
}

export interface MemoryCounts {
  total: number
  /** Retrievable at this moment. */
  holding: number
  archived: number
}

export function countMemories(database: ReadDatabase, nowIso: string): MemoryCounts {
  const row = database
    .prepare<[object], MemoryCounts>(
      `SELECT count(*) AS total, coalesce(sum(archived), 0) AS archived, coalesce(sum(${HOLDS_NOW}), 0) AS holding
       FROM memory INDEXED BY memory_by_standing`,
    )
    .get({ now: nowIso })
  return row ?? { total: 0, holding: 0, archived: 0 }
}

export function listHistory(database: ReadDatabase, id: string): MemoryHistoryEntry[] {
  return database
    .prepare<[string], HistoryRow>('SELECT * FROM memory_history WHERE memory_id = ? ORDER BY seq DESC')
    .all(id)
    .map(historyEntryOf)
}

/**
 * Texts beside a memory in its own session, nearest first (previous, next, second previous, second next): a lighter
 * column of the search. Empty for memories that come from no session.
 */
export function neighbourTexts(database: ReadDatabase, row: Pick<MemoryRow, 'session_id' | 'seq'>): string[] {
  if (row.session_id === null) return []
  const side = (comparison: string, order: string) =>
    database
      .prepare<[string, number], { text: string }>(
        `SELECT substr(text, 1, 600) AS text FROM memory WHERE session_id = ? AND seq ${comparison} ? ORDER BY seq ${order} LIMIT 2`,
      )
      .all(row.session_id ?? '', row.seq)
      .map((entry) => entry.text)
  const before = side('<', 'DESC')
  const after = side('>', 'ASC')
  return [before[0] ?? '', after[0] ?? '', before[1] ?? '', after[1] ?? '']
}

/** Ids of the two memories on either side in the same session: their neighbours change with this one. */
export function neighbourIds(database: ReadDatabase, sessionId: string, seq: number): string[] {
  const side = (comparison: string, order: string) =>
    database
      .prepare<[string, number], { id: string }>(
        `SELECT id FROM memory WHERE session_id = ? AND seq ${comparison} ? ORDER BY seq ${order} LIMIT 2`,
      )
      .all(sessionId, seq)
      .map((entry) => entry.id)
  return [...side('<', 'DESC'), ...side('>', 'ASC')]
}
