import type { Emit } from '../app-contract'
import { AppError } from '../ipc/app-error'
import type { Handlers, InputOf } from '../ipc/contract'
import type { KeyCipher } from '../settings/key-cipher'
import { keepSecretsInFile, removeSecrets } from '../settings/keys'
import type { WriteDatabase } from '../storage/database'
import { readSecrets, secretOwner } from './client'
import { cleanKey, fromDraft, sameServer, saveSecretsOf, shownConnection } from './connection-forms'
import type { Connection, Model, modelCalls } from './contract'
import { detectServers } from './detect'
import { type Endpoint, listServerModels, testConnection } from './discovery'
import { dropForgotten, dropLessons, dropProfileLessons, markForgotten } from './lesson-repository'
import {
  findConnection,
  findModel,
  firstAnsweringModel,
  listConnections,
  listModels,
  readChoices,
  removeConnection,
  type StoredConnection,
  saveChoices,
  saveConnection,
  saveListing,
  splitModelId,
} from './repository'
import type { ListedModel, ModelFacts } from './stored-model'
import type { TokenCounters } from './tokens/counters'

export interface ModelHandlerDeps {
  database: WriteDatabase
  ids: () => string
  /** ISO 8601. */
  now: () => string
  keyCipher: KeyCipher
  emit: Emit
  fetch?: typeof fetch
  counters: TokenCounters
  /** The model new chats use; undefined = none was chosen. */
  defaultModelId(): string | undefined
}

type Input<Name extends keyof typeof modelCalls> = InputOf<(typeof modelCalls)[Name]>

const LISTING_AFTER_SAVE_MS = 4000

function connectionOrThrow(deps: ModelHandlerDeps, id: string): StoredConnection {
  const connection = findConnection(deps.database, id)
  if (!connection) throw new AppError('not_found', 'This connection is no longer there. Reload the list.')
  return connection
}

function shown(deps: ModelHandlerDeps, connection: StoredConnection): Connection {
  return shownConnection(deps.database, connection, deps.keyCipher.kind)
}

async function endpointOf(deps: ModelHandlerDeps, connection: StoredConnection): Promise<Endpoint> {
  return { connection, ...(await readSecrets(deps, connection.id)) }
}

function keepListing(deps: ModelHandlerDeps, connectionId: string, listed: readonly ListedModel[]): void {
  deps.emit('models.changed', { ids: saveListing(deps.database, connectionId, listed) })
}

