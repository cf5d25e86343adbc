import type { Emit } from '../app-contract'
import { AppError, saidBy } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import { storedSaid } from '../ipc/said-contract'
import type { WriteDatabase } from '../storage/database'
import { SOUND_STORAGE, type StorageHealth } from '../storage/health'
import type { Job, JobControl, JobQueue, jobCalls } from './contract'
import {
  changeJob,
  forgetFinished,
  forgetKey,
  insertJob,
  type JobChange,
  type JobRow,
  listJobs,
  nextJob,
  requeueRunning,
  requireJob,
  toJob,
} from './job-rows'

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 30 * 60_000
const LONGEST_TIMER_MS = 2 ** 31 - 1
const KEPT_MS = 7 * 86_400_000
/** Progress is written and told at most this often. */
const PROGRESS_EVERY_MS = 250

export interface JobQueueOptions {
  database: WriteDatabase
  ids: () => string
  /** Milliseconds since 1970. */
  now: () => number
  emit: Emit
  /** 0–1: spreads retries so that they do not come together. */
  random?: () => number
  /** Absent: the disk is never full, as in memory. */
  storage?: Pick<StorageHealth, 'troubled' | 'note' | 'keep' | 'whenWell'>
  onFailure?: (job: Job, error: unknown) => void
  /** Something in the queue itself failed. */
  onBug?: (error: unknown) => void
}

export interface RunningQueue extends JobQueue {
  /** Work begins: after every room registered its kinds. */
  start(): void
  /** Aborts what runs (it is queued again at the next start) and resolves when it has ended. */
  close(): Promise<void>
  /** Resolves when nothing is running and nothing is due. */
  idle(): Promise<void>
  handlers: Handlers<typeof jobCalls>
}

type Work = (payload: unknown, control: JobControl) => Promise<void>

/** Milliseconds before the next try: doubled each time, with up to a fifth more at random. */
export function retryDelay(attempts: number, random: () => number): number {
  const base = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1))
  return Math.round(base * (1 + random() * 0.2))
}

class DurableQueue implements RunningQueue {
  readonly #options: JobQueueOptions
  readonly #works = new Map<string, Work>()
  readonly handlers: Handlers<typeof jobCalls>
  readonly #storage: NonNullable<JobQueueOptions['storage']>
  /** How often the disk alone made a job fail, by its id. */
  readonly #refused = new Map<string, number>()
  #current: { id: string; abort: AbortController; ended: Promise<void> } | undefined
  #timer: NodeJS.Timeout | undefined
  #state: 'new' | 'working' | 'closed' = 'new'

  constructor(options: JobQueueOptions) {
    this.#options = options
    this.#storage = options.storage ?? SOUND_STORAGE
    this.#storage.whenWell(() => this.#wake())
    this.handlers = {
      'jobs.list': ({ state, limit }) => listJobs(options.database, state ?? 'all', limit ?? 100),
      'jobs.retry': ({ jobId }) => this.#retry(jobId),
      'jobs.cancel': ({ jobId }) => this.#cancel(jobId),
    }
  }

