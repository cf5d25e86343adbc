import { type AppInfo, appCalls } from './app-contract'
import { type Ground, openGround } from './app-ground'
import type { AppOptions, RunningApp } from './app-host'
import { idleRecovery } from './app-recovery'
import { createRooms, type Rooms } from './app-rooms'
import { memoryCalls } from './context/memory/contract'
import { recentConversationCalls } from './context/recent-conversations/contract'
import { systemPromptCalls } from './context/system-prompt/contract'
import { systemPromptHandlers } from './context/system-prompt/handlers'
import { insertPrompt, listPrompts } from './context/system-prompt/repository'
import { userProfileCalls } from './context/user-profile/contract'
import { worldbookCalls } from './context/worldbook/contract'
import { createRouter, type Router } from './ipc/router'
import { asMessage } from './ipc/said-contract'
import { jobCalls } from './jobs/contract'
import { modelCalls } from './models/contract'
import { modelHandlers } from './models/handlers'
import { sessionCalls } from './sessions/contract'
import { sessionHandlers } from './sessions/handlers'
import { carriedSettings, fittingSettings } from './settings/carry-settings'
import { settingsCalls } from './settings/contract'
import { settingsHandlers } from './settings/handlers'
import { backupHandlers } from './storage/backups'
import { backupCalls, recoveryCalls } from './storage/contract'
import { damagedError, describeDamage } from './storage/damage'
import { isDamageError } from './storage/damage-error'
import { storageCalls } from './storage/health-contract'
import { toolCalls } from './tools/contract'
import { transferCalls } from './transfer/contract'
import { createTransferRoom, type TransferRoom } from './transfer/handlers'
import { turnCalls } from './turns/contract'
import { queueCalls } from './turns/queue-calls-contract'
import { queueHandlers } from './turns/queue-handlers'
import { readRecords } from './turns/record-repository'

function appInfo(ground: Ground): AppInfo {
  const { options, readOnlyReason } = ground
  const { electron } = process.versions
  const damage = options.damage?.()
  const openRights = options.openRights?.()
  return {
    version: options.version,
    node: process.versions.node,
    host: options.host,
    dataDir: options.dataDir,
    platform: process.platform,
    ...(electron === undefined ? {} : { electron }),
    ...(readOnlyReason === undefined ? {} : { readOnlyReason }),
    ...(damage === undefined ? {} : { damage }),
    ...(openRights === undefined ? {} : { openRights }),
  }
}

function promptHandlers(ground: Ground, rooms: Rooms): ReturnType<typeof systemPromptHandlers> {
  const { database, ids, nowIso, emit } = ground
  return systemPromptHandlers({
    database,
    ids,
    nowIso,
    emit,
    countSessions: (promptId) => rooms.store.countByGlobalPrompt(promptId),
    moveSessions: (from, to) => rooms.store.moveGlobalPrompt(from, to),
  })
}

function openTransfer(ground: Ground, rooms: Rooms): TransferRoom {
  const { database, ids, clock, emit } = ground
  return createTransferRoom({
    database,
    store: rooms.store,
    ids,
    now: clock,
    emit,
    prompts: {
      list: () => listPrompts(database),
      insert: ({ createdAt, ...prompt }) => {
        insertPrompt(database, { ...prompt, nowIso: createdAt })
      },
    },
    settings: {
      carried: () => carriedSettings(ground.settings.get()),
      take: (values, dryRun) => {
        const { patch, count, refused } = fittingSettings(ground.settings.get(), values)
        if (!dryRun && count > 0) ground.settings.update(patch)
        return { count, refused }
      },
    },
    readRecords: (messageId) => readRecords(database, messageId),
  })
}

