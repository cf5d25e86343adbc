import type { Ground } from './app-ground'
import { interfaceLanguage } from './app-parts'
import {
  createRecentConversations,
  isIsolated,
  mayHoldIsolated,
  type RecentConversationRoom,
} from './context/recent-conversations/recent-conversations-room'
import { allSummaries } from './context/recent-conversations/repository'
import { createUserProfile, type UserProfileRoom } from './context/user-profile/user-profile-room'
import type { BackgroundModel } from './models/contract'
import { splitModelId } from './models/repository'
import type { SessionStore } from './sessions/session-store'

export interface SlowContext {
  recentConversations: RecentConversationRoom
  userProfile: UserProfileRoom
}

/** The two rooms that grow by background work: summaries feed the profile. */
export function openSlowContext(
  ground: Ground,
  store: SessionStore,
  background: BackgroundModel,
  forgetSource: (sourceId: string) => void,
): SlowContext {
  const { database, jobs, emit, clock, nowIso, ids, locale } = ground
  const settings = () => ground.settings.get()
  const userProfile = createUserProfile({
    database,
    jobs,
    background,
    settings,
    summaries: () =>
      allSummaries(database).flatMap((row) => {
        const session = store.getSession(row.session_id)
        const told =
          row.text !== '' && session && !session.removedAt && !isIsolated(session) && !mayHoldIsolated(row, session)
        if (!told) return []
        const modelId =
          store.branchOf(row.session_id).findLast((message) => message.modelId)?.modelId ?? session.modelId
        return [
          {
            sessionId: row.session_id,
            date: row.updated_at.slice(0, 10),
            text: row.text,
            ...(modelId ? { modelId, connectionId: splitModelId(modelId).connectionId } : {}),
          },
        ]
      }),
    isIsolated: (sessionId) => {
      const session = store.getSession(sessionId)
      return session !== undefined && isIsolated(session)
    },
    emit,
    ids,
    nowIso,
    language: () => interfaceLanguage(settings(), locale()),
    forgetSource,
  })
  const recentConversations = createRecentConversations({
    database,
    jobs,
    background,
    settings,
    getSession: (sessionId) => store.getSession(sessionId),
    branchOf: (sessionId) => store.branchOf(sessionId),
    openings: ground.openings,
    emit,
    clock,
    nowIso,
    forgetSource,
    onFresh: () => userProfile.consider(),
  })
  return { recentConversations, userProfile }
}
