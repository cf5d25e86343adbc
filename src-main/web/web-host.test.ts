import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request as rawRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RunningApp } from '../app-host'
import type { EventMessage } from '../ipc/contract'
import { call } from '../ipc/contract'
import { createRouter } from '../ipc/router'
import { startWebHost, type WebHost } from './web-host'

const TOKEN = 'a-token-for-tests'

/** A small app over the real router: what the host must carry, without the rooms behind it. */
function smallApp() {
  const listeners = new Set<(event: EventMessage) => void>()
  const router = createRouter(() => {})
  router.register(
    { 'text.echo': call<string>()(z.strictObject({ text: z.string() })) },
    { 'text.echo': ({ text }) => text },
  )
  const said: string[] = []
  const app: RunningApp = {
    call: (name, input) => router.dispatch(name, input),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    noteStorage: () => false,
    tell: () => undefined,
    async close() {
      said.push('closed')
      for (const listener of listeners) listener({ name: 'turn.failed', payload: { code: 'stopped' } })
    },
    version: '1.0.0',
    dataDir: '/nowhere',
  }
  const emit = (name: string, payload: unknown = {}) => {
    for (const listener of listeners) listener({ name, payload })
  }
  return { app, emit, said }
}

/** Reads a stream of events until `count` came. */
async function readEvents(response: Response, count: number) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const events: { id: string; name: string; payload: unknown }[] = []
  while (reader && events.length < count) {
    const { value, done } = await reader.read()
    if (done) break
    text += value
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const id = /^id: (.+)$/m.exec(frame)?.[1]
      const data = /^data: (.+)$/m.exec(frame)?.[1]
      if (id && data) events.push({ id, ...JSON.parse(data) })
    }
  }
  return { events, close: () => reader?.cancel() }
}

