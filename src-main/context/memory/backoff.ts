const FIRST_MS = 2_000
const LONGEST_MS = 300_000

/** Tries again later, each time after twice the pause. Never keeps the process alive. */
export class Backoff {
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  later(run: () => void): void {
    const delay = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#failures)
    this.#failures += 1
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, delay)
    this.#timer.unref()
  }

  /** Something went well: the next pause is a short one. */
  reset(): void {
    this.#failures = 0
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
