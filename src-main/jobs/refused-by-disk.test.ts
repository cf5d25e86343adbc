import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStorageHealth, type StorageHealth } from '../storage/health'
import { memoryDatabase } from '../testing/memory-database'
import type { Job } from './contract'
import { createJobQueue, type RunningQueue } from './job-queue'
import { jobMigrations } from './migrations'

/** A database that refuses every write for a while, as a disk does that only lets itself be read. */
const database = () => memoryDatabase(jobMigrations)
let rows: ReturnType<typeof database>
let storage: StorageHealth
let queue: RunningQueue
let bugs: unknown[]

const refuse = (on: boolean) => rows.pragma(`query_only = ${on ? 'ON' : 'OFF'}`)
const list = () => queue.handlers['jobs.list']({}) as Job[]
const states = () => list().map(({ state, attempts }) => ({ state, attempts }))
const draft = { kind: 'summary', label: 'a', payload: {} }

beforeEach(() => {
  vi.useFakeTimers()
  rows = database()
  bugs = []
  const health = createStorageHealth({
    probe: () => rows.pragma('user_version = 0'),
    nowIso: () => 'now',
    onChange: () => undefined,
    onLost: (_what, error) => bugs.push(error),
  })
  storage = health
  queue = createJobQueue({
    database: rows,
    ids: () => crypto.randomUUID(),
    now: Date.now,
    random: () => 0,
    emit: () => undefined,
    storage: health,
    onBug: (error) => bugs.push(error),
  })
})
afterEach(() => {
  expect(bugs).toEqual([])
  vi.useRealTimers()
})

it('a timer that finds the disk full waits for room, and the job runs then', async () => {
  const run = vi.fn(async () => undefined)
  queue.work('summary', run)
  queue.add({ ...draft, delayMs: 1000 })
  queue.start()
  refuse(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).not.toHaveBeenCalled()
  expect(storage.troubled).toBe(true)
  refuse(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(run).toHaveBeenCalledOnce()
  expect(states()).toEqual([{ state: 'done', attempts: 1 }])
})

it('the end of a job that cannot be written is written later, and the job does not run twice', async () => {
  const run = vi.fn(async () => {
    refuse(true)
  })
  queue.work('summary', run)
  queue.add(draft)
  queue.start()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(states()).toEqual([{ state: 'running', attempts: 1 }])
  refuse(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(states()).toEqual([{ state: 'done', attempts: 1 }])
  expect(run).toHaveBeenCalledOnce()
})

it('work the disk refuses does not use up the tries of a job', async () => {
  let tries = 0
  queue.work('summary', async () => {
    tries += 1
    if (tries <= 3) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  })
  queue.add({ ...draft, maxAttempts: 1 })
  queue.start()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(tries).toBe(4)
  expect(states()).toEqual([{ state: 'done', attempts: 1 }])
})

it('a start on a full disk is made good, with what ran when the process died', async () => {
  queue.add(draft)
  rows.prepare("UPDATE job SET state = 'running', attempts = 1").run()
  const run = vi.fn(async () => undefined)
  queue.work('summary', run)
  refuse(true)
  storage.keep('jobs', () => queue.start())
  await vi.advanceTimersByTimeAsync(20_000)
  expect(run).not.toHaveBeenCalled()
  refuse(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(run).toHaveBeenCalledOnce()
})
