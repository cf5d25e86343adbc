import { create } from 'zustand'
import { call, on } from '../api/client'
import { i18n } from '../i18n/i18n'
import { announce } from '../ui/announcer'
import { showError } from '../ui/toast'

export interface Approval {
  requestId: string
  turnId: string
  messageId: string
  callId: string
  tool: string
  arguments: unknown
}

/** Tool calls that wait for the user, by call id. */
export const useApprovals = create<{ byCall: Readonly<Record<string, Approval>> }>(() => ({ byCall: {} }))

export async function loadApprovals(): Promise<void> {
  const pending = await call('tools.pending', {})
  useApprovals.setState({ byCall: Object.fromEntries(pending.map((approval) => [approval.callId, approval])) })
}

export async function answerApproval(
  approval: Approval,
  decision: 'once' | 'session' | 'always' | 'deny',
  more: { note?: string; answer?: string } = {},
): Promise<void> {
  try {
    await call('tools.answer', { requestId: approval.requestId, decision, ...more })
    dropApproval(approval.callId)
  } catch (error) {
    showError(error)
    await loadApprovals().catch(() => undefined)
  }
}

function dropApproval(callId: string): void {
  useApprovals.setState(({ byCall }) => ({
    byCall: Object.fromEntries(Object.entries(byCall).filter(([id]) => id !== callId)),
  }))
}

export function wireApprovals(): void {
  on('turn.approval', (approval) => {
    useApprovals.setState(({ byCall }) => ({ byCall: { ...byCall, [approval.callId]: approval } }))
    announce(i18n.t('chat:tool.asks', { tool: approval.tool }))
  })
  on('turn.tool', ({ call: toolCall, state }) => {
    if (state !== 'waiting') dropApproval(toolCall.callId)
  })
}
