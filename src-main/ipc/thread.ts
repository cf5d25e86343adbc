import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer } from './thread-contract'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export interface ThreadOptions {
  /** From `import path from './x?modulePath'`; no text outside the built app, where the source is run instead. */
  bundled: unknown
  /** `new URL('./x.ts', import.meta.url)` */
  source: URL
  /** The name the worker file was given in `serveThread`. */
  room: string
  /** The thread is ended after this long without work, and started again when needed. Absent = kept. */
  idleMs?: number
}

/** For `--import`: lets Node run source files, which leave out extensions and ask the bundler for worker paths. */
export const SOURCE_HOOK = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
registerHooks({ resolve(specifier, context, next) {
  if (specifier.endsWith('?modulePath')) return { url: 'data:text/javascript,export default undefined', shortCircuit: true }
  const own = !(context.parentURL ?? '').includes('/node_modules/')
  const bare = own && /^\\.{1,2}\\//.test(specifier) && !/\\.[cm]?[jt]s(on)?$/.test(specifier)
  return next(bare ? specifier + '.ts' : specifier, context)
} })`)}`

/** The second crash in a row keeps the thread down this long, each further one twice as long. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/**
 * A thread that answers tasks one after another. It starts with the first task and never keeps the process alive. One that
 * ends by itself fails the tasks it held and is started again by the next one; where it never gets to answer, the tasks of
 * a growing pause are refused at once.
 */
export class Thread<Task, Answer> {
  #worker: Worker | undefined
  #last = 0
  #idle: NodeJS.Timeout | undefined
  /** Crashes since it last answered, and when it may start again (milliseconds of `performance.now`). */
  #crashes = 0
  #startsAt = 0
  readonly #waiting = new Map<number, Waiting>()
  readonly #options: ThreadOptions

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  get running(): boolean {
    return this.#worker !== undefined
  }

  get busy(): boolean {
    return this.#waiting.size > 0
  }

  /** Rejects with the worker's message, or when the thread ends before it answered. */
  ask(task: Task): Promise<Answer> {
    clearTimeout(this.#idle)
    if (!this.#worker && performance.now() < this.#startsAt) {
      return Promise.reject(new Error('The thread ended several times; it is started again in a moment.'))
    }
    let worker: Worker
    try {
      worker = this.#worker ?? this.#start()
    } catch (error) {
      // no memory or no handles for a thread: the asker hears of it like of any other end
      return Promise.reject(error)
    }
    this.#last += 1
    const id = this.#last
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      worker.ref()
      worker.postMessage({ id, task })
    })
  }

  async stop(reason = 'The thread was stopped.'): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#fail(new Error(reason))
    await worker?.terminate()
  }

  #start(): Worker {
    const { bundled, source, room } = this.#options
    const built = typeof bundled === 'string'
    const worker = new Worker(built ? bundled : fileURLToPath(source), {
      workerData: { room },
      ...(built ? {} : { execArgv: ['--disable-warning=ExperimentalWarning', '--import', SOURCE_HOOK] }),
    })
    worker.on('message', (answer: ThreadAnswer<Answer>) => {
      if (worker !== this.#worker) return
      this.#crashes = 0
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) this.#rest(worker)
      if ('error' in answer) waiting?.reject(new Error(answer.error))
      else waiting?.resolve(answer.value)
    })
    worker.on('error', (error: Error) => worker === this.#worker && this.#crashed(error))
    worker.on('exit', () => worker === this.#worker && this.#crashed(new Error('The thread ended.')))
    this.#worker = worker
    return worker
  }

  #rest(worker: Worker): void {
    worker.unref()
    const { idleMs } = this.#options
    if (idleMs === undefined) return
    this.#idle = setTimeout(() => void this.stop(), idleMs)
    this.#idle.unref()
  }

  #crashed(error: Error): void {
    this.#crashes += 1
    if (this.#crashes > 1) {
      this.#startsAt = performance.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#crashes - 2))
    }
    this.#fail(error)
  }

  #fail(error: Error): void {
    this.#worker = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}
