import type { CallInput } from '../api/client'

export interface SendAttempt {
  sessionId: string
  text: string
  /** Attachment ids. */
  attachments: string[]
}

export type SendOverrides = NonNullable<CallInput<'turns.send'>['overrides']>

/**
 * Asked before a message leaves. `go: false` keeps the draft where it is. A gate that shows a choice answers once the
 * choice was made.
 */
export type SendGate = (attempt: SendAttempt) => Promise<{ go: boolean; overrides?: SendOverrides }>
