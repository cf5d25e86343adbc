import { type AppError, saidBy } from '../ipc/app-error'
import { asMessage } from '../ipc/said-contract'
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

/** The reported numbers applied; what they teach goes to the models room. */
function settleUsage(
  deps: TurnDeps,
  composed: Composed,
  target: ModelTarget,
  reported: ReportedUsage,
): Composed['usage'] {
  const truncated = truncatedByServer(composed, reported)
  if (truncated) {
    const contextWindow = windowAbove(reported.inputTokens + reported.outputTokens)
    if (contextWindow >= LEAST_WINDOW && contextWindow < (composed.usage.window ?? Number.POSITIVE_INFINITY))
      deps.models.learnFacts(target.model.id, { contextWindow })
  } else if (!composed.usage.notCounted?.length) {
    deps.models.calibrate(target.model.id, composed.usage.used, reported.inputTokens)
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
    putRecord(database, {
      messageId,
      round,
      turnId: context.turnId,
      sessionId: context.sessionId,
      sentAt: isoInZone(deps.clock(), collected.turn.now.timeZone),
      connectionId: target.connection.id,
      modelId: target.model.id,
      preview: previewOf(collected, composed, wire),
    })
  }
  const readFile = (sha256: string) => deps.store.readAttachment(sha256)
  for await (const part of deps.models.stream(composed.request, target, { signal, readFile, onSent })) {
    timings.firstByte ??= performance.now() - began
    switch (part.type) {
      case 'text':
      case 'reasoning':
        if (part.type === 'text') timings.firstText ??= performance.now() - began
        end.spoke = true
        writer.append(part.type, part.type === 'text' && seam ? seam.push(part.text) : part.text)
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
  putOutcome(database, messageId, round, {
    timings,
    usage: end.usage,
    ...(end.reported ? { reported: end.reported } : {}),
    ...(end.stopped ? { finishReason: 'stopped' } : end.finishReason ? { finishReason: end.finishReason } : {}),
    ...(end.error && !end.stopped ? { error: { code: end.error.code, ...asMessage(saidBy(end.error)) } } : {}),
  })
  return end
}
