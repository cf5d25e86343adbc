import { z } from 'zod'
import { type CallMap, call } from '../../ipc/contract'
import type { Words } from '../../ipc/said-contract'

export interface ProfileFact {
  id: string
  category: string
  statement: string
  /** 0–1 */
  confidence: number
  evidenceCount: number
  firstSeen: string
  lastSeen: string
  sourceSessions: string[]
}

/** One change of the profile; generated ones can be reverted. */
export interface ProfileChange {
  id: string
  at: string
  origin: 'model' | 'user' | 'revert'
  before: { overview: string; facts: ProfileFact[] }
  after: { overview: string; facts: ProfileFact[] }
  reverted: boolean
}

export interface UserProfile {
  overview: string
  facts: ProfileFact[]
  updatedAt?: string
  /** Set while a manual edit of today keeps the model's hands off. */
  lockedUntil?: string
  lastError?: string
  lastErrorWords?: Words
  changes: ProfileChange[]
}

const fact = z.strictObject({
  id: z.string().optional(),
  category: z.string().max(200),
  statement: z.string().min(1).max(2000),
  confidence: z.number().min(0).max(1).optional(),
})

export type FactInput = z.output<typeof fact>

export const userProfileCalls = {
  'user-profile.get': call<UserProfile>()(z.strictObject({})),
  'user-profile.save': call<UserProfile>()(
    z.strictObject({
      overview: z.string().max(20_000).optional(),
      /** The whole list. */
      facts: z.array(fact).max(1000).optional(),
      /** Single facts, changed on what is stored now: one with a known id is replaced, others are added. */
      saveFacts: z.array(fact).max(1000).optional(),
      removeFacts: z.array(z.string()).max(1000).optional(),
      text: z.string().max(20_000).optional(),
    }),
  ),
  'user-profile.clear': call<UserProfile>()(z.strictObject({})),
  'user-profile.generate': call<{ jobId: string }>()(z.strictObject({})),
  'user-profile.revert': call<UserProfile>()(z.strictObject({ changeId: z.string() })),
} satisfies CallMap

export interface UserProfileEvents {
  'user-profile.changed': { ids: string[] }
}
