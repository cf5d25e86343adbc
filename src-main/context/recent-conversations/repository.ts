import type { ReadDatabase, WriteDatabase } from '../../storage/database'

export interface SummaryRow {
  session_id: string
  text: string
  source: 'model' | 'user'
  user_turns: number
  created_at: string
  updated_at: string
  updated_ms: number
  last_error: string | null
  without_isolated: number
}

/** Newest first, failures without a text included. */
export function allSummaries(database: ReadDatabase): SummaryRow[] {
  return database
    .prepare<[], SummaryRow>('SELECT * FROM conversation_summary ORDER BY updated_ms DESC, session_id')
    .all()
}

export function summaryOf(database: ReadDatabase, sessionId: string): SummaryRow | undefined {
  return database
    .prepare<[string], SummaryRow>('SELECT * FROM conversation_summary WHERE session_id = ?')
    .get(sessionId)
}

export function putSummary(
  database: WriteDatabase,
  summary: { sessionId: string; text: string; source: 'model' | 'user'; userTurns: number; at: string; ms: number },
): SummaryRow {
  database
    .prepare(
      `INSERT INTO conversation_summary VALUES (@sessionId, @text, @source, @userTurns, @at, @at, @ms, NULL, 1)
       ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, source = excluded.source,
         user_turns = excluded.user_turns, updated_at = excluded.updated_at, updated_ms = excluded.updated_ms,
         last_error = NULL, without_isolated = 1`,
    )
    .run(summary)
  const row = summaryOf(database, summary.sessionId)
  if (!row) throw new Error('The summary was not stored.')
  return row
}

/** Keeps the old text and says what went wrong. */
export function putSummaryError(
  database: WriteDatabase,
  failure: { sessionId: string; error: string; at: string; ms: number },
): void {
  database
    .prepare(
      `INSERT INTO conversation_summary VALUES (@sessionId, '', 'model', 0, @at, @at, @ms, @error, 1)
       ON CONFLICT (session_id) DO UPDATE SET last_error = excluded.last_error`,
    )
    .run(failure)
}

export function removeSummaries(database: WriteDatabase, sessionIds: readonly string[]): number {
  const remove = database.prepare('DELETE FROM conversation_summary WHERE session_id = ?')
  return database.transaction(() => sessionIds.reduce((sum, id) => sum + remove.run(id).changes, 0))()
}
