import type { Emit } from '../app-contract'
import { asText, type Said } from '../ipc/said-contract'
import type { StreamPart } from '../models/client-types'
import type { MessagePart, MessageState, ToolCallState } from '../sessions/contract'
import type { ToolResult } from '../tools/tool-gate'
import type { MessagePatch } from './ports'
import { type CallStart, startOf, withThinking } from './take-back'

/**
 * An answer is written at most this often: at once where its last writing is longer ago. A crash may cost half a second
 * of an answer; most of that is left for a busy machine, on which pieces are read late and timers run late.
 */
const FLUSH_MS = 100
/** Characters up to which an answer is written whole each time. A longer one is written piece by piece between. */
const WHOLE_UP_TO = 32_768
/** Deltas are gathered for this long: a fast model may send thousands of chunks a second. */
const DELTA_MS = 25

export type ToolPart = Extract<MessagePart, { type: 'tool' }>

interface WriterDeps {
  turnId: string
  messageId: string
  emit: Emit
  clock: () => number
  /**
   * Never fails for the disk's sake: what it refuses is kept and written when there is room. `grown` names the only text
   * that is new. False when it was kept only.
   */
  save: (patch: MessagePatch, grown?: { part: number; text: string }) => boolean
}

/** The answer while it grows: one list of parts, written to the database and told to the window from here only. */
export class AnswerWriter {
  readonly parts: MessagePart[]
  private readonly deps: WriterDeps
  private pending: { kind: 'text' | 'reasoning'; text: string } | undefined
  private deltaTimer: NodeJS.Timeout | undefined
  private saveTimer: NodeJS.Timeout | undefined
  /** When it was written last. */
  private flushedAt: number
  /** Characters of the last part that are stored; undefined once anything else changed, too. */
  private stored: number | undefined
  /** Characters stored as pieces since the row was written whole, and in the row. */
  private inPieces = 0
  private inRow = 0
  private reasoningSince: number | undefined
  private callStart: CallStart
  private readonly asking = new Set<ToolPart>()
  /** Of the last event told. */
  private seq = 0

  constructor(deps: WriterDeps, parts: readonly MessagePart[]) {
    this.deps = deps
    this.parts = structuredClone([...parts])
    this.callStart = startOf(this.parts)
    this.flushedAt = deps.clock()
  }

  /** A model call begins: what comes now is its answer. */
  beginCall(): void {
    this.callStart = startOf(this.parts)
  }

  /** The answer so far, and the last event it holds: what is still gathered is told first. */
  snapshot(): { parts: MessagePart[]; seq: number } {
    this.sendDelta()
    const parts = this.parts.map((part) =>
      part.type === 'tool' && this.asking.has(part) ? { ...part, state: 'waiting' as const } : part,
    )
    return { parts: structuredClone(parts), seq: this.seq }
  }

  append(kind: 'text' | 'reasoning', text: string): void {
    if (text === '') return
    if (kind === 'reasoning') this.reasoningSince ??= this.deps.clock()
    else this.closeReasoning()
    const last = this.parts.at(-1)
    if (last?.type === kind) last.text += text
    else {
      this.parts.push({ type: kind, text })
      this.stored = undefined
    }
    this.tell(kind, text)
    const ago = this.deps.clock() - this.flushedAt
    // not by timers alone: under a model that never pauses, on a busy thread, none gets its turn
    if (ago < 0 || ago >= FLUSH_MS) this.flush()
    else this.saveIn(FLUSH_MS - ago)
  }

  closeReasoning(signature?: unknown): void {
    const last = this.parts.findLast((part) => part.type === 'reasoning')
    if (last?.type !== 'reasoning') return
    if (this.reasoningSince !== undefined || signature !== undefined) this.stored = undefined
    if (this.reasoningSince !== undefined) {
      last.seconds = Math.max(0, (this.deps.clock() - this.reasoningSince) / 1000)
      this.reasoningSince = undefined
    }
    if (signature !== undefined) last.signature = signature
  }

  /** All text of this call turned out to be thinking, which is given whole. */
  takeBackText(thinking: string): void {
    this.sendDelta()
    this.parts.splice(0, this.parts.length, ...withThinking(this.parts, this.callStart, thinking))
    this.flushWhole()
    const { turnId, messageId } = this.deps
    this.seq += 1
    this.deps.emit('turn.rewritten', { turnId, messageId, parts: structuredClone(this.parts), seq: this.seq })
  }

  /** A sentence that belongs to the answer and is no part of what the model said. */
  addNote(note: Said): void {
    this.closeReasoning()
    this.parts.push({ type: 'note', ...asText(note) })
    this.flushWhole()
  }

  addCall(call: Extract<StreamPart, { type: 'tool-call' }>, toolId: string): ToolPart {
    this.closeReasoning()
    const part: ToolPart = {
      type: 'tool',
      callId: this.freeCallId(call.callId),
      toolId,
      name: call.name,
      arguments: call.arguments ?? call.raw ?? {},
      state: 'queued',
      ...(call.signature === undefined ? {} : { signature: call.signature }),
    }
    this.parts.push(part)
    this.flushWhole()
    this.tellTool(part)
    return part
  }

