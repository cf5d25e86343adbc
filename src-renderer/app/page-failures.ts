import { CallError, type CallInput, call, on } from '../api/client'
import { i18n } from '../i18n/i18n'
import { inWords } from '../i18n/said'
import { showError, showToast } from '../ui/toast'

type Failure = CallInput<'app.report'>

/** A failure in a loop is logged and said once in this time. */
const ONCE_IN_MS = 60_000
const MOST_FRAMES = 20
const MOST_CHARACTERS = 300

/** Chromium says so when a size changes while sizes are told; nothing is lost. */
const NO_FAILURE = /^ResizeObserver loop/

const lastSeen = new Map<string, number>()

/** Names and places; what parsers quote of a person's text stays out of the log. */
function failureOf(where: Failure['where'], error: unknown): Failure {
  const isError = error instanceof Error
  const message = isError ? error.message.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '“…”') : ''
  const frames = isError ? (error.stack ?? '').split('\n').filter((line) => /^\s*at |@/.test(line)) : []
  return {
    where,
    name: (isError ? error.name : typeof error).slice(0, 100),
    message: message.slice(0, MOST_CHARACTERS),
    stack: frames.slice(0, MOST_FRAMES).map((line) => line.trim().slice(0, MOST_CHARACTERS)),
  }
}

function isNew(failure: Failure, now: number): boolean {
  const key = `${failure.name} ${failure.stack[0] ?? failure.message}`
  const before = lastSeen.get(key)
  if (before !== undefined && Math.abs(now - before) < ONCE_IN_MS) return false
  lastSeen.set(key, now)
  return true
}

/** Into the log of the main process. True when it was the first of its kind for a while. */
export function reportFailure(where: Failure['where'], error: unknown): boolean {
  const failure = failureOf(where, error)
  if (!isNew(failure, Date.now())) return false
  // a log that cannot be reached is no second failure
  void call('app.report', failure).catch(() => undefined)
  return true
}

function failed(where: Failure['where'], error: unknown): void {
  const isStop = error instanceof DOMException && error.name === 'AbortError'
  // a refused call has words of its own
  if (error instanceof CallError) showError(error)
  else if (!isStop && reportFailure(where, error)) sayOnce()
}

function sayOnce(): void {
  showToast(i18n.t('error.page'), {
    tone: 'bad',
    action: { label: i18n.t('error.reload'), run: () => location.reload() },
  })
}

/** What no other part of the page caught: logged, said once, and the page goes on. */
export function watchPage(): void {
  window.addEventListener('error', (event) => {
    // an image or a style that did not load has no error and shows itself
    if (event.target !== window || NO_FAILURE.test(event.message)) return
    failed('script', event.error ?? new Error(event.message))
  })
  window.addEventListener('unhandledrejection', (event) => failed('promise', event.reason))
  on('app.trouble', ({ message, words }) => showToast(inWords(message, words), { tone: 'bad' }))
}
