import type { Attachment, Message, MessagePart } from '../../sessions/contract'
import type { Segment, Verdict } from '../contract'
import type { Piece, RequestEntry, RequestPart } from '../request-contract'
import { defuse, defusePieces } from './borders'
import { coalesceText } from './parts'
import { frame } from './render-block'

export type HistoryEntry = Extract<RequestEntry, { kind: 'message' }>

/** One stored message as the request says it. */
export interface ExpandedMessage {
  entries: readonly HistoryEntry[]
  rejected: readonly Verdict[]
}

export interface ExpandOptions {
  /** Signed reasoning of the same model goes back. */
  sendReasoning: boolean
  /** Provider bytes are only worth something to the model that made them. */
  modelId: string
  /** False in isolated sessions. */
  toolTraffic: boolean
  /** The unfinished answer a turn goes on with is kept whatever its state. */
  keepFailed: boolean
}

function labelOf(message: Message): string {
  const words = message.text.slice(0, 60).replace(/\s+/g, ' ').trim()
  return words === '' ? message.role : words
}

function verdict(message: Message, label: string, reason: string): Verdict {
  return { block: 'history', sourceId: message.id, label, reason }
}

function attachmentPart(attachment: Attachment, segment: Segment, first: boolean): RequestPart {
  const { id, name, mediaType, sha256 } = attachment
  if (attachment.extractedText !== undefined) {
    const heading = frame(segment, 'attachment', `${first ? '' : '\n\n'}[${name}]\n`)
    const text: Piece = { segment, sourceId: id, label: name, text: attachment.extractedText }
    return { type: 'text', pieces: defusePieces([heading, text], 'any') }
  }
  const pieces: Piece[] = [{ segment, sourceId: id, label: name, text: '' }]
  const type = mediaType.startsWith('image/') ? 'image' : 'file'
  const tokens = attachment.tokens === undefined ? {} : { tokens: attachment.tokens }
  return { type, sha256, mediaType, name, pieces, ...tokens }
}

/** A user message with its attachments; nothing at all when it holds neither. */
export function expandUser(message: Message, segment: 'history' | 'draft'): ExpandedMessage {
  const parts: RequestPart[] = []
  const label = labelOf(message)
  if (message.text.trim() !== '') {
    parts.push({ type: 'text', pieces: [{ segment, sourceId: message.id, label, text: message.text }] })
  }
  for (const attachment of message.attachments) parts.push(attachmentPart(attachment, segment, parts.length === 0))
  if (parts.length === 0) return { entries: [], rejected: [verdict(message, label, 'empty')] }
  return {
    entries: [{ kind: 'message', role: 'user', messageId: message.id, parts: coalesceText(parts) }],
    rejected: [],
  }
}

/** Thoughts a server wants back in plain text, and only while the same turn goes on: later it ignores or refuses them. */
function isForThisTurn(signature: unknown): boolean {
  if (typeof signature !== 'object' || signature === null) return false
  return Object.values(signature).some((own) => typeof own === 'object' && own !== null && 'replay' in own)
}

type ToolPart = Extract<MessagePart, { type: 'tool' }>

/** Collects one answer round by round: what the model said, then the results it got. */
class AnswerRounds {
  readonly entries: HistoryEntry[] = []
  readonly rejected: Verdict[] = []
  private spoken: RequestPart[] = []
  private results: RequestPart[] = []
  private newRound = false
  private readonly callIds = new Set<string>()
  private readonly label: string

  constructor(
    private readonly message: Message,
    private readonly options: ExpandOptions,
  ) {
    this.label = labelOf(message)
  }

  private piece(text: string): Piece {
    return { segment: 'history', sourceId: this.message.id, label: this.label, text }
  }

  private get ownModel(): boolean {
    return this.message.modelId === undefined || this.message.modelId === this.options.modelId
  }

  say(text: string): void {
    if (this.results.length > 0) this.flush()
    if (text.trim() === '') return
    const said = this.spoken.some((part) => part.type === 'text')
    const border = this.newRound && said ? [frame('history', 'round', '\n\n')] : []
    this.newRound = false
    this.spoken.push({ type: 'text', pieces: [...border, this.piece(text)] })
  }

  reason(part: Extract<MessagePart, { type: 'reasoning' }>): void {
    if (this.results.length > 0) this.flush()
    if (!this.options.sendReasoning || part.signature === undefined || !this.ownModel) return
    if (isForThisTurn(part.signature) && this.message.state !== 'streaming') return
    this.spoken.push({ type: 'reasoning', pieces: [this.piece(part.text)], signature: part.signature })
  }

  callTool(part: ToolPart): void {
    const reason = this.refusal(part)
    if (reason || part.result === undefined) {
      this.rejected.push(verdict(this.message, part.name, reason ?? 'orphan_tool_call'))
      return
    }
    this.callIds.add(part.callId)
    const { callId, name } = part
    const signature = part.signature !== undefined && this.ownModel ? { signature: part.signature } : {}
    const asked = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments ?? {})
    this.spoken.push({
      type: 'tool-call',
      callId,
      name,
      arguments: part.arguments,
      pieces: [this.piece(`${name} ${asked}`)],
      ...signature,
    })
    this.results.push({
      type: 'tool-result',
      callId,
      name,
      failed: part.state !== 'completed',
      pieces: [this.piece(defuse(part.result, 'any'))],
      ...(part.images ? { images: part.images } : {}),
    })
  }

  /** A call without its result, or a result that answers no call of its own, would be refused by every server. */
  private refusal(part: ToolPart): string | undefined {
    if (!this.options.toolTraffic) return 'isolated'
    if (part.callId === '' || this.callIds.has(part.callId)) return 'orphan_tool_result'
    return part.result === undefined ? 'orphan_tool_call' : undefined
  }

  endRound(): void {
    if (this.results.length > 0) this.flush()
    this.newRound = true
  }

  flush(): void {
    const { id } = this.message
    const worth = this.spoken.some((part) => part.type !== 'reasoning')
    const parts = coalesceText(this.spoken)
    if (worth) this.entries.push({ kind: 'message', role: 'assistant', messageId: id, parts })
    if (this.results.length > 0)
      this.entries.push({ kind: 'message', role: 'tool', messageId: id, parts: this.results })
    this.spoken = []
    this.results = []
    this.newRound = false
  }
}

/** An answer with its tool rounds. Failed answers and ones that say nothing are left out, with a verdict. */
export function expandAnswer(message: Message, options: ExpandOptions): ExpandedMessage {
  const label = labelOf(message)
  if (message.state === 'failed' && !options.keepFailed) {
    return { entries: [], rejected: [verdict(message, label, 'failed_answer')] }
  }
  const rounds = new AnswerRounds(message, options)
  for (const part of message.parts) {
    if (part.type === 'text') rounds.say(part.text)
    else if (part.type === 'reasoning') rounds.reason(part)
    else if (part.type === 'tool') rounds.callTool(part)
    else rounds.endRound()
  }
  if (message.parts.length === 0) rounds.say(message.text)
  rounds.flush()
  if (rounds.entries.length === 0) rounds.rejected.push(verdict(message, label, 'empty'))
  return { entries: rounds.entries, rejected: rounds.rejected }
}
