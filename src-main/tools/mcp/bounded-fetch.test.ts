import { createServer, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { textOf } from '../../ipc/said-contract'
import { boundedFetch } from './bounded-fetch'
import { McpConnection } from './mcp-connection'
import { MCP_LIMITS } from './mcp-limits'

let web: Server | undefined
afterEach(() => {
  web?.closeAllConnections()
  web?.close()
})

/** A server that sends the piece again and again, until `times` or for ever. */
async function sends(contentType: string, piece: string, times = Number.POSITIVE_INFINITY): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': contentType })
    let sent = 0
    const more = () => {
      sent += 1
      if (sent > times) response.end()
      else if (!response.destroyed) response.write(piece, more)
    }
    more()
  })
  web = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`
}

test('an answer without an end is cut off', async () => {
  const url = await sends('application/json', ' '.repeat(1000))
  const response = await boundedFetch(100_000)(url)
  await expect(response.text()).rejects.toThrow(/more than 100000 bytes/)
})

test('so is an event without an end; many short ones may go on', async () => {
  const long = await boundedFetch(100_000)(await sends('text/event-stream', 'x'.repeat(1000)))
  await expect(long.text()).rejects.toThrow(/more than 100000 bytes/)
  web?.closeAllConnections()
  const short = await boundedFetch(100_000)(await sends('text/event-stream', 'data: 1\n\n', 50_000))
  expect(await short.text()).toHaveLength(450_000)
})

test('a web page in the place of a server, and one that never answers, fail with what to do', async () => {
  const connect = async (url: string) => {
    const transport = { kind: 'http' as const, url, headers: {} }
    const limits = { ...MCP_LIMITS, start: 500 }
    const server = new McpConnection({ name: 'web', transport, secrets: [], limits }, () => undefined)
    await server.ensure(15_000)
    await server.close()
    return textOf(server.lastError ?? '')
  }
  expect(await connect(await sends('text/html', '<h1>Welcome</h1>', 1))).toMatch(/is no MCP server/)
  expect(await connect(await sends('text/event-stream', ': wait\n\n', 0))).toBeDefined()
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  expect(await connect(`http://127.0.0.1:${port}/`)).toMatch(/did not answer in time/)
  silent.closeAllConnections()
  silent.close()
})
