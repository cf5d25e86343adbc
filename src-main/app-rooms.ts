import { setImmediate } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import type { Ground } from './app-ground'
import { openEmbedders, openMemory } from './app-memory'
import { turnModels } from './app-parts'
import { openSlowContext, type SlowContext } from './app-slow-context'
import { openTools } from './app-tools'
import type { BlockSource } from './context/block-source'
import { createEnhancedPromptSource } from './context/enhanced-prompt/enhanced-prompt-block'
import { NO_INSTRUCTIONS, readInstructionFiles } from './context/instruction-files'
import type { MemoryRoom } from './context/memory/memory-room'
import { defaultPromptId, listPrompts, readPrompt } from './context/system-prompt/repository'
import { createSystemPromptSource } from './context/system-prompt/system-prompt-block'
import { createTimeSource } from './context/time/time-block'
import { createTopicPromptSource } from './context/topic-prompt/topic-prompt-block'
import { worldbookMigrations } from './context/worldbook/migrations'
import { createWorldbookRoom, type WorldbookRoom } from './context/worldbook/worldbook-room'
import { createModelClient } from './models/client'
import type { Model } from './models/contract'
import type { Embedders } from './models/embedding/choose-embedder'
import { findConnection, findModel, splitModelId } from './models/repository'
import type { Session } from './sessions/contract'
import { createSessionStore, type SessionStore } from './sessions/session-store'
import type { WriteDatabase } from './storage/database'
import { emptyJournal } from './storage/empty-journal'
import { migrate } from './storage/open-database'
import type { ToolRoom } from './tools/tool-room'
import { createBackgroundModel } from './turns/background'
import { turnMigrations } from './turns/migrations'
import type { TurnModels } from './turns/ports'
import { forgetRecords, recordRoots } from './turns/record-repository'
import { sessionTurnStore } from './turns/session-turn-store'
import { sweepTexts, tombstoneSource } from './turns/text-store'
import { createTitles } from './turns/title'
import { createTurnRoom, type TurnRoom } from './turns/turn-room'

/** Stands in a stored request where a deleted text was. */
const TOMBSTONE = '[deleted]'
/** Deleting many messages one after the other sweeps once. */
const SWEEP_AFTER_MS = 5000

export interface Rooms extends SlowContext {
  store: SessionStore
  turns: TurnRoom
  tools: ToolRoom
  memory: MemoryRoom
  embedders: Embedders
  worldbook: WorldbookRoom
  defaultGlobalPromptId: () => string | null
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
    storage: ground.storage,
    onCleaningFailed: (error) => options.log.error({ err: error }, 'attachments could not be cleaned up'),
  })
}

/** The model a session would use now, as far as it is known. */
function usualModel(ground: Ground, models: TurnModels, session?: Session): Model | undefined {
  const modelId = session?.modelId ?? ground.settings.get().general.defaultModelId ?? models.fallbackModel()
  if (modelId === undefined) return undefined
  const { connectionId, name } = splitModelId(modelId)
  const connection = findConnection(ground.database, connectionId)
  return connection && findModel(ground.database, connection, name)
}

/** What other rooms keep about chats and messages is copied with a fork and goes when they go for good. */
function followDepartures(
  ground: Ground,
  rooms: Pick<Rooms, 'store' | 'memory' | 'recentConversations' | 'tools' | 'worldbook'> & { passing: WriteDatabase },
): void {
  const { database, jobs } = ground
  const { store, memory, recentConversations, tools, worldbook, passing } = rooms
  jobs.work('records-sweep', async () => {
    await sweepTexts(database, recordRoots(database), () => setImmediate())
    // the journal still holds the old pages until it is emptied
    await emptyJournal(database)
  })
  store.onFork((fork) => worldbook.onFork(fork))
  store.onDeparture(({ sessionIds, messageIds }) => {
    memory.forgetChats({ sessionIds, messageIds })
    recentConversations.forgetSessions(sessionIds)
    tools.trust.forgetSessions(sessionIds)
    for (const id of sessionIds) jobs.forget(id)
    worldbook.onSessionsGone(sessionIds)
    forgetRecords(passing, messageIds)
    if (forgetRecords(database, messageIds) === 0) return
    jobs.add({ kind: 'records-sweep', label: 'Deleted requests', payload: {}, key: 'records', delayMs: SWEEP_AFTER_MS })
  })
}

