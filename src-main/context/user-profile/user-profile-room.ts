import type { Emit } from '../../app-contract'
import { AppError, saidBy } from '../../ipc/app-error'
import type { Handlers } from '../../ipc/contract'
import { asLastError, readSaid, storedSaid } from '../../ipc/said-contract'
import type { JobControl, JobQueue } from '../../jobs/contract'
import type { BackgroundModel } from '../../models/contract'
import type { Settings } from '../../settings/contract'
import type { WriteDatabase } from '../../storage/database'
import type { BlockSource } from '../block-source'
import type { FactInput, ProfileFact, UserProfile, userProfileCalls } from './contract'
import { mergeProfile, readProposal } from './merge'
import { profileInstruction, profileMaterial } from './prompts'
import {
  clearProfile,
  markReverted,
  type ProfileContent,
  profileChanges,
  readProfile,
  writeProfile,
  writeProfileError,
} from './repository'
import { createUserProfileSource } from './user-profile-block'
import { tellable } from './withhold'

const SUMMARIES_READ = 8
const OUTPUT_TOKENS = 1500

/** A summary, with who answered in its chat. */
export interface ToldSummary {
  sessionId: string
  date: string
  text: string
  modelId?: string
  connectionId?: string
}

export interface UserProfileDeps {
  database: WriteDatabase
  jobs: JobQueue
  background: BackgroundModel
  settings: () => Settings
  /** Newest first; only summaries that may be told. */
  summaries: () => ToldSummary[]
  /** Whether a chat is isolated now. */
  isIsolated: (sessionId: string) => boolean
  emit: Emit
  ids: () => string
  nowIso: () => string
  language: () => 'en' | 'zh-CN'
  forgetSource: (sourceId: string) => void
}

export interface UserProfileRoom {
  source: BlockSource
  handlers: Handlers<typeof userProfileCalls>
  /** After a fresh summary: at most one generated change a day. */
  consider(): void
  settingsChanged(): void
}

/**
 * Who writes the profile, and what of. A model that was chosen for such work reads every summary. Without one it is the
 * model of the newest chat, and it reads only chats that its own connection answered: no other server gets to see them.
 */
export function readersOf(
  summaries: readonly ToldSummary[],
  chosen: string | null,
): { modelId: string | null; summaries: readonly ToldSummary[] } {
  const newest = summaries.find((summary) => summary.modelId !== undefined)
  if (chosen !== null || newest === undefined) return { modelId: chosen, summaries }
  return {
    modelId: newest.modelId ?? null,
    summaries: summaries.filter((summary) => summary.connectionId === newest.connectionId),
  }
}

