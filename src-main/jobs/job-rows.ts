import { AppError } from '../ipc/app-error'
import { asLastError, readSaid } from '../ipc/said-contract'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { Job, JobState } from './contract'

export interface JobRow {
  seq: number
  id: string
  kind: string
  key: string | null
  label: string
  payload: string
  state: JobState
  attempts: number
  max_attempts: number
  next_run_ms: number
  last_error: string | null
  done: number
  total: number
  created_at: string
  updated_at: string
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    state: row.state,
    attempts: row.attempts,
    ...(row.state === 'waiting' ? { nextRunAt: iso(row.next_run_ms) } : {}),
    ...(row.last_error === null ? {} : asLastError(readSaid(row.last_error))),
    done: row.done,
    total: row.total,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** @throws not_found */
export function requireJob(database: ReadDatabase, id: string): JobRow {
  const row = database.prepare<[string], JobRow>('SELECT * FROM job WHERE id = ?').get(id)
  if (!row) throw new AppError('not_found', 'This job does not exist any more. Reload the list of jobs.')
  return row
}

const LISTED = {
  unfinished: "state IN ('queued', 'running', 'waiting')",
  failed: "state = 'failed'",
  all: 'TRUE',
} as const

/** Newest first. */
export function listJobs(database: ReadDatabase, state: keyof typeof LISTED, limit: number): Job[] {
  return database
    .prepare<[number], JobRow>(`SELECT * FROM job WHERE ${LISTED[state]} ORDER BY seq DESC LIMIT ?`)
    .all(limit)
    .map(toJob)
}

export interface JobDraft {
  id: string
  kind: string
  label: string
  payload: unknown
  key?: string | undefined
  delayMs?: number | undefined
  maxAttempts?: number | undefined
}

/** Returns the id of the new row, or of the unfinished one that has the same key. */
export function insertJob(database: WriteDatabase, draft: JobDraft, nowMs: number): { id: string; isNew: boolean } {
  const waiting =
    draft.key === undefined
      ? undefined
      : database
          .prepare<[string, string], { id: string }>(
            "SELECT id FROM job WHERE kind = ? AND key = ? AND state IN ('queued', 'waiting', 'running')",
          )
          .get(draft.kind, draft.key)
  if (waiting) return { id: waiting.id, isNew: false }
  const delay = draft.delayMs ?? 0
  database
    .prepare(
      `INSERT INTO job (id, kind, key, label, payload, state, attempts, max_attempts, next_run_ms, done, total,
         created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, 0, 0, ?, ?)`,
    )
    .run(
      draft.id,
      draft.kind,
      draft.key ?? null,
      draft.label,
      JSON.stringify(draft.payload ?? null),
      delay > 0 ? 'waiting' : 'queued',
      draft.maxAttempts ?? 5,
      nowMs + delay,
      iso(nowMs),
      iso(nowMs),
    )
  return { id: draft.id, isNew: true }
}

/** The next one due of the kinds somebody works on, and when the first later one will be. */
export function nextJob(
  database: ReadDatabase,
  kinds: readonly string[],
  nowMs: number,
): { due?: JobRow; nextAtMs?: number } {
  const row = database
    .prepare<[string], JobRow>(
      `SELECT * FROM job WHERE state IN ('queued', 'waiting') AND kind IN (SELECT value FROM json_each(?))
       ORDER BY next_run_ms, seq LIMIT 1`,
    )
    .get(JSON.stringify(kinds))
  if (!row) return {}
  return row.next_run_ms <= nowMs ? { due: row } : { nextAtMs: row.next_run_ms }
}

export interface JobChange {
  state?: JobState
  attempts?: number
  nextRunMs?: number
  lastError?: string | null
  done?: number
  total?: number
}

const COLUMNS = {
  state: 'state',
  attempts: 'attempts',
  nextRunMs: 'next_run_ms',
  lastError: 'last_error',
  done: 'done',
  total: 'total',
} as const satisfies Record<keyof JobChange, string>

export function changeJob(database: WriteDatabase, id: string, change: JobChange, nowMs: number): void {
  const names = Object.keys(change) as (keyof JobChange)[]
  const sets = names.map((name) => `${COLUMNS[name]} = ?`)
  database
    .prepare(`UPDATE job SET ${[...sets, 'updated_at = ?'].join(', ')} WHERE id = ?`)
    .run(...names.map((name) => change[name]), iso(nowMs), id)
}

/**
 * At start: what ran when the process died is queued again, with the attempt it lost counted. A job that was there at
 * every crash has failed: it does not get to take the app down for ever.
 */
export function requeueRunning(database: WriteDatabase, nowMs: number): string[] {
  return database
    .prepare<[number, string], { id: string }>(
      `UPDATE job SET state = iif(attempts < max_attempts, 'queued', 'failed'), next_run_ms = ?, updated_at = ?,
         last_error = iif(attempts < max_attempts, last_error, 'The app ended while this job ran, at every try.')
       WHERE state = 'running' RETURNING id`,
    )
    .all(nowMs, iso(nowMs))
    .map((row) => row.id)
}

/** Finished jobs are kept for a while to be looked at, then forgotten. */
export function forgetFinished(database: WriteDatabase, beforeIso: string): void {
  database.prepare("DELETE FROM job WHERE state IN ('done', 'cancelled') AND updated_at < ?").run(beforeIso)
}

/** Rows of a key go; the one at work keeps its row without its words until it has ended. */
export function forgetKey(database: WriteDatabase, key: string, running: string | undefined): void {
  database.prepare('DELETE FROM job WHERE key = ? AND id IS NOT ?').run(key, running ?? null)
  database.prepare("UPDATE job SET label = '', last_error = NULL WHERE key = ?").run(key)
}
