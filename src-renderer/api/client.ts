import type { Calls, Events } from '../../src-main/app-contract'
import type { ErrorCode, OutputOf, RawInputOf } from '../../src-main/ipc/contract'
import { inWords } from '../i18n/said'
import type { LinkState, Transport } from './transport'
import { createWebTransport, takeToken } from './web-transport'

export type CallName = keyof Calls
export type CallInput<N extends CallName> = RawInputOf<Calls[N]>
export type CallOutput<N extends CallName> = OutputOf<Calls[N]>

/** A refused call. `message` is meant for people and says what to do next. */
export class CallError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: unknown,
  ) {
    super(message)
    this.name = 'CallError'
  }
}

let transport: Transport | null = null
const listeners = new Map<string, Set<(payload: never) => void>>()

function link(): Transport {
  transport ??= window.strata ?? createWebTransport({ token: takeToken() })
  return transport
}

/** For tests: everything after this goes through the given transport. */
export function setTransport(next: Transport | null): void {
  transport = next
  subscribed?.()
  subscribed = null
  if (next && listeners.size > 0) subscribe()
}

let subscribed: (() => void) | null = null
function subscribe(): void {
  subscribed ??= link().on((event) => {
    for (const listener of listeners.get(event.name) ?? []) listener(event.payload as never)
  })
}

/** One call of the treaty. Throws a `CallError` when it is refused. */
export async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const reply = await link().call(name, input)
  if (reply.ok) return reply.value as CallOutput<N>
  throw new CallError(reply.error.code, inWords(reply.error.message, reply.error.words), reply.error.details)
}

/** One event of the treaty. Returns the way to unsubscribe. */
export function on<N extends keyof Events>(name: N, listener: (payload: Events[N]) => void): () => void {
  const set = listeners.get(name) ?? new Set()
  listeners.set(name, set)
  set.add(listener as (payload: never) => void)
  subscribe()
  return () => set.delete(listener as (payload: never) => void)
}

/** Whether events arrive; always `open` behind the preload bridge. */
export function onLink(listener: (state: LinkState) => void): () => void {
  const current = link()
  if (current.onLink) return current.onLink(listener)
  listener('open')
  return () => undefined
}
