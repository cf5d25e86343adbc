import { expect, it } from 'vitest'
import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { WriteDatabase } from '../storage/database'
import { fixedClock } from '../testing/fixed-clock'
import { idSequence } from '../testing/id-sequence'
import { memoryDatabase } from '../testing/memory-database'
import type { Job } from './contract'
import { createJobQueue, retryDelay } from './job-queue'
import { jobMigrations } from './migrations'

function open(database: WriteDatabase = memoryDatabase(jobMigrations), prefix = 'job') {
  const clock = fixedClock()
  const progress: unknown[] = []
  const queue = createJobQueue({
    database,
    ids: idSequence(prefix),
    now: clock.now,
    random: () => 0,
    emit: (name, payload) => {
      if (name === 'job.progress') progress.push(payload)
    },
  })
  const list = () => queue.handlers['jobs.list']({}) as Job[]
  return { database, clock, queue, progress, list }
}
const job = (label: string) => ({ kind: 'summary', label, payload: { label } })

it('runs one job at a time in order, with progress', async () => {
  const { queue, list, progress } = open()
  const order: string[] = []
  let running = 0
  queue.work('summary', async (payload, control) => {
    running += 1
    expect(running).toBe(1)
    order.push((payload as { label: string }).label)
    control.progress(1, 2)
    await Promise.resolve()
    control.progress(2, 2)
    running -= 1
  })
  queue.add(job('a'))
  queue.add(job('b'))
  expect(order).toEqual([])
  queue.start()
  await queue.idle()
  await queue.idle()
  expect(order).toEqual(['a', 'b'])
  expect(list().map(({ state, done, total, attempts }) => ({ state, done, total, attempts }))).toEqual([
    { state: 'done', done: 2, total: 2, attempts: 1 },
    { state: 'done', done: 2, total: 2, attempts: 1 },
  ])
  expect(progress).toContainEqual({ jobId: 'job-1', done: 1, total: 2, state: 'running' })
})

it('keeps what went wrong in words that another language can say', async () => {
  const { queue, list } = open()
  queue.work('summary', async () => {
    throw new AppError('embedder.unreachable', said`The server failed (HTTP ${503}).`)
  })
  queue.add({ ...job('a'), maxAttempts: 1 })
  queue.start()
  await queue.idle()
  expect(list()[0]).toMatchObject({
    state: 'failed',
    lastError: 'The server failed (HTTP 503).',
    lastErrorWords: { key: 'The server failed (HTTP {0}).', values: [503] },
  })
})

it('a key makes it one among the unfinished of its kind', async () => {
  const { queue, list } = open()
  const first = queue.add({ ...job('a'), key: 's1' })
  expect(queue.add({ ...job('again'), key: 's1' })).toBe(first)
  expect(queue.add({ ...job('other'), key: 's2' })).not.toBe(first)
  queue.work('summary', async () => {})
  queue.start()
  await queue.idle()
  await queue.idle()
  expect(queue.add({ ...job('later'), key: 's1' })).not.toBe(first)
  expect(list()).toHaveLength(3)
})

it('retries with growing pauses, then fails and keeps the last error; a person may retry', async () => {
  const { queue, clock, list } = open()
  let tries = 0
  queue.work('summary', async () => {
    tries += 1
    if (tries < 4) throw new Error(`no answer ${tries}`)
  })
  queue.start()
  const id = queue.add({ ...job('a'), maxAttempts: 3 })
  await queue.idle()
  expect(list()[0]).toMatchObject({ state: 'waiting', attempts: 1, nextRunAt: '2026-11-30T12:00:05.000Z' })
  clock.advance(5000)
  queue.add({ ...job('wakes the queue'), kind: 'nobody' })
  await queue.idle()
  expect(list().find((item) => item.id === id)).toMatchObject({ state: 'waiting', attempts: 2 })
  clock.advance(10_000)
  queue.add({ ...job('wakes the queue'), kind: 'nobody' })
  await queue.idle()
  expect(list().find((item) => item.id === id)).toMatchObject({
    state: 'failed',
    attempts: 3,
    lastError: 'no answer 3',
  })
  queue.handlers['jobs.retry']({ jobId: id })
  await queue.idle()
  const ended = list().find((item) => item.id === id)
  expect(ended).toMatchObject({ state: 'done', attempts: 1 })
  expect(ended?.lastError).toBeUndefined()
  expect([1, 2, 3, 20].map((attempts) => retryDelay(attempts, () => 0))).toEqual([5000, 10_000, 20_000, 1_800_000])
})

it('takes up after a crash what was running', async () => {
  const database = memoryDatabase(jobMigrations)
  const before = open(database)
  before.queue.work('summary', () => new Promise(() => {}))
  before.queue.start()
  before.queue.add(job('a'))
  await Promise.resolve()
  expect(before.list()[0]?.state).toBe('running')
  const after = open(database, 'next')
  const seen: unknown[] = []
  after.queue.work('summary', async (payload) => {
    seen.push(payload)
  })
  after.queue.start()
  await after.queue.idle()
  expect(seen).toEqual([{ label: 'a' }])
  expect(after.list()[0]).toMatchObject({ state: 'done', attempts: 2 })
})

it('gives up on a job that ran at every crash', () => {
  const database = memoryDatabase(jobMigrations)
  for (let start = 1; start <= 2; start += 1) {
    const { queue } = open(database, `start-${start}`)
    queue.work('summary', () => new Promise(() => {}))
    queue.start()
    if (start === 1) queue.add({ ...job('a'), maxAttempts: 1 })
    queue.work('other', async () => {})
  }
  const { queue, list } = open(database)
  queue.start()
  expect(list()[0]).toMatchObject({ state: 'failed', attempts: 1 })
  expect(list()[0]?.lastError).toContain('ended while this job ran')
})

it('cancels what waits and what runs, and does not run it again', async () => {
  const { queue, list } = open()
  let aborted = false
  queue.work('summary', (_payload, { signal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true
        reject(new Error('stopped'))
      })
    })
  })
  queue.start()
  const running = queue.add({ ...job('a'), key: 'x/1' })
  queue.add({ ...job('b'), key: 'x/2' })
  queue.add({ ...job('c'), key: 'y/1', delayMs: 60_000 })
  await Promise.resolve()
  queue.cancelKind('summary', 'x/')
  await queue.idle()
  expect(aborted).toBe(true)
  expect(list().map((item) => item.state)).toEqual(['waiting', 'cancelled', 'cancelled'])
  expect(queue.handlers['jobs.cancel']({ jobId: running })).toMatchObject({ state: 'cancelled' })
  expect(() => queue.handlers['jobs.retry']({ jobId: 'none' })).toThrow('does not exist')
})

it('forgets what its jobs were about, the one at work included', async () => {
  const { queue, list } = open()
  queue.work('summary', (_payload, { signal }) => {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  })
  queue.start()
  queue.add({ ...job('Private words'), key: 's1' })
  queue.add({ ...job('More of them'), kind: 'other', key: 's1' })
  queue.add({ ...job('Another chat'), kind: 'other', key: 's2' })
  await Promise.resolve()
  queue.forget('s1')
  await queue.idle()
  expect(list().map(({ label, state }) => [label, state])).toEqual([
    ['Another chat', 'queued'],
    ['', 'cancelled'],
  ])
})

it('closing stops what runs; the try does not count', async () => {
  const { queue, list } = open()
  queue.work('summary', (_payload, { signal }) => {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  })
  queue.start()
  queue.add(job('a'))
  await Promise.resolve()
  await queue.close()
  expect(list()[0]).toMatchObject({ state: 'queued', attempts: 0 })
})
