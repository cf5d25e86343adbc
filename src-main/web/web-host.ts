import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { RunningApp } from '../app-host'
import { PAGE_HEADERS, type RendererFile, readRendererFile } from '../host/renderer-files'
import { createEventStream, type EventStream } from './event-stream'
import { MAX_BODY_BYTES, readBody } from './read-body'
import { hasToken, isOwnRequest, knownHosts, saysTwice, targetOf } from './request-guard'

export interface WebHostOptions {
  app: RunningApp
  /** Gives the page's files by URL path. */
  readPage?: (pathname: string) => Promise<RendererFile | undefined>
  rendererDir: string
  token: string
  host: string
  /** 0 lets the system choose. */
  port: number
  /** Further `name:port` values a proxy in front may send as Host. */
  allowedHosts?: readonly string[]
  maxBodyBytes?: number
  log: Logger
}

export interface WebHost {
  /** With a closing slash. */
  readonly url: string
  /** Closes the app while readers still listen, then ends their streams. */
  close(): Promise<void>
}

interface Site extends WebHostOptions {
  events: EventStream
  hosts: ReadonlySet<string>
}

/** How long a client may go on sending a refused body before it is cut off. Closing at once would hide the answer. */
const DRAIN_MS = 5000

/** Serves the app over HTTP. Rejects when the address cannot be bound. */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const events = createEventStream({ runId: randomBytes(6).toString('hex') })
  const unsubscribe = options.app.subscribe((event) => events.send(event))
  const site: Site = { ...options, events, hosts: new Set() }
  const server = createServer((request, response) => {
    // a client that leaves in the middle is no failure of ours
    for (const side of [request, response]) side.on('error', () => response.destroy())
    answer(site, request, response).catch((error: unknown) => {
      options.log.error({ err: error, path: request.url?.split('?')[0] }, 'request failed')
      if (response.headersSent) response.destroy()
      else plain(response, 500, 'The request failed. The log in the data folder has the details.')
    })
  })
  // a large import over a slow line may take a while; headers may not
  server.requestTimeout = 10 * 60 * 1000
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(options.port, options.host, done)
  })
  server.on('error', (error) => options.log.error({ err: error }, 'the server failed'))
  // what cannot be read as a request is answered, and its connection ends
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    else socket.destroy()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  site.hosts = knownHosts(options.host, port, options.allowedHosts)
  return {
    url: `http://${urlHost(options.host)}:${port}/`,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      await options.app.close()
      unsubscribe()
      events.close()
      server.closeIdleConnections()
      const cut = setTimeout(() => server.closeAllConnections(), 1000)
      await closed
      clearTimeout(cut)
    },
  }
}

async function answer(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = targetOf(request.url ?? '/', request.headers)
  if (target === undefined || saysTwice(request.rawHeaders) || !isOwnRequest(request.headers, site.hosts))
    return plain(response, 403, 'This address or origin is not allowed.')
  const pathname = target.split(/[?#]/)[0] ?? '/'
  if (pathname === '/api/call') return answerCall(site, request, response)
  if (pathname === '/api/events') return answerEvents(site, request, response)
  return answerPage(site, request, response, { pathname, target })
}

async function answerCall(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!hasToken(request.headers, site.token)) return refuse(request, response, 401)
  if (request.method !== 'POST') return refuse(request, response, 405)
  const body = await readBody(request, site.maxBodyBytes ?? MAX_BODY_BYTES)
  if (body.kind === 'too-large') return refuse(request, response, 413)
  if (body.kind === 'not-json') return plain(response, 400, 'The body is not JSON.')
  const { value } = body
  const fields = typeof value === 'object' && value !== null ? value : {}
  const name = 'name' in fields ? fields.name : undefined
  const started = performance.now()
  const reply = await site.app.call(name, 'input' in fields ? fields.input : undefined)
  const ms = Math.round(performance.now() - started)
  site.log.debug({ call: String(name).slice(0, 80), ms, code: reply.ok ? 'ok' : reply.error.code }, 'call')
  response.writeHead(200, {
    ...PAGE_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  })
  response.end(JSON.stringify(reply))
}

async function answerEvents(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!hasToken(request.headers, site.token)) return refuse(request, response, 401)
  if (request.method !== 'GET') return refuse(request, response, 405)
  const last = request.headers['last-event-id']
  site.events.open(response, typeof last === 'string' ? last : undefined, PAGE_HEADERS)
}

async function answerPage(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, target }: { pathname: string; target: string },
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(request, response, 405)
  const file = site.readPage ? await site.readPage(target) : await readRendererFile(site.rendererDir, pathname)
  if (!file) return plain(response, 404, 'There is no such file.')
  response.writeHead(200, { ...file.headers, 'Content-Length': file.body.length })
  response.end(request.method === 'HEAD' ? undefined : file.body)
}

const REFUSALS = {
  401: 'A token is needed. It is printed where the app was started.',
  405: 'This method is not allowed here.',
  413: 'The body is too large.',
} as const

/** Answers before the body was read: the rest is drained for a moment, then the connection is cut. */
function refuse(request: IncomingMessage, response: ServerResponse, status: keyof typeof REFUSALS): void {
  response.setHeader('Connection', 'close')
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  plain(response, status, REFUSALS[status])
  request.resume()
  const cut = setTimeout(() => request.destroy(), DRAIN_MS)
  request.on('close', () => clearTimeout(cut))
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...PAGE_HEADERS,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  })
  response.end(`${text}\n`)
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
