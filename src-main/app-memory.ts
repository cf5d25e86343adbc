import type { Ground } from './app-ground'
import { createMemoryRoom, type MemoryRoom, type MemoryRoomDeps } from './context/memory/memory-room'
import { baseUrlOf, queryOf } from './models/base-url'
import { readSecrets } from './models/client'
import { createEmbedders, type Embedders } from './models/embedding/choose-embedder'
import { EVERYDAY_PAIRS, EVERYDAY_QUESTIONS, EVERYDAY_STATEMENTS } from './models/embedding/everyday-texts'
import { findConnection } from './models/repository'

/** The first window and its first calls come before the model and the on-disk index. */
const SETTLE_MS = 2_000

/** The embedders of the connections: address and headers from the database, keys from the key store at each call. */
export function openEmbedders(ground: Ground): Embedders {
  const { database } = ground
  const { keyCipher } = ground.options
  return createEmbedders({
    endpointOf(connectionId) {
      const connection = findConnection(database, connectionId)
      return connection && { baseUrl: baseUrlOf(connection), query: queryOf(connection), headers: connection.headers }
    },
    secretsOf: (connectionId) => readSecrets({ database, keyCipher }, connectionId),
  })
}

export function openMemory(
  ground: Ground,
  embedders: Embedders,
  others: Pick<MemoryRoomDeps, 'background' | 'chats' | 'forgetSource'>,
): MemoryRoom {
  const { database, options, jobs, emit, ids, clock, nowIso, counters } = ground
  const settings = () => ground.settings.get()
  const counter = counters.forModel('')
  return createMemoryRoom({
    settleMs: SETTLE_MS,
    database,
    dataDir: options.dataDir,
    readOnly: ground.readOnlyReason !== undefined,
    settings,
    embedder: () => embedders.choose(settings().memory.embedder),
    embedderFor: (space) => embedders.forSpace(space),
    everyday: {
      statements: [...EVERYDAY_STATEMENTS.en, ...EVERYDAY_STATEMENTS.zh],
      questions: [...EVERYDAY_QUESTIONS.en, ...EVERYDAY_QUESTIONS.zh],
      pairs: EVERYDAY_PAIRS,
    },
    jobs,
    emit,
    ids,
    clock,
    nowIso,
    countTokens: (text) => counter.count(text),
    ...others,
    onProblem: (error) => {
      if (!ground.storage.note(error)) options.log.error({ err: error }, 'memory: background work failed')
    },
  })
}
