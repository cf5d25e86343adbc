import { type AppError, saidBy } from '../ipc/app-error'
import { asMessage, asText } from '../ipc/said-contract'
import { looksTruncated } from '../models/tokens/counters'
import type { AnswerWriter, ToolPart } from './answer-writer'
import type { Collected, Composed } from './compose'
import type { ReportedUsage, TurnRecord } from './contract'
import type { ModelTarget, TurnDeps } from './ports'
import { previewOf } from './preview'
import { putOutcome, putRecord } from './record-repository'
import { withReported } from './reported-usage'
import type { Seam } from './seam'
import { isoInZone } from './turn-time'

/** How one model call ended. */
export interface CallEnd {
  calls: ToolPart[]
  reported?: ReportedUsage
  finishReason?: string
  error?: AppError
  retryable: boolean
  stopped: boolean
  /** Whether anything of the answer arrived. */
  spoke: boolean
  usage: Composed['usage']
}

interface CallContext {
  turnId: string
  sessionId: string
  messageId: string
  round: number
  collected: Collected
  composed: Composed
  target: ModelTarget
  writer: AnswerWriter
  signal: AbortSignal
  /** Where a continued answer goes on. */
  seam?: Seam
}

/** Whether the server must have cut the front off: it says it read far less than was sent. */
function truncatedByServer({ usage }: Composed, reported: ReportedUsage): boolean {
  if (usage.notCounted?.length || reported.inputTokens <= 0) return false
  return looksTruncated(usage.used, reported.inputTokens, usage.quality === 'calibrated' ? 'calibrated' : 'estimated')
}

/** Tokens. No server runs a chat in less; a smaller report is a server that counts in its own way. */
const LEAST_WINDOW = 2048

/** Servers choose windows that are powers of two: the next one above what went through. */
const windowAbove = (tokens: number): number => 2 ** Math.ceil(Math.log2(Math.max(2, tokens)))

/** What is written about one answer keeps its order. */
export const laneOf = (messageId: string): string => `answer ${messageId}`
/** A window a person set or the server states is never replaced by what an answer lets suspect. */
export const isStated = (source: ModelTarget['model']['windowSource']): boolean =>
  source === 'user' || source === 'server'

/** The reported numbers applied; what they teach goes to the models room. */
function settleUsage(
  deps: TurnDeps,
  composed: Composed,
  target: ModelTarget,
  reported: ReportedUsage,
): Composed['usage'] {
  const truncated = truncatedByServer(composed, reported)
  if (truncated && !isStated(target.model.windowSource)) {
    const contextWindow = windowAbove(reported.inputTokens + reported.outputTokens)
    if (contextWindow >= LEAST_WINDOW && contextWindow < (composed.usage.window ?? Number.POSITIVE_INFINITY))
      deps.keep('models', () => deps.models.learnFacts(target.model.id, { contextWindow, windowFrom: 'guess' }))
  } else if (!truncated && !composed.usage.notCounted?.length) {
    const { used } = composed.usage
    deps.keep('models', () => deps.models.calibrate(target.model.id, used, reported.inputTokens))
  }
  return withReported(composed.usage, reported, truncated)
}

/** A name nobody offered stays a name. */
const toolIdOf = ({ tools }: Collected, name: string): string =>
  tools.tools.find((tool) => tool.name === name)?.id ?? name

/** Streams one request into the answer and keeps the record of what left. Never rejects for a model's failure. */
export async function callModel(deps: TurnDeps, context: CallContext): Promise<CallEnd> {
  const { collected, composed, target, writer, signal, messageId, round, seam } = context
  const database = deps.store.databaseOf(context.sessionId)
  const began = performance.now()
  const timings: TurnRecord['timings'] = {
    collect: round === 1 ? collected.collectMs : 0,
    assemble: composed.assembleMs,
  }
  const end: CallEnd = { calls: [], retryable: false, stopped: false, spoke: false, usage: composed.usage }
  const onSent: Parameters<TurnDeps['models']['stream']>[2]['onSent'] = (wire) => {
    const record = {
      messageId,
      round,
      turnId: context.turnId,
      sessionId: context.sessionId,
      sentAt: isoInZone(deps.clock(), collected.turn.now.timeZone),
      connectionId: target.connection.id,
      modelId: target.model.id,
      preview: previewOf(collected, composed, wire),
    }
    deps.keep(laneOf(messageId), () => putRecord(database, record))
  }
  const readFile = (sha256: string) => deps.store.readAttachment(sha256)
  const notes: NonNullable<TurnRecord['notes']> = []
  writer.beginCall()
  for await (const part of deps.models.stream(composed.request, target, { signal, readFile, onSent })) {
    timings.firstByte ??= performance.now() - began
    switch (part.type) {
      case 'text':
      case 'reasoning':
        if (part.type === 'text') timings.firstText ??= performance.now() - began
        end.spoke = true
        writer.append(part.type, part.type === 'text' && seam ? seam.push(part.text) : part.text)
        break
      case 'text-was-reasoning':
        writer.takeBackText(part.text)
        break
      case 'note':
        writer.addNote(part.note)
        notes.push(asText(part.note))
        break
      case 'reasoning-end':
        writer.closeReasoning(part.signature)
        break
      case 'tool-call':
        end.spoke = true
        if (seam) writer.append('text', seam.end())
        end.calls.push(writer.addCall(part, toolIdOf(collected, part.name)))
        break
      case 'usage':
        end.reported = part.usage
        break
      case 'finish':
        end.finishReason = part.reason
        break
      case 'error':
        end.error = part.error
        end.retryable = part.retryable
        break
      default:
        part satisfies never
    }
    if (signal.aborted) break
  }
  if (seam) writer.append('text', seam.end())
  end.stopped = signal.aborted
  timings.total = performance.now() - began
  if (end.reported) end.usage = settleUsage(deps, composed, target, end.reported)
  const outcome = {
    timings,
    usage: end.usage,
    ...(end.reported ? { reported: end.reported } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    ...(end.stopped ? { finishReason: 'stopped' } : end.finishReason ? { finishReason: end.finishReason } : {}),
    ...(end.error && !end.stopped ? { error: { code: end.error.code, ...asMessage(saidBy(end.error)) } } : {}),
  }
  deps.keep(laneOf(messageId), () => putOutcome(database, messageId, round, outcome))
  return end
}
