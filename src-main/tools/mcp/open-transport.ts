import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpServer } from '../contract'
import { boundedFetch } from './bounded-fetch'
import { BoundedStdio } from './bounded-stdio'
import { sharedRefresh } from './sign-in/shared-refresh'

type HttpServer = Extract<McpServer['transport'], { kind: 'http' }>
export type HttpTransport = StreamableHTTPClientTransport | SSEClientTransport

/** Streamable HTTP, or the older way of a stream for answers beside an address for questions. */
export type HttpWay = 'streamable' | 'older'

export interface HttpOptions {
  way: HttpWay
  /** Milliseconds the older way waits for its address. */
  startMs: number
  signIn: OAuthClientProvider | undefined
}

/** The older way can wait for its first event for ever, even after it was closed; this one ends. */
class OlderTransport extends SSEClientTransport {
  private giveUp: ((reason: Error) => void) | undefined

  constructor(
    url: URL,
    options: ConstructorParameters<typeof SSEClientTransport>[1],
    private readonly startMs: number,
  ) {
    super(url, options)
  }

  override async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const ended = new Promise<never>((_resolve, reject) => {
      this.giveUp = reject
      timer = setTimeout(() => reject(new Error('The server timed out.')), this.startMs)
    })
    try {
      await Promise.race([super.start(), ended])
    } finally {
      clearTimeout(timer)
    }
  }

  override async close(): Promise<void> {
    await super.close()
    this.giveUp?.(new Error('The connection was closed.'))
  }
}

/** A person's headers go to the server they were given for, and not to whoever it sends us to for a sign-in. */
function withHeaders(fetching: typeof fetch, { url, headers }: HttpServer): typeof fetch {
  const { origin } = new URL(url)
  return (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input)
    if (target.origin !== origin) return fetching(input, init)
    const all = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return fetching(input, { ...init, headers: all })
  }
}

export function openHttp(server: HttpServer, { way, startMs, signIn }: HttpOptions): HttpTransport {
  const url = new URL(server.url)
  const options = {
    fetch: sharedRefresh(withHeaders(boundedFetch(), server)),
    ...(signIn === undefined ? {} : { authProvider: signIn }),
  }
  return way === 'older' ? new OlderTransport(url, options, startMs) : new StreamableHTTPClientTransport(url, options)
}

/** The way to a server, not yet open. What a child process prints beside its messages goes to `onLog`. */
export function openTransport(
  transport: McpServer['transport'],
  onLog: (text: string) => void,
  options: HttpOptions,
): Transport {
  if (transport.kind === 'stdio') {
    const { command, args, env, cwd } = transport
    return new BoundedStdio({ command, args, env, ...(cwd === undefined ? {} : { cwd }) }, onLog)
  }
  // The SDK's classes declare `sessionId` as optional-undefined, which exact optional types tell apart.
  return openHttp(transport, options) as Transport
}

/** With which servers of the older kind, and those that know neither, answer a question asked the newer way. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 404, 405, 406, 415, 501])

/** Whether it is worth asking again the older way. */
export function mayBeOlder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && REFUSALS.has(error.code)
}
