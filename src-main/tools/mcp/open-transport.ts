import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpServer } from '../contract'
import { boundedFetch } from './bounded-fetch'
import { BoundedStdio } from './bounded-stdio'

/** The way to a server, not yet open. What a child process prints beside its messages goes to `onLog`. */
export function openTransport(transport: McpServer['transport'], onLog: (text: string) => void): Transport {
  if (transport.kind === 'stdio') {
    const { command, args, env, cwd } = transport
    return new BoundedStdio({ command, args, env, ...(cwd === undefined ? {} : { cwd }) }, onLog)
  }
  // The SDK's class declares `sessionId` as optional-undefined, which exact optional types tell apart.
  return new StreamableHTTPClientTransport(new URL(transport.url), {
    fetch: boundedFetch(),
    requestInit: { headers: transport.headers },
  }) as Transport
}
