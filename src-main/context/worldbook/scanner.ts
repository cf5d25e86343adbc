import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Automaton, PatternReply, PatternRequest, ScanAnswer, ScanTask } from './engine/scan-worker'
import { WORKER_ROOM } from './engine/scan-worker'
import bundledWorker from './engine/scan-worker?modulePath'

/** The bundler gives the built worker's path; without a bundler (tests) Node runs the source file itself. */
const WORKER_PATH =
  typeof bundledWorker === 'string' ? bundledWorker : fileURLToPath(new URL('./engine/scan-worker.ts', import.meta.url))

/** A thread that answers nothing this long after its own deadline is given up. Covers its start on a busy machine. */
const GRACE_MILLIS = 5000

/** Threads for what would block: building automatons, and patterns that may never end. */
export interface Scanner {
  build(terms: readonly string[]): Promise<Automaton>
  runPatterns(request: PatternRequest): Promise<PatternReply>
  close(): Promise<void>
}

type Task = ScanTask extends infer T ? (T extends ScanTask ? Omit<T, 'id'> : never) : never

interface Waiting {
  resolve(answer: ScanAnswer): void
  reject(error: Error): void
}

/** One thread, started at the first task. */
class ScanThread {
  #worker: Worker | undefined
  #last = 0
  readonly #waiting = new Map<number, Waiting>()

  ask(task: Task): Promise<ScanAnswer> {
    const worker = this.#worker ?? this.#start()
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, ...task })
    })
  }

  /** Ends the thread; what it still owed is rejected, the next task starts a new one. */
  async stop(reason = 'The worldbook scan was stopped.'): Promise<void> {
    const worker = this.#worker
    this.#drop(new Error(reason))
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(WORKER_PATH, { workerData: { room: WORKER_ROOM } })
    worker.on('message', (answer: ScanAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      // An idle thread must not keep the process alive.
      if (this.#waiting.size === 0) worker.unref()
      waiting?.resolve(answer)
    })
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#drop(error instanceof Error ? error : new Error(String(error)))
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#drop(new Error('The worldbook scan thread ended.'))
    })
    this.#worker = worker
    return worker
  }

  #drop(error: Error): void {
    this.#worker = undefined
    const owed = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of owed) reject(error)
  }
}

const allLate = (request: PatternRequest): PatternReply => ({
  results: request.tests.map(() => ({ hits: [], timedOut: true })),
  usedMillis: request.totalMillis,
})

export function createScanner(): Scanner {
  const builder = new ScanThread()
  const matcher = new ScanThread()
  return {
    async build(terms) {
      const answer = await builder.ask({ kind: 'build', terms: terms.join('\u0000') })
      if (answer.kind !== 'build') throw new Error('The worldbook scan thread answered something else.')
      return answer.automaton
    },
    async runPatterns(request) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<PatternReply>((resolve) => {
        timer = setTimeout(() => {
          resolve(allLate(request))
          void matcher.stop()
        }, request.totalMillis + GRACE_MILLIS)
      })
      const asked = matcher
        .ask({ kind: 'patterns', request })
        .then((answer) => (answer.kind === 'patterns' ? answer.reply : allLate(request)))
        // A thread that dies on a pattern (out of memory) is a pattern that did not finish.
        .catch(() => allLate(request))
      try {
        return await Promise.race([asked, late])
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      await Promise.all([builder.stop(), matcher.stop()])
    },
  }
}
