import { jsonSchema, streamText, type ToolSet, tool } from 'ai'
import type { Emit } from '../app-contract'
import { GO_ON_SOURCE, type ProjectedRequest } from '../context/request-contract'
import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { KeyCipher } from '../settings/key-cipher'
import { describeSecrets, readSecret } from '../settings/keys'
import type { WriteDatabase } from '../storage/database'
import type { WireRequest } from '../turns/contract'
import { baseUrlOf, queryOf } from './base-url'
import type { ModelClient, ModelTarget, SendOptions, StreamPart } from './client-types'
import { dryRunAnswer, dryRunStream } from './dry-run'
import { cleanHeader } from './header-rules'
import { languageModel, protocolOf, usesResponses } from './language-model'
import { createLearning } from './learning'
import { learnedFit } from './lesson-repository'
import { type FailureSubject, modelFailure } from './model-errors'
import { defaultProfile, mergeProfile } from './profiles'
import { readStream } from './read-stream'
import { newWatch } from './reading/wire-watch'
import { findConnection, findModel, type StoredConnection, splitModelId } from './repository'
import { fittingFetch } from './request-fit'
import { silenceLimit } from './silence'
import { tooSilent } from './silent-server'
import { rulesOf } from './target-rules'
import { CACHE_MARK, marksTools, type ReadFile, toModelMessages } from './to-model-messages'
import { capturingFetch, sendingFetch } from './wire-fetch'

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
  /** Seconds a server may say nothing; 0 or missing = for ever. */
  silenceSeconds?: () => number
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

const fitted = ({ connection, fit }: ModelTarget, send: typeof fetch): typeof fetch =>
  fittingFetch(send, { fit, query: queryOf(connection) })

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
    model: languageModel(target, fitted(target, call.send), call.ids),
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
  const watch = newWatch()
  let refusal: unknown
  for await (const part of await openStream({ ...call, send: capturingFetch(watch) })) {
    if (part.type === 'error') refusal ??= part.error
  }
  if (watch.wire) return watch.wire
  throw modelFailure(refusal, { subject: subjectOf(call.target), started: false }).error
}

/** The answer a request asks to go on with, by ending with it or with a line that says so: what comes is not its head. */
function wordsToGoOnWith({ messages }: ProjectedRequest): string {
  const at = messages.findLastIndex((message) => message.role === 'assistant')
  const asks = messages
    .slice(at + 1)
    .some(({ parts }) =>
      parts.some((part) => 'pieces' in part && part.pieces.some((piece) => piece.sourceId === GO_ON_SOURCE)),
    )
  if (at < 0 || (at < messages.length - 1 && !asks)) return ''
  const texts = (messages[at]?.parts ?? []).filter((part) => part.type === 'text')
  return texts.flatMap((part) => part.pieces.map((piece) => piece.text)).join('')
}

async function* sendRequest(
  call: Omit<Call, 'send' | 'signal'> & { fetch: typeof fetch; silenceSeconds: number; options: SendOptions },
): AsyncIterable<StreamPart> {
  const { request, target, options } = call
  const subject = subjectOf(target)
  const watch = newWatch()
  const onSent = (wire: WireRequest) => options.onSent?.(wire)
  const seconds = call.silenceSeconds
  const silence = silenceLimit(seconds, () => {
    watch.failure = tooSilent(subject, seconds)
  })
  const send = sendingFetch({ fetch: call.fetch, watch, protocol: protocolOf(target), silence, onSent })
  try {
    if (target.connection.kind === 'dry-run') {
      const wire = await captureWire({ ...call })
      onSent(wire)
      yield* dryRunStream(dryRunAnswer(request, wire), options.signal)
      return
    }
    // headers stored before they were checked would fail as if the model had said something
    for (const [name, value] of Object.entries({ ...target.connection.headers, ...target.secretHeaders })) {
      cleanHeader(name, value)
    }
    const missing = missingKey(target)
    if (missing) {
      yield { type: 'error', error: missing, retryable: false }
      return
    }
    const stream = await openStream({ ...call, send, signal: options.signal })
    yield* readStream(stream, { subject, watch, signal: options.signal, before: wordsToGoOnWith(request) })
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
    if (part.type === 'text-was-reasoning') text = ''
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
  const learning = createLearning(deps)
  const stream: ModelClient['stream'] = (request, target, options) =>
    sendRequest({
      request,
      target,
      readFile: options.readFile,
      ids,
      fetch: deps.fetch ?? fetch,
      silenceSeconds: deps.silenceSeconds?.() ?? 0,
      options,
    })
  return {
    stream: learning.noting(stream),
    async target(modelId) {
      const { connectionId, name } = splitModelId(modelId)
      const connection = findConnection(database, connectionId)
      if (!connection || name === '') {
        throw new AppError('not_found', 'This model’s connection is no longer there. Choose another model.')
      }
      const fit = learnedFit(database, connectionId, name)
      return {
        connection,
        ...(await readSecrets(deps, connection.id)),
        model: findModel(database, connection, name),
        profile: profileOf(connection, name),
        ...(fit && { fit }),
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
    learn: (target, error) => learning.learn(target, error),
  }
}
