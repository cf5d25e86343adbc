import { type Said, said } from '../../ipc/said-contract'
import type { McpServer } from '../contract'

/** Words for how a connection failed, ending in what to do. */
export function startProblem(error: unknown, transport: McpServer['transport']): Said {
  const text = error instanceof Error ? error.message : String(error)
  return transport.kind === 'stdio'
    ? (stdioProblem(text, transport.command) ?? text)
    : (httpProblem(text, error, transport.url) ?? text)
}

function stdioProblem(text: string, command: string): Said | undefined {
  if (/ENOENT/.test(text))
    return said`The command “${command}” or its working folder was not found. Check the spelling, or give the full path.`
  if (/EACCES/.test(text)) return said`The command “${command}” may not be executed. Check its permissions.`
  if (/tim(ed|e) ?out/i.test(text)) return 'It started but did not answer in time. The log shows what it printed.'
  if (/closed/i.test(text)) return 'It ended right after the start. The log shows what it printed.'
  return undefined
}

function httpProblem(text: string, error: unknown, url: string): Said | undefined {
  const status = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const address = withoutQuery(url)
  if (/ECONNREFUSED|fetch failed/i.test(text))
    return said`Nothing answers at ${address}. Start the server or check the address.`
  if (status === 401 || status === 403 || /\b40[13]\b/.test(text))
    return 'The server refused the sign-in. Check the headers.'
  if (status === 404 || /\b404\b/.test(text)) return said`There is no MCP server at ${address}. Its path is often /mcp.`
  if (/content type/i.test(text)) return said`What answers at ${address} is no MCP server. Its path is often /mcp.`
  if (/tim(ed|e) ?out/i.test(text)) return said`${address} did not answer in time. Check that it is an MCP server.`
  return undefined
}

/** What stands behind the question mark may be a key. */
function withoutQuery(address: string): string {
  const url = new URL(address)
  return `${url.origin}${url.pathname}`
}
