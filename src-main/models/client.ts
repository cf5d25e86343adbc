import { jsonSchema, streamText, type ToolSet, tool } from 'ai'
import type { Emit } from '../app-contract'
import type { ProjectedRequest } from '../context/request-contract'
import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { KeyCipher } from '../settings/key-cipher'
import { describeSecrets, readSecret } from '../settings/keys'
import type { WriteDatabase } from '../storage/database'
import type { WireRequest } from '../turns/contract'
import { baseUrlOf } from './base-url'
import type { ModelClient, ModelTarget, SendOptions, StreamPart } from './client-types'
import { dryRunAnswer, dryRunStream } from './dry-run'
import { languageModel, usesResponses } from './language-model'
import { type FailureSubject, modelFailure } from './model-errors'
import { defaultProfile, mergeProfile, tighten } from './profiles'
import { readStream } from './read-stream'
import { findConnection, findModel, learnProfile, type StoredConnection, splitModelId } from './repository'
import { rulesOf } from './target-rules'
import { CACHE_MARK, marksTools, type ReadFile, toModelMessages } from './to-model-messages'
import { capturingFetch, sendingFetch, type WireWatch } from './wire-fetch'

export type { ModelClient, ModelTarget, StreamPart } from './client-types'

// the SDK writes its warnings to the console; they concern settings this app never sends
globalThis.AI_SDK_LOG_WARNINGS = false

export interface ModelClientDeps {
  database: WriteDatabase
  keyCipher: KeyCipher
  ids: () => string
  /** ISO 8601. */
  now: () => string
  emit: Emit
  fetch?: typeof fetch
}

/** Where a connection's secrets lie. `key` is the API key, `header:<name>` a secret header. */
export function secretOwner(connectionId: string): string {
  return `connection/${connectionId}`
}

/** The profile in force for a model: the default, tightened by what was learned, overridden by hand since then. */
export function profileOf(connection: StoredConnection, model = ''): ModelTarget['profile'] {
  const base = defaultProfile(connection.kind, {
    ...(connection.baseUrl === undefined ? {} : { baseUrl: connection.baseUrl }),
    model,
  })
  return mergeProfile(base, connection.learned.profile, connection.override)
}

/** The stored secrets of a connection in plain text. */
export async function readSecrets(
  deps: { database: WriteDatabase; keyCipher: KeyCipher },
  connectionId: string,
): Promise<Pick<ModelTarget, 'apiKey' | 'secretHeaders'>> {
  const owner = secretOwner(connectionId)
  const secretHeaders: Record<string, string> = {}
  let apiKey: string | undefined
  for (const { name } of describeSecrets(deps.database, owner)) {
    const text = await readSecret(deps.database, deps.keyCipher, { owner, name })
    if (text === undefined) continue
    if (name === 'key') apiKey = text
    else secretHeaders[name.replace(/^header:/, '')] = text
  }
  return { ...(apiKey === undefined ? {} : { apiKey }), secretHeaders }
}

export function secretsOf(target: Pick<ModelTarget, 'apiKey' | 'secretHeaders'>): string[] {
  return [target.apiKey ?? '', ...Object.values(target.secretHeaders ?? {})].filter((text) => text !== '')
}

function subjectOf(target: ModelTarget): FailureSubject {
  return {
    connection: target.connection.name,
    model: target.model.name,
    kind: target.connection.kind,
    baseUrl: baseUrlOf(target.connection),
    secrets: secretsOf(target),
  }
}

/** The makers' own services refuse a request without a key: said before anything leaves. */
function missingKey(target: ModelTarget): AppError | undefined {
  const { kind, baseUrl, name } = target.connection
  const hosted = kind === 'openai' || kind === 'anthropic' || kind === 'google'
  if (!hosted || baseUrl !== undefined || secretsOf(target).length > 0) return undefined
  return new AppError('model.unauthorised', said`No key is stored for ${name}. Enter one in Settings, then send again.`)
}

/** Hidden options: answers are not kept at OpenAI; Google shows its thoughts only when asked. */
function providerOptions(target: ModelTarget) {
  const { kind } = target.connection
  if (kind === 'openai' && usesResponses(baseUrlOf(target.connection))) return { openai: { store: false } }
  if (kind === 'google' && target.model.capabilities.reasoning) {
    return { google: { thinkingConfig: { includeThoughts: true } } }
  }
  return undefined
}

/** `marked`: the cache may keep the list by itself, up to its last tool. */
function toTools({ tools }: ProjectedRequest, marked: boolean): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, schema }, index) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(schema as Parameters<typeof jsonSchema>[0]),
        ...(marked && index === tools.length - 1 ? { providerOptions: CACHE_MARK } : {}),
      }),
    ]),
  )
}

interface Call {
  request: ProjectedRequest
  target: ModelTarget
  readFile: ReadFile
  send: typeof fetch
  ids: () => string
  signal?: AbortSignal
}

