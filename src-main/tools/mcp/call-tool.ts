import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { RawResult, RunContext } from '../tool'
import type { ListedTool } from './listing'
import type { McpLimits } from './mcp-limits'
import { callResult, readResult } from './read-result'

export interface ToolCall {
  name: string
  given: Record<string, unknown>
  signal: AbortSignal
  progress: (text: string) => void
  /** Why it must not run with what the server lists now. */
  refuses: (tools: readonly ListedTool[]) => string | undefined
  /** Puts a form of the server's before the person. */
  ask: RunContext['ask']
}

/** A call on its way. */
export interface RunningCall extends ToolCall {
  /** How often its server has asked the person something. */
  forms: number
  /** The time a person takes to answer is not the tool's. */
  pause: () => void
  goOn: () => void
}

export const STOPPED: RawResult = { outcome: 'stopped', text: 'The call was stopped.' }

/** Ends what it watches when nothing happened for `ms`, unless it is paused. */
function patience(ms: number) {
  const control = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let paused = 0
  const rest = () => clearTimeout(timer)
  const begin = () => {
    rest()
    if (paused === 0) timer = setTimeout(() => control.abort(), ms)
  }
  begin()
  return {
    signal: control.signal,
    begin,
    end: rest,
    pause() {
      paused += 1
      rest()
    },
    goOn() {
      paused -= 1
      begin()
    },
  }
}

/** A stopped call and one that takes too long are cancelled at the server. @throws what the server or the line did */
export async function callTool(
  client: Client,
  call: ToolCall,
  limits: McpLimits,
  running: Set<RunningCall>,
): Promise<RawResult> {
  const { name, given, signal } = call
  const idle = patience(limits.call)
  const mine: RunningCall = { ...call, forms: 0, pause: idle.pause, goOn: idle.goOn }
  running.add(mine)
  try {
    const result = await client.request({ method: 'tools/call', params: { name, arguments: given } }, callResult, {
      signal: AbortSignal.any([signal, idle.signal]),
      timeout: limits.longestCall,
      onprogress: ({ progress, total, message }) => {
        idle.begin()
        call.progress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`))
      },
    })
    return readResult(result)
  } catch (error) {
    if (signal.aborted) return STOPPED
    if (idle.signal.aborted)
      return { outcome: 'timed_out', text: `The tool did not answer within ${limits.call / 1000} seconds.` }
    if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
      return { outcome: 'timed_out', text: `The tool was not done within ${limits.longestCall / 60_000} minutes.` }
    throw error
  } finally {
    idle.end()
    running.delete(mine)
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
