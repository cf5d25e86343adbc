import { create } from 'zustand'
import type { Events } from '../../src-main/app-contract'
import { type CallInput, call, on } from '../api/client'
import { i18n } from '../i18n/i18n'
import { announce } from '../ui/announcer'
import { showError } from '../ui/toast'

export type Approval = Events['turn.approval']

/** A call id is the server's own and may come back in a later answer; with its message it is one call. */
const keyOf = ({ messageId, callId }: Pick<Approval, 'messageId' | 'callId'>) => `${messageId} ${callId}`

/** Tool calls that wait for the user, by message and call. */
export const useApprovals = create<{ byCall: Readonly<Record<string, Approval>> }>(() => ({ byCall: {} }))

export const useApproval = (messageId: string, callId: string): Approval | undefined =>
  useApprovals((state) => state.byCall[keyOf({ messageId, callId })])

/** What was asked and answered while a reading was under way: it knows nothing of that. */
const meanwhile = new Set<{ asked: Map<string, Approval>; dropped: Set<string> }>()

export async function loadApprovals(): Promise<void> {
  const news = { asked: new Map<string, Approval>(), dropped: new Set<string>() }
  meanwhile.add(news)
  try {
    const pending = await call('tools.pending', {})
    const read = pending.map((approval) => [keyOf(approval), approval] as const)
    const waiting = [...read.filter(([key]) => !news.dropped.has(key)), ...news.asked]
    useApprovals.setState({ byCall: Object.fromEntries(waiting) })
  } finally {
    meanwhile.delete(news)
  }
}

export async function answerApproval(
  approval: Approval,
  decision: 'once' | 'session' | 'always' | 'deny',
  more: Omit<CallInput<'tools.answer'>, 'requestId' | 'decision'> = {},
): Promise<void> {
  try {
    await call('tools.answer', { requestId: approval.requestId, decision, ...more })
    dropApproval(approval)
  } catch (error) {
    showError(error)
    await loadApprovals().catch(() => undefined)
  }
}

function dropApproval(of: Pick<Approval, 'messageId' | 'callId'>): void {
  for (const { asked, dropped } of meanwhile) {
    asked.delete(keyOf(of))
    dropped.add(keyOf(of))
  }
  useApprovals.setState(({ byCall }) => ({
    byCall: Object.fromEntries(Object.entries(byCall).filter(([key]) => key !== keyOf(of))),
  }))
}

function wordsOf({ tool, form, interrupted }: Approval): string {
  if (form) return i18n.t('chat:form.label', { server: form.server })
  return i18n.t(interrupted ? 'chat:tool.asksInterrupted' : 'chat:tool.asks', { tool })
}

export function wireApprovals(): void {
  on('turn.approval', (approval) => {
    for (const { asked } of meanwhile) asked.set(keyOf(approval), approval)
    useApprovals.setState(({ byCall }) => ({ byCall: { ...byCall, [keyOf(approval)]: approval } }))
    announce(wordsOf(approval))
  })
  on('turn.tool', ({ messageId, call: { callId }, state, result }) => {
    const asks = state === 'waiting' || (state === 'interrupted' && result === undefined)
    if (!asks) dropApproval({ messageId, callId })
  })
}