/** One request through the SDK. Preview and sending differ in `send` only. */
async function openStream(call: Call) {
  const { request, target } = call
  const marks = target.profile.marks === 'anthropic4'
  const messages = await toModelMessages(request, {
    kind: target.connection.kind,
    marks,
    rules: rulesOf(target),
    readFile: call.readFile,
  })
  const options = providerOptions(target)
  return streamText({
    model: languageModel(target, call.send, call.ids),
    messages,
    allowSystemInMessages: true,
    maxOutputTokens: request.maxOutputTokens,
    maxRetries: 0,
    onError: () => {},
    ...(request.tools.length > 0
      ? { tools: toTools(request, marks && marksTools(request.messages)), toolChoice: request.toolChoice ?? 'auto' }
      : {}),
    ...(options ? { providerOptions: options } : {}),
    ...(call.signal ? { abortSignal: call.signal } : {}),
  }).fullStream
}

async function captureWire(call: Omit<Call, 'send'>): Promise<WireRequest> {
  const watch: WireWatch = { tail: '' }
  let refusal: unknown
  for await (const part of await openStream({ ...call, send: capturingFetch(watch) })) {
    if (part.type === 'error') refusal ??= part.error
  }
  if (watch.wire) return watch.wire
  throw modelFailure(refusal, { subject: subjectOf(call.target), started: false }).error
}

async function* sendRequest(
  call: Omit<Call, 'send' | 'signal'> & { fetch: typeof fetch; options: SendOptions },
): AsyncIterable<StreamPart> {
  const { request, target, options } = call
  const subject = subjectOf(target)
  const watch: WireWatch = { tail: '' }
  const onSent = (wire: WireRequest) => options.onSent?.(wire)
  const send = sendingFetch({ fetch: call.fetch, watch, onSent })
  try {
    if (target.connection.kind === 'dry-run') {
      const wire = await captureWire({ ...call })
      onSent(wire)
      yield* dryRunStream(dryRunAnswer(request, wire), options.signal)
      return
    }
    const missing = missingKey(target)
    if (missing) {
      yield { type: 'error', error: missing, retryable: false }
      return
    }
    const stream = await openStream({ ...call, send, signal: options.signal })
    yield* readStream(stream, { subject, watch, signal: options.signal })
  } catch (error) {
    // an attachment that cannot be read, or a message the protocol cannot carry
    yield { type: 'error', ...modelFailure(error, { subject, started: false }) }
  }
}

async function collect(parts: AsyncIterable<StreamPart>) {
  let text = ''
  let usage: Extract<StreamPart, { type: 'usage' }>['usage'] | undefined
  for await (const part of parts) {
    if (part.type === 'text') text += part.text
    if (part.type === 'usage') usage = part.usage
    if (part.type === 'error') throw part.error
    if (part.type === 'finish' && part.reason === 'aborted') {
      throw new AppError('model.stream_broken', 'The request was stopped before the answer was complete.')
    }
  }
  return { text, ...(usage ? { usage } : {}) }
}

/** The one way to any model. Shapes, errors and promises are written at `ModelClient`. */
export function createModelClient(deps: ModelClientDeps): ModelClient {
  const { database, ids } = deps
  const stream: ModelClient['stream'] = (request, target, options) =>
    sendRequest({ request, target, readFile: options.readFile, ids, fetch: deps.fetch ?? fetch, options })
  return {
    stream,
    async target(modelId) {
      const { connectionId, name } = splitModelId(modelId)
      const connection = findConnection(database, connectionId)
      if (!connection || name === '') {
        throw new AppError('not_found', 'This model’s connection is no longer there. Choose another model.')
      }
      return {
        connection,
        ...(await readSecrets(deps, connection.id)),
        model: findModel(database, connection, name),
        profile: profileOf(connection, name),
      }
    },
    buildWire: (request, target, readFile) => captureWire({ request, target, readFile, ids }),
    async complete(request, target, options) {
      let wire: WireRequest | undefined
      const onSent = (sent: WireRequest) => {
        wire = sent
        options.onSent?.(sent)
      }
      const answer = await collect(stream(request, target, { ...options, onSent }))
      if (!wire) throw new Error('An answer came without a request.')
      return { ...answer, wire }
    },
    learn(target, error) {
      const details = error.details
      if (typeof details !== 'object' || details === null || !('serverText' in details)) return undefined
      const status = 'status' in details ? details.status : undefined
      if (status !== undefined && status !== 400 && status !== 422 && status !== 500) return undefined
      const tightened = tighten(target.profile, String(details.serverText))
      if (!tightened) return undefined
      const connection = learnProfile(database, { connectionId: target.connection.id, tightened, at: deps.now() })
      if (!connection) return undefined
      deps.emit('connections.changed', { ids: [connection.id] })
      return { target: { ...target, connection, profile: tightened.profile }, what: tightened.what }
    },
  }
}
