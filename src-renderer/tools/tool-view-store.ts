import { create } from 'zustand'
import type { CommandTool, McpServer } from '../../src-main/tools/contract'
import { closeNarrowList } from '../app/navigation'

interface ToolView {
  /** `all`, `built-in`, `command`, or a server's id. */
  view: string
  /** The tool whose details are open. */
  toolId: string | null
  /** The dialog on screen and what it edits; null in it = a new one. */
  dialog:
    | { kind: 'server'; server: McpServer | null; how: 'form' | 'paste' }
    | { kind: 'command'; command: CommandTool | null }
    | { kind: 'prompt'; server: McpServer; prompt: string }
    | null
}

export const useToolView = create<ToolView>(() => ({ view: 'all', toolId: null, dialog: null }))

export function openToolView(view: string): void {
  closeNarrowList()
  useToolView.setState({ view, toolId: null })
}
export const openTool = (toolId: string | null) => useToolView.setState({ toolId })
export const openToolDialog = (dialog: NonNullable<ToolView['dialog']>) => useToolView.setState({ dialog })
/** Closes this dialog; false = it was closed meanwhile, and another one may be open. */
export function endToolDialog(dialog: ToolView['dialog']): boolean {
  if (dialog === null || useToolView.getState().dialog !== dialog) return false
  useToolView.setState({ dialog: null })
  return true
}
export const closeToolDialog = () => useToolView.setState({ dialog: null })
