import type { Emit } from '../../app-contract'
import { AppError, saidBy } from '../../ipc/app-error'
import type { Handlers } from '../../ipc/contract'
import { asLastError, readSaid, storedSaid } from '../../ipc/said-contract'
import type { JobControl, JobQueue } from '../../jobs/contract'
import type { BackgroundModel } from '../../models/contract'
import type { Message, Session } from '../../sessions/contract'
import type { Settings } from '../../settings/contract'
import type { WriteDatabase } from '../../storage/database'
import type { BlockSource } from '../block-source'
import type { Openings } from '../openings'
import { withoutSecrets } from '../secrets'
import type { ConversationSummary, recentConversationCalls } from './contract'
import { cutAt, cutToLength } from './cut-summary'
import { summaryInstruction } from './prompts'
import { createRecentConversationsSource } from './recent-conversations-block'
import { allSummaries, putSummary, putSummaryError, removeSummaries, type SummaryRow, summaryOf } from './repository'

/** What a summary is made from: the newest messages, each cut. */
const MESSAGES_READ = 12
const CHARACTERS_READ = 2000
const CHARACTERS_CLEANED = 2 * CHARACTERS_READ
const OUTPUT_TOKENS = 600

export interface RecentConversationDeps {
  database: WriteDatabase
  jobs: JobQueue
  background: BackgroundModel
  settings: () => Settings
  getSession: (sessionId: string) => Session | undefined
  branchOf: (sessionId: string) => Message[]
  openings: Openings
  emit: Emit
  clock: () => number
  nowIso: () => string
  /** Blanks a deleted summary in stored records, where the settings say so. */
  forgetSource: (sourceId: string) => void
  /** A fresh summary may be news for the profile. */
  onFresh: (sessionId: string) => void
}

export interface RecentConversationRoom {
  source: BlockSource
  handlers: Handlers<typeof recentConversationCalls>
  /** After each finished answer. */
  consider(sessionId: string): void
  settingsChanged(): void
  forgetSessions(sessionIds: readonly string[]): void
}

export const isIsolated = (session: Session): boolean => session.isolation && session.worldbookIds.length > 0

/** A summary from before messages were marked, in a chat that has marked ones: it may have been made of them. */
export const mayHoldIsolated = (row: SummaryRow, session: Session): boolean =>
  row.source === 'model' && row.without_isolated === 0 && session.isolatedMessages !== undefined

/** Material for a summary: who said what, oldest first, without what was written under isolation and without secrets. */
export function transcriptOf(messages: readonly Message[]): string {
  return messages
    .filter((message) => message.text.trim() !== '' && !message.isolated)
    .slice(-MESSAGES_READ)
    .map((message) => {
      // before the cut: half a key is no key any more, and still says most of it
      const clean = withoutSecrets(message.text.slice(0, CHARACTERS_CLEANED))
      const text = clean.length > CHARACTERS_READ ? `${cutAt(clean, CHARACTERS_READ)} […]` : clean
      return `${message.role === 'user' ? 'Person' : 'Assistant'}: ${text}`
    })
    .join('\n\n')
}