describe('the web host', () => {
  let dir: string
  let host: WebHost
  let small: ReturnType<typeof smallApp>

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'strata-web-'))
    const rendererDir = join(dir, 'renderer')
    mkdirSync(join(rendererDir, 'assets'), { recursive: true })
    writeFileSync(join(rendererDir, 'index.html'), '<title>Strata</title>')
    writeFileSync(join(rendererDir, 'assets/index-1.js'), 'export {}')
    writeFileSync(join(dir, 'secret.txt'), 'secret')
    symlinkSync(join(dir, 'secret.txt'), join(rendererDir, 'link.txt'))
    small = smallApp()
    host = await startWebHost({
      app: small.app,
      rendererDir,
      token: TOKEN,
      host: '127.0.0.1',
      port: 0,
      maxBodyBytes: 1000,
      log: pino({ level: 'silent' }),
    })
  })

  afterEach(async () => {
    await host.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${host.url}api/call`, { method: 'POST', body, headers: { Authorization: `Bearer ${TOKEN}`, ...headers } })

  /** Sends headers that fetch would not let through, and the path unchanged. */
  const raw = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number | undefined; text: string }>((done, failed) => {
      const { port } = new URL(host.url)
      const sent = rawRequest({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        answer.on('end', () => done({ status: answer.statusCode, text }))
      })
      sent.on('error', failed)
      sent.end()
    })

  describe('calls', () => {
    it('answers with the reply, 200 for both kinds', async () => {
      const good = await post('{"name":"text.echo","input":{"text":"héllo 你好"}}')
      expect([good.status, await good.json()]).toEqual([200, { ok: true, value: 'héllo 你好' }])
      const bad = await post('{"name":"text.echo","input":{"text":"x","more":1}}')
      expect(bad.status).toBe(200)
      expect(await bad.json()).toMatchObject({ ok: false, error: { code: 'bad_input', details: { path: 'more' } } })
    })

    it('refuses what is not JSON with 400', async () => {
      expect((await post('{"name":')).status).toBe(400)
      expect((await post('')).status).toBe(400)
      const brokenText = new Uint8Array([0x22, 0xff, 0x22])
      const answer = await fetch(`${host.url}api/call`, {
        method: 'POST',
        body: brokenText,
        headers: { Authorization: `Bearer ${TOKEN}` },
      })
      expect(answer.status).toBe(400)
    })

    it('answers JSON without a call name as bad input', async () => {
      for (const body of ['[]', 'null', '"x"', '{}']) {
        expect(await (await post(body)).json()).toMatchObject({ ok: false, error: { code: 'bad_input' } })
      }
    })

    it('refuses no token, a wrong one, and a longer one with 401', async () => {
      for (const given of ['', 'Bearer wrong', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
        expect((await post('{}', { Authorization: given })).status).toBe(401)
      }
    })

    it('refuses bodies past the limit with 413, also when no length is given', async () => {
      expect((await post('x'.repeat(1001))).status).toBe(413)
      const endless = new ReadableStream({
        start(controller) {
          for (let part = 0; part < 3; part++) controller.enqueue(new TextEncoder().encode('y'.repeat(600)))
          controller.close()
        },
      })
      const chunked: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        body: endless,
        duplex: 'half',
        headers: { Authorization: `Bearer ${TOKEN}` },
      }
      expect((await fetch(`${host.url}api/call`, chunked)).status).toBe(413)
    })

    it('allows POST only', async () => {
      const answer = await fetch(`${host.url}api/call`, { headers: { Authorization: `Bearer ${TOKEN}` } })
      expect(answer.status).toBe(405)
    })
  })

  describe('who may ask', () => {
    const authorised = { Authorization: `Bearer ${TOKEN}` }

    it('refuses a foreign Host with 403, for pages too', async () => {
      expect((await raw('/', { Host: 'evil.example' })).status).toBe(403)
      expect((await raw('/api/events', { ...authorised, Host: '127.0.0.1:1' })).status).toBe(403)
      const { port } = new URL(host.url)
      expect((await raw('/', { Host: `localhost:${port}` })).status).toBe(200)
    })

    it('refuses what is said twice, and a whole address of another host, with 403', async () => {
      const name = new URL(host.url).host
      const first = (lines: string[]) =>
        new Promise<string>((done, failed) => {
          const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
          let text = ''
          socket.on('data', (chunk) => {
            text += chunk
          })
          socket.on('error', failed)
          socket.on('close', () => done(text.split(' ')[1] ?? ''))
          socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
        })
      const bearer = `Authorization: Bearer ${TOKEN}`
      expect(await first(['GET / HTTP/1.1', `Host: ${name}`])).toBe('200')
      expect(await first(['GET / HTTP/1.1', `Host: ${name}`, 'Host: evil.example'])).toMatch(/^40[03]$/)
      expect(await first(['GET / HTTP/1.1', 'Host: evil.example', `Host: ${name}`])).toMatch(/^40[03]$/)
      expect(await first(['GET / HTTP/1.1', `Host: ${name}`, `host: ${name}`])).toMatch(/^40[03]$/)
      const origin = `Origin: http://${name}`
      expect(await first(['GET / HTTP/1.1', `Host: ${name}`, origin, 'Origin: https://evil.example'])).toBe('403')
      expect(await first(['GET /api/events HTTP/1.1', `Host: ${name}`, bearer, 'Authorization: Bearer x'])).toBe('403')
      expect(await first([`GET http://evil.example/ HTTP/1.1`, `Host: ${name}`])).toBe('403')
      expect(await first([`GET http://${name}@evil.example/ HTTP/1.1`, `Host: ${name}`])).toBe('403')
      expect(await first([`GET http://${name}/ HTTP/1.1`, `Host: ${name}`])).toBe('200')
      expect(await first([`GET ftp://${name}/ HTTP/1.1`, `Host: ${name}`])).toBe('403')
    })

    it('refuses a foreign Origin with 403 and takes its own', async () => {
      const echo = '{"name":"text.echo","input":{"text":"x"}}'
      expect((await post(echo, { Origin: 'https://evil.example' })).status).toBe(403)
      expect((await post(echo, { Origin: 'null' })).status).toBe(403)
      expect((await post(echo, { Origin: new URL(host.url).origin })).status).toBe(200)
    })

    it('refuses what a browser marks as cross-site', async () => {
      const { host: name } = new URL(host.url)
      expect((await raw('/', { Host: name, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
      expect((await raw('/', { Host: name, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
    })
  })

  describe('events', () => {
    const open = (lastEventId?: string) =>
      fetch(`${host.url}api/events`, {
        headers: { Authorization: `Bearer ${TOKEN}`, ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) },
      })

    it('needs the token', async () => {
      expect((await fetch(`${host.url}api/events`)).status).toBe(401)
    })

    it('streams events in order, each with its own id', async () => {
      const response = await open()
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      small.emit('a', { n: 1 })
      small.emit('b', { text: 'line\nbreak' })
      const { events, close } = await readEvents(response, 2)
      expect(events.map(({ name, payload }) => ({ name, payload }))).toEqual([
        { name: 'a', payload: { n: 1 } },
        { name: 'b', payload: { text: 'line\nbreak' } },
      ])
      expect(new Set(events.map((event) => event.id)).size).toBe(2)
      await close()
    })

    it('replays exactly what was missed', async () => {
      const first = await open()
      small.emit('a')
      const { events, close } = await readEvents(first, 1)
      await close()
      small.emit('b')
      small.emit('c')
      const again = await readEvents(await open(events[0]?.id), 2)
      expect(again.events.map((event) => event.name)).toEqual(['b', 'c'])
      await again.close()
    })

    it('lets a reader begin where it connected, through the response header', async () => {
      small.emit('before')
      const start = (await open()).headers.get('last-event-id') ?? ''
      small.emit('after')
      const { events, close } = await readEvents(await open(start), 1)
      expect(events.map((event) => event.name)).toEqual(['after'])
      await close()
    })

    it('says resync past the buffer, and for ids of another run', async () => {
      const start = (await open()).headers.get('last-event-id') ?? ''
      for (let n = 0; n < 2001; n++) small.emit('many', n)
      for (const stale of [start, 'other-1', `${start}99999`, 'nonsense']) {
        const { events, close } = await readEvents(await open(stale), 1)
        expect(events[0]).toMatchObject({ name: 'resync' })
        await close()
      }
    })

    it('ends after the last words of the app', async () => {
      const response = await open()
      await host.close()
      const { events } = await readEvents(response, 5)
      expect(events.map((event) => event.name)).toEqual(['turn.failed'])
      expect(small.said).toContain('closed')
    })
  })

  describe('the page', () => {
    it('is served under its policy, uncached; hashed assets are kept', async () => {
      const page = await fetch(host.url)
      expect(await page.text()).toContain('Strata')
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('set-cookie')).toBeNull()
      const asset = await fetch(`${host.url}assets/index-1.js`)
      expect(asset.headers.get('content-type')).toContain('text/javascript')
      expect(asset.headers.get('cache-control')).toContain('immutable')
    })

    it('stays inside its folder', async () => {
      const { host: name } = new URL(host.url)
      const paths = [
        '/../secret.txt',
        '/%2e%2e/secret.txt',
        '/assets/..%2f..%2fsecret.txt',
        '/..\\secret.txt',
        '/link.txt',
      ]
      for (const path of [...paths, '/%00', '/%zz', '//etc/passwd', '/assets', '/missing.js', '/api/other']) {
        const answer = await raw(path, { Host: name })
        expect([path, answer.status]).toEqual([path, 404])
        expect(answer.text).not.toContain('secret')
      }
    })
  })
})