/** A new or moved connection is asked for its models at once, so that they can be chosen; failing is no error here. */
async function listAfterSave(deps: ModelHandlerDeps, connection: StoredConnection): Promise<void> {
  try {
    const endpoint = await endpointOf(deps, connection)
    keepListing(
      deps,
      connection.id,
      await listServerModels({ endpoint, fetch: deps.fetch ?? fetch, timeoutMs: LISTING_AFTER_SAVE_MS }),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

async function save(deps: ModelHandlerDeps, input: Input<'connections.save'>): Promise<Connection> {
  const fresh = { id: deps.ids(), createdAt: deps.now() }
  const { connection, before, headers } = fromDraft(deps.database, input, fresh)
  // first what can fail: a locked key store leaves no half-made connection
  await saveSecretsOf(deps, connection.id, { apiKey: input.apiKey, headers })
  saveConnection(deps.database, connection)
  const moved = !sameServer(before, connection)
  if (before && moved) dropLessons(deps.database, connection.id)
  if (moved || input.apiKey !== undefined || headers) await listAfterSave(deps, connection)
  deps.emit('connections.changed', { ids: [connection.id] })
  return shown(deps, connection)
}

async function draftEndpoint(
  deps: ModelHandlerDeps,
  draft: Extract<Input<'connections.test'>, { draft: unknown }>['draft'],
): Promise<Endpoint> {
  const { connection, headers } = fromDraft(deps.database, draft, { id: draft.id ?? 'draft', createdAt: deps.now() })
  const stored = draft.id === undefined ? { secretHeaders: {} } : await readSecrets(deps, draft.id)
  const keptHeaders = Object.entries(stored.secretHeaders ?? {}).filter(
    ([name]) => headers === undefined || headers.kept.includes(name),
  )
  const { apiKey: storedKey } = { apiKey: undefined, ...stored }
  const apiKey = draft.apiKey === undefined ? storedKey : cleanKey(draft.apiKey)
  return {
    connection,
    ...(apiKey ? { apiKey } : {}),
    secretHeaders: { ...Object.fromEntries(keptHeaders), ...headers?.secret },
  }
}

async function test(deps: ModelHandlerDeps, input: Input<'connections.test'>) {
  const stored = 'id' in input
  const endpoint = stored
    ? await endpointOf(deps, connectionOrThrow(deps, input.id))
    : await draftEndpoint(deps, input.draft)
  const asking = { endpoint, fetch: deps.fetch ?? fetch }
  const result = await testConnection(asking, () => performance.now())
  if (stored && result.listed) keepListing(deps, endpoint.connection.id, result.listed)
  return result.test
}

/** A field as it is to be stored: undefined leaves it, null clears it. */
function changed<T>(before: T | undefined, input: T | null | undefined): T | undefined {
  return input === undefined ? before : (input ?? undefined)
}

function saveModel(deps: ModelHandlerDeps, input: Input<'models.save'>): Model {
  const place = splitModelId(input.id)
  const connection = connectionOrThrow(deps, place.connectionId)
  if (place.name === '') throw new AppError('not_found', 'A model id is `<connection>/<name>`.')
  const before = readChoices(deps.database, place)
  const capabilities = { ...before.capabilities, ...input.capabilities }
  const next: ModelFacts = {
    contextWindow: changed(before.contextWindow, input.contextWindow),
    maxInputTokens: changed(before.maxInputTokens, input.maxInputTokens),
    maxOutputTokens: changed(before.maxOutputTokens, input.maxOutputTokens),
    price: changed(before.price, input.price),
    ...(Object.keys(capabilities).length > 0 ? { capabilities } : {}),
  }
  saveChoices(deps.database, place, next)
  // whoever switches tools on wants them tried again
  if (input.capabilities?.tools && dropLessons(deps.database, connection.id, place.name) > 0) {
    deps.emit('connections.changed', { ids: [connection.id] })
  }
  deps.emit('models.changed', { ids: [input.id] })
  return findModel(deps.database, connection, place.name)
}

async function refresh(deps: ModelHandlerDeps, connectionId: string): Promise<Model[]> {
  const connection = connectionOrThrow(deps, connectionId)
  const endpoint = await endpointOf(deps, connection)
  keepListing(deps, connection.id, await listServerModels({ endpoint, fetch: deps.fetch ?? fetch }))
  return listModels(deps.database, connection)
}

function list(deps: ModelHandlerDeps, connectionId: string | undefined): Model[] {
  const connections =
    connectionId === undefined ? listConnections(deps.database) : [connectionOrThrow(deps, connectionId)]
  return connections.flatMap((connection) => listModels(deps.database, connection))
}

async function keyStore(deps: ModelHandlerDeps, allowFile: boolean | undefined) {
  const { keyCipher } = deps
  if (allowFile && (await keepSecretsInFile(deps.database, keyCipher, deps.now())) > 0) {
    deps.emit('connections.changed', { ids: listConnections(deps.database).map((connection) => connection.id) })
  }
  return { kind: keyCipher.kind, canUseFile: keyCipher.kind === 'memory' && keyCipher.allowFile !== undefined }
}

/** Forgetting can be undone at once; long after, it is done. */
const UNDO_MS = 10 * 60_000

function markLessons(deps: ModelHandlerDeps, input: Input<'connections.forget'>, at: string | null): Connection {
  const connection = connectionOrThrow(deps, input.id)
  dropForgotten(deps.database, new Date(Date.parse(deps.now()) - UNDO_MS).toISOString())
  markForgotten(deps.database, { connectionId: connection.id, ids: input.lessonIds }, at)
  deps.emit('connections.changed', { ids: [connection.id] })
  deps.emit('models.changed', { ids: listModels(deps.database, connection).map((model) => model.id) })
  return shown(deps, connectionOrThrow(deps, input.id))
}

export function modelHandlers(deps: ModelHandlerDeps): Handlers<typeof modelCalls> {
  const { database, counters } = deps
  return {
    'connections.list': () => listConnections(database).map((connection) => shown(deps, connection)),
    'connections.save': (input) => save(deps, input),
    'connections.remove': ({ id }) => {
      const removed = removeConnection(database, id)
      removeSecrets(database, { owner: secretOwner(id) })
      if (removed > 0) deps.emit('connections.changed', { ids: [id] })
      return { removed }
    },
    'connections.test': (input) => test(deps, input),
    'connections.detect': () => detectServers(deps.fetch ?? fetch),
    'connections.reset-profile': ({ id }) => {
      const connection = connectionOrThrow(deps, id)
      dropProfileLessons(database, id)
      const reset = saveConnection(database, { ...connection, override: {}, learned: { profile: {} } })
      deps.emit('connections.changed', { ids: [id] })
      return shown(deps, reset)
    },
    'connections.forget': (input) => markLessons(deps, input, deps.now()),
    'connections.recall': (input) => markLessons(deps, input, null),
    'connections.key-store': ({ allowFile }) => keyStore(deps, allowFile),
    'models.list': ({ connectionId }) => list(deps, connectionId),
    'models.refresh': ({ connectionId }) => refresh(deps, connectionId),
    'models.save': (input) => saveModel(deps, input),
    'models.count-tokens': async ({ text, modelId }) => {
      const usual = deps.defaultModelId() ?? firstAnsweringModel(deps.database)?.id
      const counter = counters.forModel(modelId ?? usual ?? '')
      await counter.prime([text])
      return { tokens: counter.count(text), quality: counter.quality }
    },
  }
}
