import type { Logger } from 'pino'
import type { RunningApp } from '../app-host'
import { said } from '../ipc/said-contract'
import { calmError } from './calm-error'

/** The exit code of a run that an error nobody expected ended, in order (docs/exit-codes.md). */
export const UNEXPECTED_EXIT = 70

/** Said at most this often: the tenth of one kind says nothing the first did not. */
const TOLD_EVERY_MS = 60_000
/** Lines of the log a minute: a failure in a loop must not fill the disk. */
const LOGGED_A_MINUTE = 30

/** The other end of a pipe or a socket went, or somebody stopped waiting: nothing of ours is broken. */
const HARMLESS = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_HTTP_HEADERS_SENT',
  'UND_ERR_SOCKET',
  'ABORT_ERR',
  'ERR_IPC_CHANNEL_CLOSED',
])

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error && typeof error.code === 'string' ? error.code : '') : ''

const isHarmless = (error: unknown): boolean =>
  HARMLESS.has(codeOf(error)) || (error instanceof Error && error.name === 'AbortError')

export interface LastResort {
  log: Pick<Logger, 'error' | 'warn'>
  /** The app, once it runs. */
  app: () => Pick<RunningApp, 'noteStorage' | 'tell'> | undefined
  /** Ends the process in order after something that may have left it half-done. Called once. */
  end: (error: unknown) => void
  now?: () => number
}

/** What is done with failures nobody caught. */
export function lastResort({ log, app, end, now = Date.now }: LastResort) {
  let toldAt = Number.NEGATIVE_INFINITY
  let minute = Number.NEGATIVE_INFINITY
  let logged = 0
  let ending = false

  const note = (level: 'error' | 'warn', error: unknown, words: string) => {
    if (Math.abs(now() - minute) >= TOLD_EVERY_MS) {
      minute = now()
      logged = 0
    }
    logged += 1
    if (logged <= LOGGED_A_MINUTE) log[level]({ failure: calmError(error) }, words)
  }
  /** True where nothing more is to be done. */
  const isKnown = (error: unknown): boolean => {
    if (app()?.noteStorage(error)) return true
    if (!isHarmless(error)) return false
    note('warn', error, 'a connection ended while it was written to')
    return true
  }

  return {
    /** A promise nobody looked at stands alone: what it did not do is missing, nothing else is broken. The app goes on. */
    rejection(error: unknown): void {
      if (isKnown(error)) return
      note('error', error, 'something in the background failed, and nobody had asked for it')
      if (Math.abs(now() - toldAt) < TOLD_EVERY_MS) return
      toldAt = now()
      app()?.tell(
        said`Something in the background failed. What is stored is safe, and you can go on; the log in the data folder has the details.`,
      )
    },
    /** A callback was cut off in the middle, and what it held may be half-done: the process ends in order. */
    exception(error: unknown): void {
      if (isKnown(error)) return
      note('error', error, 'an error nobody expected')
      if (ending) return
      ending = true
      app()?.tell(
        said`Strata met an error it did not expect and is closing in order. What is stored is safe; start it again. The log in the data folder has the details.`,
      )
      end(error)
    },
    /** The thread's asker is told and starts it again; the log gets to know. */
    thread(error: unknown): void {
      note('error', error, 'a worker thread ended')
    },
  }
}

/** Takes over from Node, which would end the process at once. A pipe that nobody reads any more ends nothing either. */
export function installLastResort(options: LastResort): void {
  const resort = lastResort(options)
  process.on('uncaughtException', (error) => resort.exception(error))
  process.on('unhandledRejection', (error) => resort.rejection(error))
  process.on('worker', (worker) => worker.on('error', (error: unknown) => resort.thread(error)))
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