  add(draft: Parameters<JobQueue['add']>[0]): string {
    const { database, ids, now } = this.#options
    const { id, isNew } = insertJob(database, { ...draft, id: ids() }, now())
    if (isNew) {
      this.#changed([id])
      // a caller's transaction may still roll back: look after it has ended
      queueMicrotask(() => this.#wake())
    }
    return id
  }

  work(kind: string, run: Work): void {
    if (this.#works.has(kind)) throw new Error(`Two workers for jobs of kind ${kind}.`)
    this.#works.set(kind, run)
    this.#wake()
  }

  cancelKind(kind: string, keyPrefix = ''): void {
    const rows = this.#options.database
      .prepare<[string], { id: string; key: string | null }>(
        "SELECT id, key FROM job WHERE kind = ? AND state IN ('queued', 'waiting', 'running')",
      )
      .all(kind)
    for (const { id, key } of rows) if ((key ?? '').startsWith(keyPrefix)) this.#cancel(id)
  }

  forget(key: string): void {
    const { database } = this.#options
    const rows = database.prepare<[string], { id: string }>('SELECT id FROM job WHERE key = ?').all(key)
    for (const { id } of rows) this.#cancel(id)
    forgetKey(database, key, this.#current?.id)
    this.#changed(rows.map((row) => row.id))
  }

  start(): void {
    const { database, now } = this.#options
    if (this.#state !== 'new') return
    this.#changed(requeueRunning(database, now()))
    forgetFinished(database, new Date(now() - KEPT_MS).toISOString())
    this.#state = 'working'
    this.#wake()
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#timer)
    this.#current?.abort.abort()
    await this.#current?.ended
  }

  async idle(): Promise<void> {
    // queued wake-ups first
    await Promise.resolve()
    while (this.#current) await this.#current.ended
  }

  /** Looks for work. Called by timers: what the disk refuses waits until there is room, and nothing is thrown. */
  #wake(): void {
    clearTimeout(this.#timer)
    if (this.#state !== 'working' || this.#current || this.#storage.troubled) return
    try {
      this.#next()
    } catch (error) {
      if (this.#storage.note(error)) return
      this.#options.onBug?.(error)
      this.#wakeIn(LONGEST_RETRY_MS)
    }
  }

  #next(): void {
    const { database, now } = this.#options
    const { due, nextAtMs } = nextJob(database, [...this.#works.keys()], now())
    if (due) this.#run(due)
    else if (nextAtMs !== undefined) this.#wakeIn(nextAtMs - now())
  }

  #wakeIn(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#wake(), Math.min(LONGEST_TIMER_MS, Math.max(1, milliseconds)))
    this.#timer.unref()
  }

  #run(row: JobRow): void {
    const abort = new AbortController()
    this.#change(row.id, { state: 'running', attempts: row.attempts + 1 })
    const ended = this.#attempt(row, abort)
      .then((end) => this.#storage.keep('jobs', end))
      .catch((error: unknown) => this.#options.onBug?.(error))
      .then(() => {
        this.#current = undefined
        this.#wake()
      })
    this.#current = { id: row.id, abort, ended }
  }

  /** Resolves with what is to be written of its end. */
  async #attempt(row: JobRow, abort: AbortController): Promise<() => void> {
    const work = this.#works.get(row.kind)
    try {
      await work?.(JSON.parse(row.payload), { signal: abort.signal, progress: this.#progressOf(row.id) })
      if (abort.signal.aborted) return () => this.#afterAbort(row)
      this.#refused.delete(row.id)
      return () => this.#change(row.id, { state: 'done', lastError: null })
    } catch (error) {
      if (abort.signal.aborted) return () => this.#afterAbort(row)
      const refusal = this.#storage.note(error)
      return refusal ? () => this.#refusedByDisk(row, refusal) : () => this.#failed(row, error)
    }
  }

  /** Cancelled by a person: the row says so already. Stopped by closing: the try does not count. */
  #afterAbort(row: JobRow): void {
    if (requireJob(this.#options.database, row.id).state === 'running') {
      this.#change(row.id, { state: 'queued', attempts: row.attempts })
    }
  }

  /** Not the job's fault, so the try does not count; but the pause grows, because the work may ask a model each time. */
  #refusedByDisk(row: JobRow, refusal: AppError): void {
    const times = (this.#refused.get(row.id) ?? 0) + 1
    this.#refused.set(row.id, times)
    if (requireJob(this.#options.database, row.id).state !== 'running') return
    const delay = retryDelay(times, this.#options.random ?? Math.random)
    this.#change(row.id, {
      state: 'waiting',
      attempts: row.attempts,
      lastError: storedSaid(saidBy(refusal)),
      nextRunMs: this.#options.now() + delay,
    })
  }

  #failed(row: JobRow, error: unknown): void {
    const attempts = row.attempts + 1
    const lastError = storedSaid(saidBy(error))
    if (attempts >= row.max_attempts) {
      this.#change(row.id, { state: 'failed', lastError })
    } else {
      const delay = retryDelay(attempts, this.#options.random ?? Math.random)
      this.#change(row.id, { state: 'waiting', lastError, nextRunMs: this.#options.now() + delay })
    }
    this.#options.onFailure?.(toJob(requireJob(this.#options.database, row.id)), error)
  }

  #progressOf(id: string): JobControl['progress'] {
    const { database, now, emit } = this.#options
    let toldAt = Number.NEGATIVE_INFINITY
    return (done, total) => {
      if (done < total && now() - toldAt < PROGRESS_EVERY_MS) return
      toldAt = now()
      try {
        changeJob(database, id, { done, total }, now())
      } catch (error) {
        // how far it is need not be stored: the work itself will say what it cannot do
        if (!this.#storage.note(error)) throw error
      }
      emit('job.progress', { jobId: id, done, total, state: 'running' })
    }
  }

  #retry(id: string): Job {
    const row = requireJob(this.#options.database, id)
    if (row.state === 'running' || row.state === 'queued' || row.state === 'done') {
      throw new AppError('conflict', 'This job has not failed: there is nothing to retry.')
    }
    const { database, now } = this.#options
    const twin =
      row.state !== 'waiting' &&
      row.key !== null &&
      database
        .prepare("SELECT 1 FROM job WHERE kind = ? AND key = ? AND state IN ('queued', 'waiting', 'running')")
        .get(row.kind, row.key)
    if (twin) throw new AppError('conflict', 'The same job is waiting already. Nothing more is needed.')
    this.#change(id, { state: 'queued', attempts: 0, nextRunMs: now() })
    this.#wake()
    return toJob(requireJob(database, id))
  }

  #cancel(id: string): Job {
    const row = requireJob(this.#options.database, id)
    if (row.state === 'queued' || row.state === 'waiting' || row.state === 'running') {
      this.#change(id, { state: 'cancelled' })
      if (this.#current?.id === id) this.#current.abort.abort()
    }
    return toJob(requireJob(this.#options.database, id))
  }

  #change(id: string, change: JobChange): void {
    const { database, now, emit } = this.#options
    changeJob(database, id, change, now())
    const { done, total, state } = requireJob(database, id)
    emit('job.progress', { jobId: id, done, total, state })
    this.#changed([id])
  }

  #changed(ids: string[]): void {
    if (ids.length > 0) this.#options.emit('jobs.changed', { ids })
  }
}

/**
 * Durable work, one piece at a time. A job that ran when the process died runs again; one that fails is retried with
 * growing pauses until its attempts are used up, and then waits for a person.
 */
export function createJobQueue(options: JobQueueOptions): RunningQueue {
  return new DurableQueue(options)
}
