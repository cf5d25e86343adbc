import { setImmediate } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import type { Ground } from './app-ground'
import { interfaceLanguage, turnModels } from './app-parts'
import type { BlockSource } from './context/block-source'
import { createEnhancedPromptSource } from './context/enhanced-prompt/enhanced-prompt-block'
import {
  createRecentConversations,
  type RecentConversationRoom,
} from './context/recent-conversations/recent-conversations-room'
import { allSummaries } from './context/recent-conversations/repository'
import { defaultPromptId, listPrompts, readPrompt } from './context/system-prompt/repository'
import { createSystemPromptSource } from './context/system-prompt/system-prompt-block'
import { createTimeSource } from './context/time/time-block'
import { createTopicPromptSource } from './context/topic-prompt/topic-prompt-block'
import { createUserProfile, type UserProfileRoom } from './context/user-profile/user-profile-room'
import { worldbookMigrations } from './context/worldbook/migrations'
import { createWorldbookRoom, type WorldbookRoom } from './context/worldbook/worldbook-room'
import { createModelClient } from './models/client'
import type { BackgroundModel, Model } from './models/contract'
import { findConnection, findModel, splitModelId } from './models/repository'
import type { Session } from './sessions/contract'
import { createSessionStore, type SessionStore } from './sessions/session-store'
import { readSecret, removeSecrets, saveSecret } from './settings/keys'
import { migrate } from './storage/open-database'
import type { ServerSecrets } from './tools/mcp/mcp-servers'
import { createToolRoom, type ToolRoom } from './tools/tool-room'
import { createBackgroundModel } from './turns/background'
import { turnMigrations } from './turns/migrations'
import type { TurnModels } from './turns/ports'
import { forgetRecords, recordRoots } from './turns/record-repository'
import { sessionTurnStore } from './turns/session-turn-store'
import { sweepTexts, tombstoneSource } from './turns/text-store'
import { createTitles } from './turns/title'
import { createTurnRoom, type TurnRoom } from './turns/turn-room'
import { turnTime } from './turns/turn-time'

/** Stands in a stored request where a deleted text was. */
const TOMBSTONE = '[deleted]'
/** Deleting many messages one after the other sweeps once. */
const SWEEP_AFTER_MS = 5000

export interface Rooms {
  store: SessionStore
  turns: TurnRoom
  tools: ToolRoom
  recentConversations: RecentConversationRoom
  userProfile: UserProfileRoom
  worldbook: WorldbookRoom
  defaultGlobalPromptId: () => string | null
}

/** The key store as the tools room uses it. */
function serverSecrets(ground: Ground): ServerSecrets {
  const { database, nowIso } = ground
  const { keyCipher } = ground.options
  return {
    put: (owner, name, text) => saveSecret(database, keyCipher, { owner, name, text, now: nowIso() }),
    get: (owner, name) => readSecret(database, keyCipher, { owner, name }),
    remove: (owner) => {
      removeSecrets(database, { owner })
    },
  }
}

function openStore(ground: Ground): SessionStore {
  const { options, database, ids, clock, emit, counters } = ground
  const counter = counters.forModel('')
  return createSessionStore({
    database,
    dataDir: options.dataDir,
    ids,
    now: clock,
    emit,
    globalPrompts: () => listPrompts(database),
    countTokens: (text) => counter.count(text),
    onCleaningFailed: (error) => options.log.error({ err: error }, 'attachments could not be cleaned up'),
  })
}

interface SlowContext {
  recentConversations: RecentConversationRoom
  userProfile: UserProfileRoom
}

/** The two rooms that grow by background work: summaries feed the profile. */
function slowContext(
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
        const told = row.text !== '' && session && !session.removedAt
        return told ? [{ sessionId: row.session_id, date: row.updated_at.slice(0, 10), text: row.text }] : []
      }),
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
    emit,
    clock,
    nowIso,
    forgetSource,
    onFresh: () => userProfile.consider(),
  })
  return { recentConversations, userProfile }
}

/** The model a session would use now, as far as it is known. */
function usualModel(ground: Ground, models: TurnModels, session?: Session): Model | undefined {
  const modelId = session?.modelId ?? ground.settings.get().general.defaultModelId ?? models.fallbackModel()
  if (modelId === undefined) return undefined
  const { connectionId, name } = splitModelId(modelId)
  const connection = findConnection(ground.database, connectionId)
  return connection && findModel(ground.database, connection, name)
}

