import { z } from 'zod'
import { type CallMap, call } from '../../ipc/contract'
import type { Words } from '../../ipc/said-contract'

/** The summary of one session, as other sessions get to read it. */
export interface ConversationSummary {
  sessionId: string
  sessionTitle: string
  text: string
  /** `model` until a person edited it. */
  source: 'model' | 'user'
  /** User turns it covers. */
  userTurns: number
  createdAt: string
  updatedAt: string
  /** The last failed try, while the old text stays. */
  lastError?: string
  lastErrorWords?: Words
}

export const recentConversationCalls = {
  'recent-conversations.list': call<ConversationSummary[]>()(z.strictObject({})),
  'recent-conversations.save': call<ConversationSummary>()(
    z.strictObject({ sessionId: z.string(), text: z.string().min(1).max(20_000) }),
  ),
  'recent-conversations.remove': call<{ removed: number }>()(z.strictObject({ sessionId: z.string() })),
  'recent-conversations.generate': call<{ jobId: string }>()(z.strictObject({ sessionId: z.string() })),
} satisfies CallMap

export interface RecentConversationEvents {
  'recent-conversations.changed': { ids: string[] }
}
