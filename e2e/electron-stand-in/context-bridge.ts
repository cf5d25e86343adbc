/**
 * The bridge between a page's own world and the preload's isolated one. It is injected twice, as text, with the name
 * of its side. Values cross by structured clone (of a CustomEvent's detail); functions become proxies.
 */
export function contextBridge(role: 'main' | 'preload') {
  type Wrapped = { t: 'f' | 'e' | 'a' | 'o' | 'v'; id?: string; name?: string; message?: string; v?: unknown }
  type Outcome = { promise?: boolean; error?: Wrapped; value?: Wrapped }
  type Waiting = {
    now?: (outcome: Outcome) => void
    done?: (value: unknown) => void
    failed?: (error: unknown) => void
  }
  type Message = Outcome & { kind: string; key?: string; id?: string; call?: string; args?: Wrapped[] }

  const MAX_DEPTH = 50
  const other = role === 'main' ? 'preload' : 'main'
  const functions = new Map<string, (...args: unknown[]) => unknown>()
  const waiting = new Map<string, Waiting>()
  let sequence = 0

  const post = (message: Message) =>
    window.dispatchEvent(new CustomEvent(`\u0000stand-in:${other}`, { detail: message }))

  const isPlain = (value: unknown): value is object =>
    typeof value === 'object' &&
    value !== null &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

  const wrap = (value: unknown, depth = 0): Wrapped => {
    if (depth > MAX_DEPTH) throw new Error('contextBridge: value nested too deep')
    if (typeof value === 'symbol') throw new TypeError('contextBridge: an object could not be cloned')
    if (typeof value === 'function') {
      const id = `${role}${++sequence}`
      functions.set(id, value as (...args: unknown[]) => unknown)
      return { t: 'f', id }
    }
    if (value instanceof Error) return { t: 'e', name: value.name, message: value.message }
    if (Array.isArray(value)) return { t: 'a', v: value.map((inner) => wrap(inner, depth + 1)) }
    if (isPlain(value)) {
      return {
        t: 'o',
        v: Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wrap(inner, depth + 1)])),
      }
    }
    return { t: 'v', v: value }
  }

  const proxyOf =
    (id: string) =>
    (...args: unknown[]): unknown => {
      const call = `${role}:${++sequence}`
      let outcome: Outcome | undefined
      waiting.set(call, {
        now: (reply) => {
          outcome = reply
        },
      }) // prettier-ignore
      post({ kind: 'call', id, call, args: args.map((argument) => wrap(argument)) })
      if (!outcome) throw new Error('contextBridge: no answer')
      if (outcome.promise) return new Promise((done, failed) => waiting.set(call, { done, failed }))
      waiting.delete(call)
      if (outcome.error) throw unwrap(outcome.error)
      return outcome.value ? unwrap(outcome.value) : undefined
    }

  const unwrap = (wrapped: Wrapped): unknown => {
    if (wrapped.t === 'f') return proxyOf(String(wrapped.id))
    if (wrapped.t === 'e') return Object.assign(new Error(wrapped.message), { name: wrapped.name })
    if (wrapped.t === 'a') return (wrapped.v as Wrapped[]).map(unwrap)
    if (wrapped.t !== 'o') return wrapped.v
    return Object.fromEntries(Object.entries(wrapped.v as object).map(([key, inner]) => [key, unwrap(inner)]))
  }

  const freeze = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    Object.values(value).forEach(freeze)
    return Object.freeze(value)
  }

  const asError = (error: unknown) => wrap(error instanceof Error ? error : new Error(String(error)))

  const answer = ({ id = '', call = '', args = [] }: Message) => {
    try {
      const result = functions.get(id)?.(...args.map(unwrap))
      if (!(result instanceof Promise)) return post({ kind: 'now', call, value: wrap(result) })
      post({ kind: 'now', call, promise: true })
      result.then(
        (value) => post({ kind: 'later', call, value: wrap(value) }),
        (error) => post({ kind: 'later', call, error: asError(error) }),
      )
    } catch (error) {
      post({ kind: 'now', call, error: asError(error) })
    }
  }

  const settle = ({ call = '', error, value }: Message) => {
    const entry = waiting.get(call)
    waiting.delete(call)
    if (error) entry?.failed?.(unwrap(error))
    else entry?.done?.(value && unwrap(value))
  }

  const define = ({ key = '', value }: Message) =>
    Object.defineProperty(window, key, { value: freeze(value && unwrap(value)), enumerable: true })

  const receive = (message: Message) => {
    if (message.kind === 'expose') define(message)
    else if (message.kind === 'call') answer(message)
    else if (message.kind === 'now') waiting.get(message.call ?? '')?.now?.(message)
    else if (message.kind === 'later') settle(message)
  }
  window.addEventListener(
    `\u0000stand-in:${role}`,
    (event) => {
      event.stopImmediatePropagation()
      receive((event as CustomEvent<Message>).detail)
    },
    true,
  )
  return { expose: (key: string, api: unknown) => post({ kind: 'expose', key, value: wrap(api) }) }
}
