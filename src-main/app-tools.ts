import type { Ground } from './app-ground'
import type { MemoryRoom } from './context/memory/memory-room'
import type { BackgroundModel } from './models/contract'
import type { Session } from './sessions/contract'
import type { SessionStore } from './sessions/session-store'
import { readSecret, removeSecrets, saveSecret } from './settings/keys'
import type { SecretStore } from './tools/kept-secrets'
import { createToolRoom, type ToolRoom } from './tools/tool-room'
import { turnTime } from './turns/turn-time'

/** The key store as the tools room uses it. */
function toolSecrets(ground: Ground): SecretStore {
  const { database, nowIso } = ground
  const { keyCipher } = ground.options
  return {
    put: (owner, name, text) => saveSecret(database, keyCipher, { owner, name, text, now: nowIso() }),
    get: (owner, name) => readSecret(database, keyCipher, { owner, name }),
    remove: (owner, name) => {
      removeSecrets(database, { owner, ...(name === undefined ? {} : { name }) })
    },
  }
}

export function openTools(
  ground: Ground,
  rooms: {
    store: SessionStore
    memory: MemoryRoom
    background: BackgroundModel
    /** Whether the model a session would use calls tools. */
    modelHasTools: (session: Session | undefined) => boolean
    /** The id of that model, when there is one. */
    modelIdOf: (session: Session | undefined) => string | undefined
  },
): ToolRoom {
  const { database, emit, ids, clock, nowIso, timeZone, counters } = ground
  const { store, memory, background, modelHasTools, modelIdOf } = rooms
  return createToolRoom({
    database,
    secrets: toolSecrets(ground),
    memory,
    background,
    settings: () => ground.settings.get(),
    getSession: (sessionId) => store.getSession(sessionId),
    patchToolChoice(sessionId, toolId, choice) {
      const { toolChoices } = store.requireSession(sessionId)
      store.patchSession(sessionId, { toolChoices: { ...toolChoices, [toolId]: choice } })
    },
    modelHasTools,
    emit,
    ids,
    nowIso,
    now: () => turnTime(clock(), timeZone()),
    clock,
    counterFor: (session) => counters.forModel(modelIdOf(session) ?? ''),
    whenRoom: (lane, write) => void ground.storage.keep(lane, write),
    keep: (bytes, _mediaType, sessionId) => store.saveBlob(sessionId, bytes),
    onBug: (tool, error) => ground.options.log.error({ tool, err: error }, 'a tool failed inside the app'),
  })
}
