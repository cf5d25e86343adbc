// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EventMessage } from '../../src-main/ipc/contract'
import { readServerEvents } from './server-events'
import { createWebTransport, takeToken } from './web-transport'

const bytes = (...pieces: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })

afterEach(() => sessionStorage.clear())

describe('takeToken', () => {
  it('takes it out of the address and remembers it for the tab', () => {
    const replace = vi.spyOn(history, 'replaceState')
    expect(takeToken({ hash: '#token=abc', pathname: '/', search: '?x=1' })).toBe('abc')
    expect(replace).toHaveBeenCalledWith(history.state, '', '/?x=1')
    expect(takeToken({ hash: '', pathname: '/', search: '' })).toBe('abc')
  })
})

it('reads events across broken pieces and skips comments', async () => {
  const events = []
  for await (const event of readServerEvents(bytes('retry: 1\n\n: hi\n\nid: r-1\nda', 'ta: {"a":1}\n\n')))
    events.push(event)
  expect(events).toEqual([{ id: 'r-1', data: '{"a":1}' }])
})

describe('calls', () => {
  it('carry the token and give replies as they are', async () => {
    const ask = vi.fn(async (_url: string, _init?: RequestInit) => Response.json({ ok: true, value: 7 }))
    const transport = createWebTransport({ token: 'abc', fetch: ask as unknown as typeof fetch })
    expect(await transport.call('app.info', {})).toEqual({ ok: true, value: 7 })
    const [url, init] = ask.mock.calls[0] ?? []
    expect(url).toBe('/api/call')
    expect(new Headers(init?.headers).get('Authorization')).toBe('Bearer abc')
  })

  it('say what to do when nobody answers or the token is wrong', async () => {
    const dead = createWebTransport({ token: '', fetch: () => Promise.reject(new TypeError('refused')) })
    expect(await dead.call('app.info', {})).toMatchObject({ ok: false, error: { message: /still running/ } })
    const shut = createWebTransport({ token: '', fetch: async () => new Response('', { status: 401 }) })
    expect(await shut.call('app.info', {})).toMatchObject({ ok: false, error: { message: /valid key/ } })
  })
})

it('comes back with the last event id after a break', async () => {
  const asked: (string | null)[] = []
  const frame = (id: number) => `id: run-${id}\ndata: {"name":"n","payload":${id}}\n\n`
  const ask = async (_url: string, init?: RequestInit) => {
    asked.push(new Headers(init?.headers).get('Last-Event-ID'))
    if (asked.length > 2) return new Response('', { status: 401 })
    return new Response(bytes(frame(asked.length)))
  }
  const transport = createWebTransport({ token: 't', fetch: ask as unknown as typeof fetch })
  const seen: EventMessage[] = []
  transport.on((event) => seen.push(event))
  await vi.waitFor(() => expect(asked).toHaveLength(3), { timeout: 5000 })
  expect(asked).toEqual([null, 'run-1', 'run-2'])
  expect(seen.map((event) => event.payload)).toEqual([1, 2])
})

it('lets the calls of a page that goes outlive it', async () => {
  const asked: (boolean | undefined)[] = []
  const ask = async (_url: string, init?: RequestInit) => {
    asked.push(init?.keepalive)
    return Response.json({ ok: true, value: null })
  }
  const transport = createWebTransport({ token: 't', fetch: ask as unknown as typeof fetch })
  await transport.call('app.info', {})
  window.dispatchEvent(new Event('pagehide'))
  await transport.call('app.info', {})
  await transport.call('app.info', { text: 'x'.repeat(70_000) })
  window.dispatchEvent(new Event('pageshow'))
  await transport.call('app.info', {})
  expect(asked).toEqual([false, true, false, false])
})
