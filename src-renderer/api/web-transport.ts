import type { EventMessage, Reply } from '../../src-main/ipc/contract'
import { readServerEvents } from './server-events'
import { type LinkState, type Transport, UNANSWERED } from './transport'

const TOKEN_KEY = 'strata.token'
/** UTF-16 units; the limit of browsers is 64 KiB for everything on its way. */
const OUTLIVES_PAGE = 20_000
const RETRY_MS = [250, 500, 1000, 2000, 5000]

export interface WebTransportOptions {
  token: string
  /** Where the host answers, without a closing slash; '' = the page's own origin. */
  origin?: string
  fetch?: typeof fetch
}

/** Takes the token out of the URL fragment, keeps it for this tab and removes it from the address bar. */
export function takeToken(place: Pick<Location, 'hash' | 'pathname' | 'search'> = location): string {
  const fragment = new URLSearchParams(place.hash.replace(/^#/, ''))
  const given = fragment.get('token')
  if (given) {
    sessionStorage.setItem(TOKEN_KEY, given)
    history.replaceState(history.state, '', place.pathname + place.search)
  }
  return given ?? sessionStorage.getItem(TOKEN_KEY) ?? ''
}

const unreachable = (message: string, details?: unknown): Reply<never> => ({
  ok: false,
  error: { code: 'internal', message, ...(details === undefined ? {} : { details }) },
})

/** Speaks `POST /api/call` and reads `GET /api/events`, coming back with `Last-Event-ID` after a break. */
export function createWebTransport({ token, origin = '', fetch: ask = fetch }: WebTransportOptions): Transport {
  const listeners = new Set<(event: EventMessage) => void>()
  const linkListeners = new Set<(state: LinkState) => void>()
  let link: LinkState = 'connecting'
  let lastEventId = ''
  let running = false

  // a page that goes takes its calls along, unless they are told to outlive it; a browser lets few bytes do that
  let leaving = false
  addEventListener('pagehide', () => (leaving = true), { capture: true })
  addEventListener('pageshow', () => (leaving = false))

  const headers = { Authorization: `Bearer ${token}` }
  const setLink = (state: LinkState) => {
    link = state
    for (const listener of linkListeners) listener(state)
  }

  async function listenOnce(): Promise<void> {
    const reply = await ask(`${origin}/api/events`, {
      headers: { ...headers, ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) },
    })
    if (reply.status === 401 || reply.status === 403) return setLink('refused')
    if (!reply.ok || !reply.body) throw new Error(`events answered ${reply.status}`)
    lastEventId ||= reply.headers.get('Last-Event-ID') ?? ''
    setLink('open')
    for await (const { id, data } of readServerEvents(reply.body)) {
      if (id) lastEventId = id
      const event = JSON.parse(data) as EventMessage
      for (const listener of listeners) listener(event)
    }
    throw new Error('events ended')
  }

  async function listen(): Promise<void> {
    for (let failures = 0; link !== 'refused'; failures++) {
      const before = lastEventId
      await listenOnce().catch(() => setLink('lost'))
      if (lastEventId !== before) failures = 0
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]))
    }
    running = false
  }

  return {
    async call(name, input) {
      let reply: Response
      const body = JSON.stringify({ name, input })
      try {
        reply = await ask(`${origin}/api/call`, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body,
          keepalive: leaving && body.length <= OUTLIVES_PAGE,
        })
      } catch {
        return unreachable('The app does not answer. Check that it is still running, then try again.', UNANSWERED)
      }
      if (reply.status === 401)
        return unreachable('This page has no valid key. Open the address the app printed again.')
      const answer: unknown = await reply.json().catch(() => null)
      if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer as Reply<unknown>
      return unreachable(`The app answered ${reply.status}. Reload the page and try again.`)
    },
    on(listener) {
      listeners.add(listener)
      if (!running) {
        running = true
        void listen()
      }
      return () => listeners.delete(listener)
    },
    onLink(listener) {
      linkListeners.add(listener)
      listener(link)
      return () => linkListeners.delete(listener)
    },
  }
}
