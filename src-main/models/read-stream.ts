import {
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelUsage,
  type TextStreamPart,
  type ToolSet,
  TypeValidationError,
} from 'ai'
import { said } from '../ipc/said-contract'
import type { ReportedUsage } from '../turns/contract'
import type { StreamPart } from './client-types'
import { type FailureSubject, modelFailure, unfinished } from './model-errors'
import { type EndReason, endReasonOf } from './reading/end-reason'
import { ServerSaid } from './reading/server-words'
import { createThinkingReader, type Told } from './reading/thinking-tags'
import { noteLost, type WireWatch } from './reading/wire-watch'
import { scrub } from './secret-text'
import { emptyAnswer } from './silent-server'

type SdkPart = TextStreamPart<ToolSet>
type Metadata = Record<string, unknown>

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Undefined when the server reported nothing. */
export function reportedUsage(usage: LanguageModelUsage): ReportedUsage | undefined {
  const inputTokens = usage.inputTokens
  if (inputTokens === undefined || (inputTokens === 0 && !usage.outputTokens)) return undefined
  const raw: Metadata = { ...usage.raw }
  const cached = usage.inputTokenDetails.cacheReadTokens
  return {
    inputTokens,
    // DeepSeek says it in a field of its own
    cachedInputTokens: cached || number(raw.prompt_cache_hit_tokens) || 0,
    outputTokens: usage.outputTokens ?? 0,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens ?? 0,
  }
}

/** One bad chunk does not end an answer; it only counts when no proper end follows. */
function isBadChunk(error: unknown): boolean {
  return JSONParseError.isInstance(error) || TypeValidationError.isInstance(error) || error instanceof SyntaxError
}

function toolCall(part: Extract<SdkPart, { type: 'tool-call' }>): StreamPart {
  const call = {
    type: 'tool-call' as const,
    callId: part.toolCallId,
    name: part.toolName,
    ...(part.providerMetadata ? { signature: part.providerMetadata } : {}),
  }
  const input: unknown = part.input
  if (typeof input !== 'string') return { ...call, arguments: input }
  try {
    return { ...call, arguments: JSON.parse(input) }
  } catch {
    // the caller shows the raw text to the model, which usually repairs it
    return { ...call, arguments: input, raw: input }
  }
}

/** Joins what a provider attaches to the start, the pieces and the end of one reasoning block. */
function createSignatures() {
  const byId = new Map<string, Metadata>()
  return {
    add(id: string, metadata: Metadata | undefined): Metadata | undefined {
      const joined: Metadata = { ...byId.get(id) }
      for (const [provider, fields] of Object.entries(metadata ?? {})) {
        joined[provider] = { ...(joined[provider] as Metadata | undefined), ...(fields as Metadata) }
      }
      if (Object.keys(joined).length === 0) return undefined
      byId.set(id, joined)
      return joined
    },
  }
}

export interface ReadOptions {
  subject: FailureSubject
  watch: WireWatch
  signal: AbortSignal
  /** Text of the answer this one goes on with. */
  before?: string
}

/** What a piece of text turned out to be, as the app's parts. */
function* told(pieces: readonly Told[]): Iterable<StreamPart> {
  for (const piece of pieces) {
    if (piece.type === 'begun-inside') yield { type: 'text-was-reasoning', text: piece.text }
    else yield piece
  }
}

/** The server's reason for the end, from its own word where it gave one. Undefined: it gave none. */
function reasonOf(part: Extract<SdkPart, { type: 'finish-step' }>, watch: WireWatch): EndReason | undefined {
  const raw = part.rawFinishReason
  if (part.finishReason === 'content-filter') return 'content-filter'
  if (raw !== undefined) return endReasonOf(raw)
  if (!watch.done && !watch.ended) return undefined
  return part.finishReason === 'tool-calls' || part.finishReason === 'length' ? part.finishReason : 'stop'
}

/** How an answer ended, as far as the transport knows. Undefined: in a proper way. */
function failureOf({ subject, watch }: ReadOptions, started: boolean): StreamPart | undefined {
  if (watch.failure) return { type: 'error', ...modelFailure(watch.failure, { subject, started }) }
  if (watch.done || watch.ended) return undefined
  if (watch.broken !== undefined) return { type: 'error', ...modelFailure(watch.broken, { subject, started }) }
  return { type: 'error', ...(watch.heard ? unfinished(subject) : emptyAnswer(subject)) }
}

/** What could not be read, told once for the whole answer: never a silent gap. */
function* losses({ lost }: WireWatch, secrets: readonly string[]): Iterable<StreamPart> {
  if (lost.count === 0) return
  const first = scrub(lost.first, secrets)
  yield {
    type: 'note',
    note:
      lost.count === 1
        ? said`One piece of this answer could not be read and is missing. Look for a gap, and try again if it matters. It began: ${first}`
        : said`${lost.count} pieces of this answer could not be read and are missing. Look for gaps, and try again if they matter. The first began: ${first}`,
  }
}

/** The SDK's parts in the app's own. Never throws; what arrived before a failure stays arrived. */
export async function* readStream(stream: AsyncIterable<SdkPart>, options: ReadOptions): AsyncIterable<StreamPart> {
  const { subject, watch, signal } = options
  const signatures = createSignatures()
  const thinking = createThinkingReader(options.before)
  let started = false
  const closing = function* (end: StreamPart, properly = false): Iterable<StreamPart> {
    yield* told(thinking.end(properly))
    if (!signal.aborted) yield* losses(watch, subject.secrets)
    yield end
  }
  const stopped = (): Iterable<StreamPart> => closing({ type: 'finish', reason: 'aborted' })
  const broken = (error: unknown): Iterable<StreamPart> =>
    closing({ type: 'error', ...modelFailure(watch.failure ?? error, { subject, started }) })
  try {
    for await (const part of stream) {
      switch (part.type) {
        case 'text-delta':
          if (part.text === '') break
          started = true
          yield* told(thinking.push(part.text))
          break
        case 'reasoning-start':
          signatures.add(part.id, part.providerMetadata)
          break
        case 'reasoning-delta':
          signatures.add(part.id, part.providerMetadata)
          if (part.text === '') break
          started = true
          yield { type: 'reasoning', text: part.text }
          break
        case 'reasoning-end': {
          const signature = signatures.add(part.id, part.providerMetadata)
          yield { type: 'reasoning-end', ...(signature === undefined ? {} : { signature }) }
          break
        }
        case 'tool-call':
          started = true
          yield* told(thinking.end(false))
          yield toolCall(part)
          break
        case 'error':
          if (signal.aborted) break
          if (isBadChunk(part.error)) noteLost(watch, messageOf(part.error))
          // an end without a reason is judged below, by what the transport saw
          else if (!InvalidResponseDataError.isInstance(part.error) && !watch.failure) return yield* broken(part.error)
          break
        case 'abort':
          return yield* stopped()
        case 'finish-step': {
          if (signal.aborted) return yield* stopped()
          const usage = reportedUsage(part.usage)
          if (usage) yield { type: 'usage', usage }
          const failure = failureOf(options, started)
          if (failure) return yield* closing(failure)
          const reason = reasonOf(part, watch) ?? 'stop'
          if (reason === 'error') return yield* broken(new ServerSaid(part.rawFinishReason ?? reason))
          return yield* closing({ type: 'finish', reason }, reason !== 'length')
        }
      }
    }
    if (signal.aborted) yield* stopped()
    else yield* closing(failureOf(options, started) ?? { type: 'error', ...unfinished(subject) })
  } catch (error) {
    if (signal.aborted) yield* stopped()
    else yield* broken(error)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
