import type { Worker } from 'node:worker_threads'
import type { Encoding } from '../contract'
import { createTextCounts, type TextCounts } from './text-counts'
import type { CountAnswer, CountJob } from './token-worker'

export interface ExactCounts {
  /** Tokens if this text was counted before. */
  get(encoding: Encoding, text: string): number | undefined
  /** Counts off the main thread what is not yet known. False when that did not end in time or cannot work here. */
  prime(encoding: Encoding, texts: readonly string[]): Promise<boolean>
  close(): Promise<void>
}

interface Waiting {
  encoding: Encoding
  texts: string[]
  done: (ok: boolean) => void
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** Starts the worker at the first text to count. `timeoutMs`: how long one call waits; late counts still land. */
export function createExactCounts(options: { startWorker: () => Worker; timeoutMs: number }): ExactCounts {
  const counts: Record<Encoding, TextCounts> = { o200k: createTextCounts(), cl100k: createTextCounts() }
  const inFlight: Record<Encoding, Map<string, Promise<boolean>>> = { o200k: new Map(), cl100k: new Map() }
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let closed = false
  /** Crashes since it last counted, and when it may start again (milliseconds of `performance.now`). */
  let crashes = 0
  let startsAt = 0
  let jobs = 0

  const settle = (id: number, ok: boolean) => {
    const job = waiting.get(id)
    if (!job) return
    waiting.delete(id)
    for (const text of job.texts) inFlight[job.encoding].delete(text)
    if (waiting.size === 0) worker?.unref()
    job.done(ok)
  }
  const receive = (answer: CountAnswer) => {
    crashes = 0
    const job = waiting.get(answer.id)
    if (job && 'counts' in answer) {
      for (const [at, text] of job.texts.entries()) counts[job.encoding].set(text, answer.counts[at] ?? 0)
    }
    settle(answer.id, 'counts' in answer)
  }
  const giveUp = () => {
    worker = undefined
    for (const id of [...waiting.keys()]) settle(id, false)
  }
  /** Without a worker the estimate stands; the next text after a growing pause starts another one. */
  const crashed = () => {
    crashes += 1
    startsAt = performance.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (crashes - 1))
    giveUp()
  }
  const running = (): Worker | undefined => {
    if (worker || closed || performance.now() < startsAt) return worker
    try {
      const started = options.startWorker()
      worker = started
      started.on('message', receive)
      // a worker that fails says so and then exits: counted once
      started.on('error', () => started === worker && crashed())
      started.on('exit', () => started === worker && crashed())
    } catch {
      crashed()
    }
    return worker
  }
  const send = (encoding: Encoding, texts: string[]): Promise<boolean> => {
    const target = running()
    if (!target) return Promise.resolve(false)
    const id = jobs++
    const counted = new Promise<boolean>((done) => waiting.set(id, { encoding, texts, done }))
    for (const text of texts) inFlight[encoding].set(text, counted)
    const job: CountJob = { id, encoding, texts }
    target.ref()
    target.postMessage(job)
    return counted
  }

  return {
    get: (encoding, text) => (text === '' ? 0 : counts[encoding].get(text)),
    async prime(encoding, texts) {
      const missing = new Set<string>()
      const running = new Set<Promise<boolean>>()
      const known = counts[encoding]
      for (const text of texts) {
        if (text === '' || known.get(text) !== undefined) continue
        const flying = inFlight[encoding].get(text)
        if (flying) running.add(flying)
        else missing.add(text)
      }
      if (missing.size > 0) running.add(send(encoding, [...missing]))
      if (running.size === 0) return true
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), options.timeoutMs)
      })
      const all = Promise.all(running).then((results) => results.every(Boolean))
      return Promise.race([all, late]).finally(() => clearTimeout(timer))
    },
    async close() {
      const ending = worker
      closed = true
      giveUp()
      await ending?.terminate()
    },
  }
}
