import type { Emit } from '../app-contract'
import type { StreamPart } from '../models/client-types'
import type { MessagePart, MessageState, ToolCallState } from '../sessions/contract'
import type { ToolResult } from '../tools/tool-gate'
import type { MessagePatch } from './ports'

/** Streamed text reaches the database at least this often, so that a crash costs half a second at most. */
const FLUSH_MS = 400
/** Deltas are gathered for this long: a fast model may send thousands of chunks a second. */
const DELTA_MS = 25

export type ToolPart = Extract<MessagePart, { type: 'tool' }>

interface WriterDeps {
  turnId: string
  messageId: string
  emit: Emit
  clock: () => number
  /** Throws when the disk is full: the turn then ends with that error, and what was kept stays. */
  save: (patch: MessagePatch) => void
}

/** The answer while it grows: one list of parts, written to the database and told to the window from here only. */
export class AnswerWriter {
  readonly parts: MessagePart[]
  private readonly deps: WriterDeps
  private pending: { kind: 'text' | 'reasoning'; text: string } | undefined
  private deltaTimer: NodeJS.Timeout | undefined
  private saveTimer: NodeJS.Timeout | undefined
  private lastSave: number
  private reasoningSince: number | undefined
  private dirty = false
  private readonly asking = new Set<ToolPart>()
  /** Of the last event told. */
  private seq = 0

  constructor(deps: WriterDeps, parts: readonly MessagePart[]) {
    this.deps = deps
    this.parts = structuredClone([...parts])
    this.lastSave = deps.clock()
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
    else this.parts.push({ type: kind, text })
    this.dirty = true
    this.tell(kind, text)
    if (Math.abs(this.deps.clock() - this.lastSave) >= FLUSH_MS) this.flush()
  }

  closeReasoning(signature?: unknown): void {
    const last = this.parts.findLast((part) => part.type === 'reasoning')
    if (last?.type !== 'reasoning') return
    if (this.reasoningSince !== undefined) {
      last.seconds = Math.max(0, (this.deps.clock() - this.reasoningSince) / 1000)
      this.reasoningSince = undefined
    }
    if (signature !== undefined) last.signature = signature
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
    this.flush()
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
    this.flush()
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
    this.flush()
    this.tellTool(part)
  }

  addRound(round: number): void {
    this.parts.push({ type: 'round', round })
    this.flush()
  }

  flush(): void {
    this.sendDelta()
    this.lastSave = this.deps.clock()
    this.dirty = false
    this.deps.save({ parts: this.parts })
  }

  /** The last write: state, error and all. */
  close(state: MessageState, patch: Omit<MessagePatch, 'parts' | 'state'>): void {
    this.closeReasoning()
    this.sendDelta()
    clearTimeout(this.saveTimer)
    this.dirty = false
    this.deps.save({ ...patch, parts: this.parts, state })
  }

  private tell(kind: 'text' | 'reasoning', text: string): void {
    if (this.pending && this.pending.kind !== kind) this.sendDelta()
    this.pending = { kind, text: (this.pending?.text ?? '') + text }
    this.deltaTimer ??= setTimeout(() => {
      this.sendDelta()
      this.saveSoon()
    }, DELTA_MS)
  }

  /** A model may pause after any word: what came before the pause is stored without waiting for the next one. */
  private saveSoon(): void {
    this.saveTimer ??= setTimeout(() => {
      this.saveTimer = undefined
      if (!this.dirty) return
      try {
        this.flush()
      } catch {
        // a timer has nobody to tell: the text is still dirty, so the next piece or the end fails in the turn itself
        this.dirty = true
      }
    }, FLUSH_MS)
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
