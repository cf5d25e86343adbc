import { Backoff } from './backoff'

export interface WorkLoopDeps {
  /** Resolves when work may begin; undefined while nothing was loaded. */
  ready: () => Promise<void> | undefined
  /** Everything there is to do now. */
  run: () => Promise<void>
  onFailure: (error: unknown) => void
  /** After every run, failed or not. */
  onRest: () => void
}

/** Runs one piece of background work at a time: what is asked for meanwhile becomes one more run afterwards. */
export class WorkLoop {
  readonly #deps: WorkLoopDeps
  readonly #backoff = new Backoff()
  #running: Promise<void> | undefined
  #again = false
  #pause = new AbortController()
  #closed = false

  constructor(deps: WorkLoopDeps) {
    this.#deps = deps
  }

  get isClosed(): boolean {
    return this.#closed
  }

  schedule(): void {
    if (this.#closed) return
    if (this.#running !== undefined) {
      this.#again = true
      this.#pause.abort()
      return
    }
    const ready = this.#deps.ready()
    if (ready === undefined) return
    this.#again = false
    this.#running = ready
      .then(() => this.#deps.run())
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#running = undefined
        this.#rest()
        if (this.#again) this.schedule()
      })
  }

  /** For work that can wait: already aborted, or aborted as soon as something else is asked for. */
  yielding(): AbortSignal {
    this.#pause = new AbortController()
    if (this.#again) this.#pause.abort()
    return this.#pause.signal
  }

  /** The next pause after a failure is a short one again. */
  wentWell(): void {
    this.#backoff.reset()
  }

  retryLater(): void {
    if (!this.#closed) this.#backoff.later(() => this.schedule())
  }

  /** Resolves after the run that goes on now; at once when none does. */
  async current(): Promise<void> {
    await this.#running
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  close(): void {
    this.#closed = true
    this.#backoff.stop()
  }

  /** Nobody waits for this chain: what fails in it is a failure of the run. */
  #rest(): void {
    try {
      this.#deps.onRest()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    // Stopped in the middle is no failure: the outbox still knows what is left.
    if (this.#closed) return
    this.#deps.onFailure(error)
    this.retryLater()
  }
}
