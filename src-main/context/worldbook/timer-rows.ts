import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import { NO_TIMERS, readTimers } from './engine/timers'
import type { Timers } from './trace-contract'

interface TimerRow {
  message_id: string
  timers: string
}

/**
 * The timers as the turn before this branch left them: those of the newest message of the branch that has any. Answers
 * keep their own, so a swipe, a fork or a deletion finds the state that belongs to what is visible.
 */
export function readBranchTimers(database: ReadDatabase, sessionId: string, branchIds: readonly string[]): Timers {
  const sql = 'SELECT message_id, timers FROM worldbook_timers WHERE session_id = ?'
  const rows = database.prepare<[string], TimerRow>(sql).all(sessionId)
  if (rows.length === 0) return NO_TIMERS
  const byMessage = new Map(rows.map((row) => [row.message_id, row.timers]))
  const messageId = branchIds.findLast((id) => byMessage.has(id))
  return messageId === undefined ? NO_TIMERS : readTimers(JSON.parse(byMessage.get(messageId) ?? 'null'))
}

/** Keeps what a sent turn left. Without effects before and after there is nothing to keep. */
export function writeTimers(
  database: WriteDatabase,
  turn: { sessionId: string; messageId: string; before: Timers; after: Timers },
): void {
  const { sessionId, messageId, before, after } = turn
  if (before.effects.length === 0 && after.effects.length === 0) {
    database.prepare('DELETE FROM worldbook_timers WHERE session_id = ? AND message_id = ?').run(sessionId, messageId)
    return
  }
  database
    .prepare(
      `INSERT INTO worldbook_timers (session_id, message_id, timers) VALUES (?, ?, ?)
       ON CONFLICT (session_id, message_id) DO UPDATE SET timers = excluded.timers`,
    )
    .run(sessionId, messageId, JSON.stringify(after))
}

/** Takes the timers of a branch into its fork, which may be kept elsewhere; call it where the fork is written. */
export function copyTimers(
  from: ReadDatabase,
  to: WriteDatabase,
  fork: { fromSessionId: string; toSessionId: string; forkMap: ReadonlyMap<string, string> },
): number {
  const rows = from
    .prepare<[string], TimerRow>('SELECT message_id, timers FROM worldbook_timers WHERE session_id = ?')
    .all(fork.fromSessionId)
  const insert = to.prepare('INSERT INTO worldbook_timers (session_id, message_id, timers) VALUES (?, ?, ?)')
  let copied = 0
  for (const row of rows) {
    const messageId = fork.forkMap.get(row.message_id)
    if (messageId === undefined) continue
    insert.run(fork.toSessionId, messageId, row.timers)
    copied += 1
  }
  return copied
}

/** For sessions that are gone for good. */
export function forgetTimers(database: WriteDatabase, sessionIds: readonly string[]): number {
  const remove = database.prepare('DELETE FROM worldbook_timers WHERE session_id = ?')
  return sessionIds.reduce((sum, id) => sum + remove.run(id).changes, 0)
}