export function createUserProfile(deps: UserProfileDeps): UserProfileRoom {
  const today = (): string => deps.nowIso().slice(0, 10)
  const changed = (): void => deps.emit('user-profile.changed', { ids: ['profile'] })
  /** A manual edit wins: the same day nothing generated touches it. */
  const locked = (): boolean => readProfile(deps.database).editedDay === today()

  const shown = (): UserProfile => {
    const row = readProfile(deps.database)
    const { overview, facts } = row.content
    return {
      overview,
      facts,
      changes: profileChanges(deps.database),
      ...(row.updatedAt === null ? {} : { updatedAt: row.updatedAt }),
      ...(locked() ? { lockedUntil: `${today()}T23:59:59` } : {}),
      ...(row.lastError === null ? {} : asLastError(readSaid(row.lastError))),
    }
  }

  const write = (origin: 'model' | 'user' | 'revert', after: ProfileContent): void => {
    const before = readProfile(deps.database).content
    writeProfile(deps.database, { id: deps.ids(), at: deps.nowIso(), day: today(), origin, after })
    const kept = new Set(after.facts.map((fact) => fact.id))
    for (const fact of before.facts) if (!kept.has(fact.id)) deps.forgetSource(`profile:${fact.id}`)
    changed()
  }

  const work = async (_payload: unknown, control: JobControl): Promise<void> => {
    if (!deps.settings().userProfile.enabled || locked()) return
    const { recentConversations, general } = deps.settings()
    const told = readersOf(deps.summaries(), recentConversations.modelId ?? general.backgroundModelId)
    const summaries = told.summaries.slice(0, SUMMARIES_READ).toReversed()
    if (summaries.length === 0) return
    try {
      const known = tellable(readProfile(deps.database).content, deps.isIsolated)
      const answer = await deps.background.complete({
        modelId: told.modelId,
        instruction: profileInstruction(deps.language()),
        text: profileMaterial(known, summaries),
        maxOutputTokens: OUTPUT_TOKENS,
        signal: control.signal,
      })
      const proposal = readProposal(answer)
      // Switched off or edited by hand while the model was writing: the person wins.
      if (!deps.settings().userProfile.enabled || locked() || control.signal.aborted) return
      const sessionIds = summaries.map((summary) => summary.sessionId)
      // A chat that was isolated meanwhile takes its words back: the next run reads the others.
      if (sessionIds.some(deps.isIsolated)) return
      const current = readProfile(deps.database).content
      const isOverviewShown = known.overview !== ''
      const seen = { at: deps.nowIso(), sessionIds, newId: deps.ids, isOverviewShown }
      write('model', mergeProfile(current, proposal, seen))
    } catch (error) {
      // Cancelled or switched off: nobody waits for this.
      if (control.signal.aborted) throw error
      writeProfileError(deps.database, storedSaid(saidBy(error)))
      changed()
      throw error
    }
  }
  deps.jobs.work('profile', work)
  const enqueue = (): string => deps.jobs.add({ kind: 'profile', label: 'User profile', payload: {}, key: 'profile' })

  return {
    source: createUserProfileSource(deps.database, deps.isIsolated),
    consider() {
      const { enabled, daily } = deps.settings().userProfile
      if (!enabled || !daily || locked() || readProfile(deps.database).generatedDay === today()) return
      enqueue()
    },
    settingsChanged() {
      if (!deps.settings().userProfile.enabled) deps.jobs.cancelKind('profile')
    },
    handlers: {
      'user-profile.get': () => shown(),
      'user-profile.save': (input) => {
        const known = readProfile(deps.database).content
        const at = deps.nowIso()
        const kept = (fact: FactInput): ProfileFact => {
          const old = known.facts.find((candidate) => candidate.id === fact.id)
          return {
            id: old?.id ?? deps.ids(),
            category: fact.category,
            statement: fact.statement,
            confidence: fact.confidence ?? old?.confidence ?? 1,
            evidenceCount: old?.evidenceCount ?? 1,
            firstSeen: old?.firstSeen ?? at,
            lastSeen: at,
            sourceSessions: old?.sourceSessions ?? [],
          }
        }
        const changes = (input.saveFacts ?? []).map(kept)
        const all = input.facts?.map(kept) ?? known.facts
        const facts = [
          ...all.map((fact) => changes.find((change) => change.id === fact.id) ?? fact),
          ...changes.filter((change) => !all.some((fact) => fact.id === change.id)),
        ].filter((fact) => !input.removeFacts?.includes(fact.id))
        const overview = input.overview ?? input.text ?? known.overview
        const sessions = overview === known.overview ? known.overviewSessions : undefined
        write('user', { overview, facts, ...(sessions === undefined ? {} : { overviewSessions: sessions }) })
        return shown()
      },
      'user-profile.clear': () => {
        for (const fact of readProfile(deps.database).content.facts) deps.forgetSource(`profile:${fact.id}`)
        deps.forgetSource('profile:overview')
        clearProfile(deps.database, today())
        // Deleted words leave the file and not only the tables.
        deps.database.pragma('wal_checkpoint(TRUNCATE)')
        deps.jobs.cancelKind('profile')
        changed()
        return shown()
      },
      'user-profile.generate': () => {
        if (!deps.settings().userProfile.enabled)
          throw new AppError('conflict', 'The user profile is switched off in Settings.')
        if (locked())
          throw new AppError('conflict', 'You edited the profile today, so it is left alone until tomorrow.')
        if (deps.summaries().length === 0) {
          throw new AppError(
            'conflict',
            'There is no summary of a chat yet. The profile is made from those; chat a few turns first.',
          )
        }
        return { jobId: enqueue() }
      },
      'user-profile.revert': ({ changeId }) => {
        const change = profileChanges(deps.database).find((candidate) => candidate.id === changeId)
        if (!change) throw new AppError('not_found', 'This change is too old to be reverted.')
        if (change.reverted) throw new AppError('conflict', 'This change was reverted before.')
        write('revert', change.before)
        markReverted(deps.database, changeId)
        return shown()
      },
    },
  }
}
