import type { Attachment } from '../../sessions/composer-contract'
import type { Message, MessagePart } from '../../sessions/contract'
import { plainToolName } from '../../tools/tool-name-contract'
import type { Segment, Verdict } from '../contract'
import type { Piece, RequestEntry, RequestPart, TargetNeeds } from '../request-contract'
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
  /** Reasoning of the same model goes back: signed, or plain where it is wanted so. */
  sendReasoning: boolean
  plainReasoning: TargetNeeds['plainReasoning']
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

/** Earlier versions signed thoughts that had no signature of their own with the word `replay`. */
function isSigned(signature: unknown): boolean {
  if (typeof signature !== 'object' || signature === null) return signature !== undefined
  return !Object.values(signature).some((own) => typeof own === 'object' && own !== null && 'replay' in own)
}

/** The least a server takes for thoughts that are not there: an empty text counts as missing. */
const NO_THOUGHTS = ' '

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
  private readonly plain: boolean

  constructor(
    private readonly message: Message,
    private readonly options: ExpandOptions,
  ) {
    this.label = labelOf(message)
    const calls = options.toolTraffic && message.parts.some((part) => part.type === 'tool')
    const running = message.state === 'streaming'
    const { plainReasoning: wanted } = options
    this.plain = wanted !== 'none' && (wanted === 'this-answer' ? running : calls)
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
    if (!this.options.sendReasoning || !this.ownModel) return
    const pieces = [this.piece(part.text)]
    if (isSigned(part.signature)) this.spoken.push({ type: 'reasoning', pieces, signature: part.signature })
    else if (this.plain && part.text.trim() !== '') this.spoken.push({ type: 'reasoning', pieces, plain: true })
  }

  callTool(part: ToolPart): void {
    const reason = this.refusal(part)
    if (reason || part.result === undefined) {
      this.rejected.push(verdict(this.message, part.name, reason ?? 'orphan_tool_call'))
      return
    }
    this.callIds.add(part.callId)
    const { callId } = part
    const name = plainToolName(part.name)
    const own = this.ownModel
    const origin = own
      ? part.signature === undefined
        ? {}
        : { signature: part.signature }
      : { foreign: true as const }
    const asked = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments ?? {})
    this.spoken.push({
      type: 'tool-call',
      callId,
      name,
      arguments: part.arguments,
      pieces: [this.piece(`${name} ${asked}`)],
      ...origin,
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

  /** A call of another model, or one made without a thought, where calls without thoughts are refused. */
  private wantsThoughts(): boolean {
    if (this.options.plainReasoning !== 'demanded') return false
    const has = (type: RequestPart['type']) => this.spoken.some((part) => part.type === type)
    return has('tool-call') && !has('reasoning')
  }

  flush(): void {
    const { id } = this.message
    const worth = this.spoken.some((part) => part.type !== 'reasoning')
    if (this.wantsThoughts()) {
      this.spoken.unshift({ type: 'reasoning', pieces: [frame('history', 'no_reasoning', NO_THOUGHTS)], plain: true })
    }
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
