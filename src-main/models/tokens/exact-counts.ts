import { hash } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import type { Encoding } from '../contract'
import type { CountAnswer, CountJob } from './token-worker'

/** Short texts are their own key: looking a string up costs less than hashing it. */
const OWN_KEY_CHARACTERS = 512
const MOST_ENTRIES = 60_000

function keyOf(encoding: Encoding, text: string): string {
  return text.length <= OWN_KEY_CHARACTERS ? `${encoding}:${text}` : `${encoding}#${text.length}#${hash('sha1', text)}`
}

export interface ExactCounts {
  /** Tokens if this text was counted before. */
  get(encoding: Encoding, text: string): number | undefined
  /** Counts off the main thread what is not yet known. False when that did not end in time or cannot work here. */
  prime(encoding: Encoding, texts: readonly string[]): Promise<boolean>
  close(): Promise<void>
}

interface Waiting {
  keys: string[]
  done: (ok: boolean) => void
}

/** Starts the worker at the first text to count. `timeoutMs`: how long one call waits; late counts still land. */
export function createExactCounts(options: { startWorker: () => Worker; timeoutMs: number }): ExactCounts {
  const counts = new Map<string, number>()
  const waiting = new Map<number, Waiting>()
  const inFlight = new Map<string, Promise<boolean>>()
  let worker: Worker | undefined
  let broken = false
  let jobs = 0

  const settle = (id: number, ok: boolean) => {
    const job = waiting.get(id)
    if (!job) return
    waiting.delete(id)
    for (const key of job.keys) inFlight.delete(key)
    if (waiting.size === 0) worker?.unref()
    job.done(ok)
  }
  const remember = (key: string, tokens: number) => {
    counts.set(key, tokens)
    const oldest = counts.size > MOST_ENTRIES ? counts.keys().next() : undefined
    if (oldest && !oldest.done) counts.delete(oldest.value)
  }
  const receive = (answer: CountAnswer) => {
    const keys = waiting.get(answer.id)?.keys ?? []
    if ('counts' in answer) {
      for (const [at, key] of keys.entries()) remember(key, answer.counts[at] ?? 0)
    }
    settle(answer.id, 'counts' in answer)
  }
  const giveUp = () => {
    broken = true
    worker = undefined
    for (const id of [...waiting.keys()]) settle(id, false)
  }
  const running = (): Worker | undefined => {
    if (worker || broken) return worker
    try {
      worker = options.startWorker()
      worker.on('message', receive)
      worker.on('error', giveUp)
    } catch {
      // without a worker the estimate stands
      giveUp()
    }
    return worker
  }
  const send = (encoding: Encoding, missing: ReadonlyMap<string, string>): Promise<boolean> => {
    const target = running()
    if (!target) return Promise.resolve(false)
    const id = jobs++
    const keys = [...missing.keys()]
    const counted = new Promise<boolean>((done) => waiting.set(id, { keys, done }))
    for (const key of keys) inFlight.set(key, counted)
    const job: CountJob = { id, encoding, texts: [...missing.values()] }
    target.ref()
    target.postMessage(job)
    return counted
  }

  return {
    get: (encoding, text) => (text === '' ? 0 : counts.get(keyOf(encoding, text))),
    async prime(encoding, texts) {
      const missing = new Map<string, string>()
      const running = new Set<Promise<boolean>>()
      for (const text of texts) {
        const key = keyOf(encoding, text)
        const flying = inFlight.get(key)
        if (text === '' || counts.has(key)) continue
        if (flying) running.add(flying)
        else missing.set(key, text)
      }
      if (missing.size > 0) running.add(send(encoding, missing))
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
      giveUp()
      await ending?.terminate()
    },
  }
}