export function createRooms(ground: Ground): Rooms {
  const { database, emit, ids, clock, nowIso, timeZone, locale, counters } = ground
  const { log, keyCipher } = ground.options
  const settings = () => ground.settings.get()
  const silenceSeconds = () => settings().general.silenceLimitSeconds
  const store = openStore(ground)
  const models = turnModels(
    createModelClient({ database, keyCipher, ids, now: nowIso, emit, silenceSeconds }),
    counters,
    ground,
  )
  const background = createBackgroundModel(models, settings)
  // What turns write about temporary chats: gone with the process, like the chats themselves.
  const passing = new BetterSqlite3(':memory:')
  migrate(passing, [...turnMigrations, ...worldbookMigrations], nowIso)
  const forgetSource = (sourceId: string): void => {
    if (settings().records.deletedText === 'tombstone') tombstoneSource(database, sourceId, TOMBSTONE)
  }
  const embedders = openEmbedders(ground)
  const memory = openMemory(ground, embedders, { background, chats: store, forgetSource })
  const { recentConversations, userProfile } = openSlowContext(ground, store, background, forgetSource)
  const tools = openTools(ground, {
    store,
    memory,
    background,
    // No model yet = judged as one that does.
    modelHasTools: (session) => usualModel(ground, models, session)?.capabilities.tools ?? true,
    modelIdOf: (session) => usualModel(ground, models, session)?.id,
  })
  const plainCounter = counters.forModel('')
  const worldbook = createWorldbookRoom({
    database,
    timersOf: (sessionId) => (store.isTemporary(sessionId) ? passing : database),
    embedder: () => embedders.choose(settings().memory.embedder),
    settings: () => settings().worldbook,
    countTokens: (text) => plainCounter.count(text),
    primeTokens: (texts) => plainCounter.prime(texts),
    defaultWindow: () => usualModel(ground, models)?.contextWindow,
    countSessions: (worldbookId) => store.countByWorldbook(worldbookId),
    unbind: (worldbookId) => store.unbindWorldbook(worldbookId),
    emit,
    ids,
    nowIso,
  })

  const sources: BlockSource[] = [
    createSystemPromptSource({ read: (id) => readPrompt(database, id) }),
    createTopicPromptSource(),
    createTimeSource(),
    memory.source,
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
    instructionFiles: ({ id, workingFolder }) =>
      workingFolder === null
        ? NO_INSTRUCTIONS
        : ground.openings.frozen(id, `instructions ${workingFolder}`, () =>
            readInstructionFiles({ appFolder: ground.options.dataDir, workingFolder }),
          ),
    emit,
    ids,
    clock,
    timeZone,
    locale,
    log,
    keep: (lane, write) => ground.storage.keep(lane, write),
    // three rooms, three writes: what one of them cannot do now keeps no other waiting
    onAnswered({ sessionId, messageId }) {
      ground.storage.keep(`answer ${messageId}`, () => {
        const answer = store.getMessage(messageId)
        const question = answer?.parentId ? store.getMessage(answer.parentId) : undefined
        if (!answer) return
        memory.answered({
          messageId,
          text: answer.text,
          ...(answer.modelId === undefined ? {} : { modelId: answer.modelId }),
          ...(question === undefined ? {} : { question: { messageId: question.id, sessionId, text: question.text } }),
        })
      })
      ground.storage.keep(`title ${sessionId}`, () => titles.consider(sessionId))
      ground.storage.keep(`summary ${sessionId}`, () => recentConversations.consider(sessionId))
    },
  })
  followDepartures(ground, { store, passing, memory, recentConversations, tools, worldbook })
  return {
    store,
    turns,
    tools,
    memory,
    embedders,
    recentConversations,
    userProfile,
    worldbook,
    defaultGlobalPromptId,
  }
}
