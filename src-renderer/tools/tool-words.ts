import type { TFunction } from 'i18next'
import type { McpServer, ToolListing } from '../../src-main/tools/contract'
import { inWords } from '../i18n/said'

/** Why a tool is not there, in one line; '' when it is. */
export function reasonWords(tool: ToolListing, t: TFunction<'tools'>): string {
  if (!tool.reason) return ''
  const words = t(`reason.${tool.reason}`)
  return tool.reasonDetail ? `${words}: ${inWords(tool.reasonDetail, tool.reasonWords)}` : words
}

/** Where a tool comes from: `files · MCP`, `built in`, `command`. */
export function originWords({ origin, server }: ToolListing, t: TFunction<'tools'>): string {
  return server ? `${server} · ${t(`origin.${origin}`)}` : t(`origin.${origin}`)
}

/** How a server is doing, as the list and its page call it. */
export function stateOf({ enabled, signIn, state }: McpServer): McpServer['state'] | 'off' | 'signIn' {
  if (!enabled) return 'off'
  return state === 'failed' && (signIn === 'needed' || signIn === 'waiting') ? 'signIn' : state
}

export const sumTokens = (tools: readonly ToolListing[]): number =>
  tools.reduce((total, tool) => total + tool.tokens, 0)