export function createRecentConversations(deps: RecentConversationDeps): RecentConversationRoom {
  const titleOf = (sessionId: string): string | undefined => {
    const session = deps.getSession(sessionId)
    return session && !session.removedAt ? session.title : undefined
  }
  /** An isolated chat tells others nothing. A title made of words written under isolation stays with its chat. */
  const toldTitleOf = (row: SummaryRow): string | undefined => {
    const session = deps.getSession(row.session_id)
    if (!session || session.removedAt || isIsolated(session) || mayHoldIsolated(row, session)) return undefined
    return session.titleSource !== 'user' && session.isolatedMessages !== undefined ? '' : session.title
  }

  const shown = (row: SummaryRow): ConversationSummary => ({
    sessionId: row.session_id,
    sessionTitle: titleOf(row.session_id) ?? '',
    text: row.text,
    source: row.source,
    userTurns: row.user_turns,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.last_error === null ? {} : asLastError(readSaid(row.last_error))),
  })

  const userTurns = (sessionId: string): number =>
    deps.branchOf(sessionId).filter((message) => message.role === 'user' && !message.isolated).length

  /** Why a session may not be summarised now; undefined = it may. */
  const refusal = (session: Session | undefined): string | undefined => {
    if (!deps.settings().recentConversations.enabled) return 'Recent conversations are switched off in Settings.'
    if (!session || session.removedAt) return 'This chat is gone.'
    if (session.temporary) return 'A temporary chat leaves nothing behind, so it gets no summary.'
    if (isIsolated(session)) return 'An isolated chat keeps its content to itself, so it gets no summary.'
    if (!session.summarise) return 'Summaries are switched off for this chat.'
    return undefined
  }

  const work = async (payload: unknown, control: JobControl): Promise<void> => {
    const { sessionId } = payload as { sessionId: string }
    const session = deps.getSession(sessionId)
    if (refusal(session) !== undefined) return
    try {
      const messages = deps.branchOf(sessionId)
      const text = transcriptOf(messages)
      if (text === '') return
      const { recentConversations, general } = deps.settings()
      const answered = messages.findLast((message) => message.modelId !== undefined)?.modelId ?? session?.modelId
      const answer = await deps.background.complete({
        // without a model for such work, the one that already read these words: no other server gets to see them
        modelId: recentConversations.modelId ?? general.backgroundModelId ?? answered ?? null,
        instruction: summaryInstruction(text),
        text,
        maxOutputTokens: OUTPUT_TOKENS,
        signal: control.signal,
      })
      const summary = cutToLength(answer)
      if (summary === '')
        throw new AppError(
          'model.rejected',
          'The model gave an empty summary. It is tried again; another background model can be chosen in Settings.',
        )
      // Switched off or isolated while the model was writing: nothing of it may stay.
      if (refusal(deps.getSession(sessionId)) !== undefined || control.signal.aborted) return
      const turns = messages.filter((message) => message.role === 'user' && !message.isolated).length
      putSummary(deps.database, {
        sessionId,
        text: summary,
        source: 'model',
        userTurns: turns,
        at: deps.nowIso(),
        ms: deps.clock(),
      })
      deps.emit('recent-conversations.changed', { ids: [sessionId] })
      deps.onFresh(sessionId)
    } catch (error) {
      // Cancelled or switched off: nobody waits for this, and nothing of it stays.
      if (control.signal.aborted) throw error
      const failure = storedSaid(saidBy(error))
      putSummaryError(deps.database, { sessionId, error: failure, at: deps.nowIso(), ms: deps.clock() })
      deps.emit('recent-conversations.changed', { ids: [sessionId] })
      throw error
    }
  }
  deps.jobs.work('summary', work)

  const enqueue = (session: Session): string =>
    deps.jobs.add({ kind: 'summary', label: session.title, payload: { sessionId: session.id }, key: session.id })

  return {
    source: createRecentConversationsSource({
      database: deps.database,
      titleOf: toldTitleOf,
      openings: deps.openings,
    }),
    consider(sessionId) {
      const session = deps.getSession(sessionId)
      if (!session || refusal(session) !== undefined) return
      const { minUserTurns, minIntervalMinutes } = deps.settings().recentConversations
      const row = summaryOf(deps.database, sessionId)
      const age = deps.clock() - (row?.updated_ms ?? 0)
      // A summary from the future was written before the clock was put right: it keeps nobody waiting.
      const isTold = row && row.text !== '' && !mayHoldIsolated(row, session)
      const fresh = isTold && age >= 0 && age < minIntervalMinutes * 60_000
      const turns = userTurns(sessionId)
      // What a person wrote covers these turns already; only something new is worth other words.
      const covered = row?.source === 'user' && turns <= row.user_turns
      if (fresh || covered || turns < minUserTurns) return
      enqueue(session)
    },
    settingsChanged() {
      if (!deps.settings().recentConversations.enabled) deps.jobs.cancelKind('summary')
    },
    forgetSessions(sessionIds) {
      for (const id of sessionIds) {
        deps.jobs.cancelKind('summary', id)
        deps.forgetSource(`summary:${id}`)
      }
      if (removeSummaries(deps.database, sessionIds) > 0)
        deps.emit('recent-conversations.changed', { ids: [...sessionIds] })
    },
    handlers: {
      'recent-conversations.list': () =>
        allSummaries(deps.database)
          .filter((row) => titleOf(row.session_id) !== undefined)
          .map(shown),
      'recent-conversations.save': ({ sessionId, text }) => {
        if (text.trim() === '')
          throw new AppError('bad_input', 'A summary needs words. Delete it instead.', { details: { path: 'text' } })
        if (!deps.getSession(sessionId)) throw new AppError('not_found', 'The chat of this summary is gone.')
        const row = putSummary(deps.database, {
          sessionId,
          text: text.trim(),
          source: 'user',
          userTurns: userTurns(sessionId),
          at: deps.nowIso(),
          ms: deps.clock(),
        })
        deps.emit('recent-conversations.changed', { ids: [sessionId] })
        return shown(row)
      },
      'recent-conversations.remove': ({ sessionId }) => {
        const removed = removeSummaries(deps.database, [sessionId])
        deps.forgetSource(`summary:${sessionId}`)
        // Deleted words leave the file and not only the tables.
        deps.database.pragma('wal_checkpoint(TRUNCATE)')
        deps.emit('recent-conversations.changed', { ids: [sessionId] })
        return { removed }
      },
      'recent-conversations.generate': ({ sessionId }) => {
        const session = deps.getSession(sessionId)
        const reason = refusal(session)
        if (!session || reason !== undefined) {
          throw new AppError(session && isIsolated(session) ? 'isolated' : 'conflict', reason ?? 'This chat is gone.')
        }
        if (session.isolatedMessages !== undefined && userTurns(sessionId) === 0) {
          throw new AppError(
            'isolated',
            'Everything in this chat was written under isolation, so it gets no summary. Its settings have a button that releases these messages.',
          )
        }
        return { jobId: enqueue(session) }
      },
    },
  }
}
