import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { RawResult } from '../tool'
import type { McpLimits } from './mcp-limits'
import { callResult, readResult } from './read-result'

export interface ToolCall {
  name: string
  given: Record<string, unknown>
  signal: AbortSignal
  progress: (text: string) => void
}

export const STOPPED: RawResult = { outcome: 'stopped', text: 'The call was stopped.' }

/** A stopped call and one that takes too long are cancelled at the server. @throws what the server or the line did */
export async function callTool(client: Client, call: ToolCall, limits: McpLimits): Promise<RawResult> {
  const { name, given, signal } = call
  try {
    const result = await client.request({ method: 'tools/call', params: { name, arguments: given } }, callResult, {
      signal,
      timeout: limits.call,
      resetTimeoutOnProgress: true,
      maxTotalTimeout: limits.longestCall,
      onprogress: ({ progress, total, message }) =>
        call.progress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
    })
    return readResult(result)
  } catch (error) {
    if (signal.aborted) return STOPPED
    if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
      return { outcome: 'timed_out', text: `The tool did not answer within ${limits.call / 1000} seconds.` }
    throw error
  }
}

/** The request did not reach a tool: nobody listens, or the server has forgotten this session since it restarted. */
export function neverRan(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ECONNREFUSED') return true
  const status = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const text = error instanceof Error ? error.message : ''
  return status === 404 || (status === 400 && /session/i.test(text))
}
