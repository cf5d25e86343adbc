import {
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelUsage,
  type TextStreamPart,
  type ToolSet,
  TypeValidationError,
} from 'ai'
import type { ReportedUsage } from '../turns/contract'
import type { StreamPart } from './client-types'
import { type FailureSubject, modelFailure, unfinished } from './model-errors'
import type { WireWatch } from './wire-fetch'

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
}

/** The SDK's parts in the app's own. Never throws; what arrived before a failure stays arrived. */
export async function* readStream(stream: AsyncIterable<SdkPart>, options: ReadOptions): AsyncIterable<StreamPart> {
  const { subject, watch } = options
  const signatures = createSignatures()
  let started = false
  let badChunk = false
  const broken = (error: unknown): StreamPart => ({ type: 'error', ...modelFailure(error, { subject, started }) })
  try {
    for await (const part of stream) {
      switch (part.type) {
        case 'text-delta':
          if (part.text === '') break
          started = true
          yield { type: 'text', text: part.text }
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
          yield toolCall(part)
          break
        case 'error':
          if (options.signal.aborted) break
          if (isBadChunk(part.error)) {
            started = true
            badChunk = true
          } else if (!InvalidResponseDataError.isInstance(part.error) || !started) {
            yield broken(part.error)
            return
          }
          break
        case 'abort':
          yield { type: 'finish', reason: 'aborted' }
          return
        case 'finish-step': {
          const usage = reportedUsage(part.usage)
          if (usage) yield { type: 'usage', usage }
          const ended = part.rawFinishReason !== undefined
          const saidDone = watch.tail.includes('[DONE]') && !badChunk
          if (ended) yield { type: 'finish', reason: part.finishReason }
          else if (saidDone) yield { type: 'finish', reason: 'stop' }
          else yield { type: 'error', ...unfinished(subject) }
          return
        }
      }
    }
    if (options.signal.aborted) yield { type: 'finish', reason: 'aborted' }
    else yield { type: 'error', ...unfinished(subject) }
  } catch (error) {
    yield options.signal.aborted ? { type: 'finish', reason: 'aborted' } : broken(error)
  }
}
