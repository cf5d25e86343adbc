import { z } from 'zod'
import { type CallMap, call } from '../ipc/contract'
import type { Words } from '../ipc/said-contract'

export type JobState = 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

/** One durable piece of background work. */
export interface Job {
  id: string
  /** `title`, `summary`, `profile`, `memory-index`, `memory-extract`, … */
  kind: string
  /** What it is about, for people. */
  label: string
  state: JobState
  attempts: number
  /** When it is tried next, while waiting. */
  nextRunAt?: string
  lastError?: string
  lastErrorWords?: Words
  done: number
  total: number
  createdAt: string
  updatedAt: string
}

/** How a room gives work to the queue. The payload must be JSON and small; the work itself is idempotent. */
export interface JobQueue {
  /** A key makes it unique among unfinished jobs of its kind: adding again returns the one that waits. */
  add(job: {
    kind: string
    label: string
    payload: unknown
    key?: string
    delayMs?: number
    maxAttempts?: number
  }): string
  /** Registered once per kind, at start. Throwing = retry with back-off until maxAttempts (default 5). */
  work(kind: string, run: (payload: unknown, control: JobControl) => Promise<void>): void
  /** Cancels every unfinished job of a kind (or those whose key starts with a prefix). */
  cancelKind(kind: string, keyPrefix?: string): void
  /** What the jobs of this key were about is gone: they are cancelled, and nothing of their words stays. */
  forget(key: string): void
}

export interface JobControl {
  signal: AbortSignal
  progress(done: number, total: number): void
}

export const jobCalls = {
  'jobs.list': call<Job[]>()(
    z.strictObject({
      state: z.enum(['unfinished', 'failed', 'all']).optional(),
      limit: z.number().int().min(1).max(500).optional(),
    }),
  ),
  'jobs.retry': call<Job>()(z.strictObject({ jobId: z.string() })),
  'jobs.cancel': call<Job>()(z.strictObject({ jobId: z.string() })),
} satisfies CallMap

export interface JobEvents {
  'jobs.changed': { ids: string[] }
  'job.progress': { jobId: string; done: number; total: number; state: JobState }
}