/** One line a room. */
function register(router: Router, ground: Ground, rooms: Rooms, transfer: TransferRoom): void {
  const { database, emit, ids, nowIso: now, counters } = ground
  const { keyCipher } = ground.options
  const { store, defaultGlobalPromptId } = rooms
  const defaultModelId = () => ground.settings.get().general.defaultModelId ?? undefined
  router.register(appCalls, {
    'app.info': () => appInfo(ground),
    'app.report': (failure) => {
      ground.options.log.error({ page: failure }, 'the page failed')
      return {}
    },
  })
  router.register(settingsCalls, settingsHandlers(ground.settings))
  router.register(modelCalls, modelHandlers({ database, ids, now, keyCipher, emit, counters, defaultModelId }))
  router.register(systemPromptCalls, promptHandlers(ground, rooms))
  const sessions = sessionHandlers({ store, database, ids, emit, defaultGlobalPromptId })
  router.register(sessionCalls, {
    ...sessions,
    // Opening a chat is the sign that its books and the embedder will be needed soon.
    'sessions.get': async (input) => {
      const opened = await sessions['sessions.get'](input)
      ground.openings.opened(opened.session.id)
      rooms.worldbook.warm(opened.session.worldbookIds)
      rooms.memory.warm()
      return opened
    },
    'sessions.update': async (input) => {
      const before = store.getSession(input.sessionId)?.toolChoices ?? {}
      const updated = await sessions['sessions.update'](input)
      if (input.patch.toolChoices) rooms.tools.trust.choicesSet(updated.id, before)
      return updated
    },
  })
  router.register(turnCalls, rooms.turns.handlers)
  router.register(queueCalls, queueHandlers(store, rooms.turns))
  router.register(memoryCalls, rooms.memory.handlers)
  router.register(recentConversationCalls, rooms.recentConversations.handlers)
  router.register(userProfileCalls, rooms.userProfile.handlers)
  router.register(worldbookCalls, rooms.worldbook.handlers)
  const { dataDir } = ground.options
  router.register(backupCalls, backupHandlers({ database, dataDir, now: ground.clock, emit, looks: ground.looks }))
  router.register(recoveryCalls, idleRecovery())
  router.register(storageCalls, ground.storage.handlers)
  router.register(transferCalls, transfer.handlers)
  router.register(toolCalls, rooms.tools.handlers)
  router.register(jobCalls, ground.jobs.handlers)
}

/** What a crash or a long absence left behind is put in order before the first call, or as soon as there is room. */
function settle(ground: Ground, rooms: Rooms): void {
  const { storage } = ground
  const { log } = ground.options
  if (ground.readOnlyReason !== undefined) return
  const interrupted = rooms.store.markInterrupted()
  if (interrupted.length > 0) log.info({ answers: interrupted.length }, 'answers were interrupted by the last exit')
  storage.keep('expired chats', () => rooms.store.purgeExpired(ground.settings.get().general.binDays))
  storage.keep('approvals', () => rooms.tools.trust.bindOld(rooms.store.sessionsAllowing()))
  rooms.store.sweepFiles().catch((error: unknown) => {
    if (!storage.note(error)) log.error({ err: error }, 'loose files could not be swept')
  })
  rooms.memory.start().catch((error: unknown) => {
    if (!storage.note(error)) log.error({ err: error }, 'the memory search could not be loaded')
  })
  storage.keep('jobs', () => ground.jobs.start())
}

/** Switching a layer off stops its background work at once. */
function obeySettings(ground: Ground, rooms: Rooms): void {
  ground.hub.subscribe(({ name }) => {
    if (name !== 'settings.changed') return
    ground.storage.keep('settings', () => rooms.memory.settingsChanged())
    ground.storage.keep('settings', () => rooms.recentConversations.settingsChanged())
    ground.storage.keep('settings', () => rooms.userProfile.settingsChanged())
  })
}

async function closeAll(ground: Ground, rooms: Rooms, transfer: TransferRoom): Promise<void> {
  await rooms.turns.close()
  await ground.jobs.close()
  await rooms.tools.close()
  await transfer.close()
  await rooms.worldbook.close()
  await rooms.memory.close()
  await rooms.embedders.close()
  await rooms.store.close()
  await ground.counters.close()
  await ground.looks.close()
  const lost = ground.storage.close()
  if (lost > 0) ground.options.log.error({ pieces: lost }, 'the disk was full to the end: not everything was written')
}

/** The whole app over one data folder; knows neither Electron nor HTTP. */
export async function createApp(options: AppOptions): Promise<RunningApp> {
  const ground = await openGround(options)
  try {
    return startRooms(ground)
  } catch (error) {
    ground.database.close()
    if (!isDamageError(error)) throw error
    const finding = error instanceof Error ? error.message : String(error)
    throw damagedError(options.dataDir, describeDamage(options.dataDir, 'pages', finding))
  }
}

function startRooms(ground: Ground): RunningApp {
  const { options } = ground
  const rooms = createRooms(ground)
  const router = createRouter(
    (name, error) => options.log.error({ call: name, err: error }, 'a call failed inside the app'),
    (error) => ground.storage.note(error),
  )
  const transfer = openTransfer(ground, rooms)
  register(router, ground, rooms, transfer)
  obeySettings(ground, rooms)
  settle(ground, rooms)
  return {
    call: (name, input) => router.dispatch(name, input),
    subscribe: (listener) => ground.hub.subscribe(listener),
    noteStorage: (error) => ground.storage.note(error) !== undefined,
    tell: (sentence) => ground.emit('app.trouble', asMessage(sentence)),
    close: () => closeAll(ground, rooms, transfer).finally(() => ground.database.close()),
    ...(ground.readOnlyReason === undefined ? {} : { readOnlyReason: ground.readOnlyReason }),
    version: options.version,
    dataDir: options.dataDir,
  }
}
