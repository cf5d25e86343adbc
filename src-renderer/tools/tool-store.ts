import { create } from 'zustand'
import type { CommandTool, McpServer, ToolListing } from '../../src-main/tools/contract'
import { call, on } from '../api/client'
import { useNavigation } from '../app/navigation'
import { showError } from '../ui/toast'

interface ToolState {
  /** Of the session on screen, or the general view while there is none. */
  tools: readonly ToolListing[]
  /** Which session `tools` was judged for; undefined before the first reading. */
  sessionId: string | null | undefined
  /** What is set for all chats, by tool id: a chat may have an answer of its own. */
  policies: Readonly<Record<string, ToolListing['policy']>>
  servers: readonly McpServer[]
  commands: readonly CommandTool[]
  /** Why the newest reading failed, in words. */
  error: string
}

export const useTools = create<ToolState>(() => ({
  tools: [],
  sessionId: undefined,
  policies: {},
  servers: [],
  commands: [],
  error: '',
}))

let readings = 0

/** Reads what the session on screen exposes, and what is configured at all. */
export async function loadTools(): Promise<void> {
  const mine = ++readings
  const { sessionId } = useNavigation.getState()
  try {
    const [servers, commands] = await Promise.all([call('mcp.list', {}), call('commands.list', {})])
    if (mine !== readings) return
    useTools.setState({ servers, commands })
    const general = await call('tools.list', {})
    const tools = sessionId ? await call('tools.list', { sessionId }) : general
    const policies = Object.fromEntries(general.map((tool) => [tool.id, tool.policy]))
    if (mine === readings) useTools.setState({ tools, sessionId, policies, error: '' })
  } catch (error) {
    if (mine === readings) useTools.setState({ error: error instanceof Error ? error.message : String(error) })
  }
}

/** The tools of one server, by the id every one of them carries. */
export const toolsOfServer = (tools: readonly ToolListing[], serverId: string): ToolListing[] =>
  tools.filter((tool) => tool.id.startsWith(`mcp/${serverId}/`))

/** Runs one change, shows why it was refused, and reads again. True when it was done. */
export async function changeTools(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    await loadTools()
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

export const setTool = (toolId: string, patch: { enabled?: boolean; policy?: ToolListing['policy'] }) =>
  changeTools(() => call('tools.set', { toolId, ...patch }))

let planned: ReturnType<typeof setTimeout> | undefined
/** Events come in bursts; one reading serves them all. */
function loadSoon(): void {
  clearTimeout(planned)
  planned = setTimeout(() => void loadTools(), 100)
}

const FOLLOWED = [
  'tools.changed',
  'mcp.changed',
  'settings.changed',
  'sessions.changed',
  'models.changed',
  'connections.changed',
  'resync',
] as const

export function wireTools(): void {
  for (const name of FOLLOWED) on(name, loadSoon)
  useNavigation.subscribe((state, before) => {
    if (state.sessionId !== before.sessionId) loadSoon()
  })
  loadSoon()
}