export function createRooms(ground: Ground): Rooms {
  const { database, emit, ids, clock, nowIso, timeZone, locale, counters } = ground
  const { log, keyCipher } = ground.options
  const settings = () => ground.settings.get()
  const store = openStore(ground)
  const models = turnModels(createModelClient({ database, keyCipher, ids, now: nowIso, emit }), counters, ground)
  const background = createBackgroundModel(models, settings)
  // What turns write about temporary chats: gone with the process, like the chats themselves.
  const passing = new BetterSqlite3(':memory:')
  migrate(passing, [...turnMigrations, ...worldbookMigrations], nowIso)
  const forgetSource = (sourceId: string): void => {
    if (settings().records.deletedText === 'tombstone') tombstoneSource(database, sourceId, TOMBSTONE)
  }
  const { recentConversations, userProfile } = slowContext(ground, store, background, forgetSource)
  const plainCounter = counters.forModel('')

  const tools = createToolRoom({
    database,
    secrets: serverSecrets(ground),
    memory: undefined as never,
    background,
    settings,
    getSession: (sessionId) => store.getSession(sessionId),
    patchToolChoice(sessionId, toolId, choice) {
      const { toolChoices } = store.requireSession(sessionId)
      store.patchSession(sessionId, { toolChoices: { ...toolChoices, [toolId]: choice } })
    },
    // No model yet = judged as one that does.
    modelHasTools: (session) => usualModel(ground, models, session)?.capabilities.tools ?? true,
    emit,
    ids,
    nowIso,
    now: () => turnTime(clock(), timeZone()),
    clock,
    countTokens: (text) => plainCounter.count(text),
    keep: (bytes, _mediaType, sessionId) => store.saveBlob(sessionId, bytes),
    onBug: (tool, error) => log.error({ tool, err: error }, 'a tool failed inside the app'),
  })

  const worldbook = createWorldbookRoom({
    database,
    timersOf: (sessionId) => (store.isTemporary(sessionId) ? passing : database),
    embedder: () => undefined,
    settings: () => settings().worldbook,
    countTokens: (text) => plainCounter.count(text),
    defaultWindow: () => usualModel(ground, models)?.contextWindow,
    countSessions: (worldbookId) => store.countByWorldbook(worldbookId),
    emit,
    ids,
    nowIso,
  })

  const sources: BlockSource[] = [
    createSystemPromptSource({ read: (id) => readPrompt(database, id) }),
    createTopicPromptSource(),
    createTimeSource(),
    recentConversations.source,
    userProfile.source,
    worldbook.source,
    createEnhancedPromptSource(),
  ]

  const defaultGlobalPromptId = () => defaultPromptId(database)
  const turnStore = sessionTurnStore(store, { kept: database, passing }, defaultGlobalPromptId)
  const titles = createTitles({ store: turnStore, jobs: ground.jobs, background, settings, emit })
  const turns = createTurnRoom({
    database,
    store: turnStore,
    models,
    tools: tools.gate,
    sources,
    settings,
    emit,
    ids,
    clock,
    timeZone,
    locale,
    log,
    onAnswered({ sessionId }) {
      titles.consider(sessionId)
      recentConversations.consider(sessionId)
    },
  })
  ground.jobs.work('records-sweep', async () => {
    await sweepTexts(
      database,
      () => recordRoots(database),
      () => setImmediate(),
    )
  })
  store.onFork((fork) => worldbook.onFork(fork))
  store.onDeparture(({ sessionIds, messageIds }) => {
    recentConversations.forgetSessions(sessionIds)
    worldbook.onSessionsGone(sessionIds)
    forgetRecords(passing, messageIds)
    if (forgetRecords(database, messageIds) > 0) {
      ground.jobs.add({
        kind: 'records-sweep',
        label: 'Deleted requests',
        payload: {},
        key: 'records',
        delayMs: SWEEP_AFTER_MS,
      })
    }
  })
  return {
    store,
    turns,
    tools,
    recentConversations,
    userProfile,
    worldbook,
    defaultGlobalPromptId,
  }
}