  /** Some servers count their calls anew in every round, or name none: a result must find its own call. */
  private freeCallId(asked: string): string {
    const taken = new Set(this.parts.map((part) => (part.type === 'tool' ? part.callId : '')))
    const base = asked === '' ? 'call' : asked
    let free = base
    for (let n = 2; taken.has(free); n += 1) free = `${base}_${n}`
    return free
  }

  setToolState(part: ToolPart, state: ToolCallState): void {
    part.state = state
    this.flushWhole()
    this.tellTool(part)
  }

  /** A finished call is stored at once: a restart never runs it again. */
  finishCall(part: ToolPart, result: ToolResult): void {
    part.state = result.outcome
    part.result = result.text
    part.elapsedMs = result.elapsedMs
    if (result.fullResultSha256 !== undefined) part.fullResultSha256 = result.fullResultSha256
    if (result.note !== undefined) part.note = result.note
    if (result.images !== undefined) part.images = result.images
    this.flushWhole()
    this.tellTool(part)
  }

  addRound(round: number): void {
    this.parts.push({ type: 'round', round })
    this.flushWhole()
  }

  private flushWhole(): void {
    this.stored = undefined
    this.flush()
  }

  flush(): void {
    this.sendDelta()
    clearTimeout(this.saveTimer)
    this.saveTimer = undefined
    this.flushedAt = this.deps.clock()
    const last = this.parts.at(-1)
    const length = last?.type === 'text' || last?.type === 'reasoning' ? last.text.length : undefined
    const grown = this.grownText()
    const isStored = this.deps.save({ parts: this.parts }, grown)
    // what the disk did not take is written whole the next time
    this.stored = isStored ? length : undefined
    if (grown) this.inPieces += grown.text.length
    else {
      this.inPieces = 0
      this.inRow = this.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0)
    }
  }

  /**
   * The text that alone is new, where the answer is long and its row is not much older than it: written whole each time
   * it has grown by half, an answer costs a few times its length, however long it gets.
   */
  private grownText(): { part: number; text: string } | undefined {
    const last = this.parts.at(-1)
    if (this.stored === undefined || (last?.type !== 'text' && last?.type !== 'reasoning')) return undefined
    const isShort = this.inRow < WHOLE_UP_TO || this.inPieces > this.inRow / 2
    return isShort ? undefined : { part: this.parts.length - 1, text: last.text.slice(this.stored) }
  }

  /** The last write: state, error and all. */
  close(state: MessageState, patch: Omit<MessagePatch, 'parts' | 'state'>): void {
    this.closeReasoning()
    this.sendDelta()
    clearTimeout(this.saveTimer)
    this.saveTimer = undefined
    this.deps.save({ ...patch, parts: this.parts, state })
  }

  private tell(kind: 'text' | 'reasoning', text: string): void {
    if (this.pending && this.pending.kind !== kind) this.sendDelta()
    this.pending = { kind, text: (this.pending?.text ?? '') + text }
    this.deltaTimer ??= setTimeout(() => this.sendDelta(), DELTA_MS)
  }

  /** A model may pause after any word: what came before the pause is stored without waiting for the next one. */
  private saveIn(milliseconds: number): void {
    this.saveTimer ??= setTimeout(() => {
      try {
        this.flush()
      } catch {
        // a timer has nobody to tell: the next piece, or the end, fails in the turn itself
        this.flushedAt = Number.NEGATIVE_INFINITY
        this.stored = undefined
      }
    }, milliseconds)
  }

  private sendDelta(): void {
    clearTimeout(this.deltaTimer)
    this.deltaTimer = undefined
    const { pending } = this
    this.pending = undefined
    if (!pending) return
    const { turnId, messageId } = this.deps
    this.seq += 1
    const event = { turnId, messageId, text: pending.text, seq: this.seq }
    this.deps.emit(pending.kind === 'text' ? 'turn.delta' : 'turn.reasoning', event)
  }

  /** What a running call says of itself: shown, never stored. */
  tellProgress(part: ToolPart, progress: string): void {
    if (part.state === 'running' && !this.asking.has(part)) this.tellTool(part, progress)
  }

  /** What a running call asks a person: it waits, and yet it has begun, which is what is stored. */
  tellAsking(part: ToolPart, isAsking: boolean): void {
    if (isAsking) this.asking.add(part)
    else this.asking.delete(part)
    this.tellTool(isAsking ? { ...part, state: 'waiting' } : part)
  }

  private tellTool(part: ToolPart, progress?: string): void {
    const { turnId, messageId } = this.deps
    const { callId, toolId, name, arguments: given, state, result } = part
    this.seq += 1
    this.deps.emit('turn.tool', {
      turnId,
      messageId,
      seq: this.seq,
      call: { callId, toolId, name, arguments: given },
      state,
      ...(result === undefined ? {} : { result }),
      ...(progress === undefined ? {} : { progress }),
    })
  }
}
