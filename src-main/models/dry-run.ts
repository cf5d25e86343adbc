import { setImmediate } from 'node:timers/promises'
import type { Piece, ProjectedRequest, RequestPart, WireMessage } from '../context/request-contract'
import type { WireRequest } from '../turns/contract'
import type { StreamPart } from './client-types'

const CHUNK_CHARACTERS = 480
/** Dry-run answers become history themselves: without a cut each would hold all earlier ones. */
const HISTORY_CHARACTERS = 240
const PIECE_CHARACTERS = 6000

function cut(text: string, limit: number): string {
  const left = text.length - limit
  return left > 0 ? `${text.slice(0, limit)}\n… (${left.toLocaleString('en')} more characters)` : text
}

/** A fence longer than any run of backticks in the text. */
function fenced(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Neighbouring pieces of one segment read as one block. */
function groups(pieces: readonly Piece[]): { segment: string; labels: string[]; text: string }[] {
  const result: { segment: string; labels: string[]; text: string }[] = []
  for (const piece of pieces) {
    if (piece.text === '') continue
    const last = result.at(-1)
    const group = last?.segment === piece.segment ? last : { segment: piece.segment, labels: [], text: '' }
    if (group !== last) result.push(group)
    group.text += piece.text
    if (!piece.sourceId.startsWith('frame:') && !group.labels.includes(piece.label)) group.labels.push(piece.label)
  }
  return result
}

function partHeading(part: RequestPart): string | undefined {
  switch (part.type) {
    case 'text':
      return undefined
    case 'reasoning':
      return 'Reasoning'
    case 'tool-call':
      return `Tool call \`${part.name}\``
    case 'tool-result':
      return `Result of \`${part.name}\`${part.failed ? ' (failed)' : ''}`
    case 'image':
    case 'file':
      return `Attachment ${part.name} (${part.mediaType})`
  }
}

function messageText(message: WireMessage, index: number): string {
  const lines = [`### ${index + 1}. ${message.role}${message.mid ? ' (in mid-conversation)' : ''}`]
  for (const part of message.parts) {
    const heading = partHeading(part)
    if (heading) lines.push(heading)
    for (const group of groups(part.pieces)) {
      const labels = group.labels.slice(0, 4).join(', ')
      lines.push(`**${group.segment}**${labels ? ` — ${labels}` : ''}`)
      lines.push(fenced(cut(group.text, group.segment === 'history' ? HISTORY_CHARACTERS : PIECE_CHARACTERS)))
    }
  }
  return lines.join('\n\n')
}

/** The whole request as Markdown, block by block, saying first that no model was asked. */
export function dryRunAnswer(request: ProjectedRequest, wire: WireRequest): string {
  const bytes = new TextEncoder().encode(wire.body).length
  const tools = request.tools.map((tool) => `- \`${tool.name}\`: ${cut(tool.description, HISTORY_CHARACTERS)}`)
  return [
    '**Dry run: no model was asked and nothing left this computer.** Below is the request that would have been sent.',
    `${request.messages.length} messages, ${request.tools.length} tools, ${bytes.toLocaleString('en')} bytes, at most ${request.maxOutputTokens.toLocaleString('en')} tokens reserved for the answer.`,
    ...request.messages.map(messageText),
    ...(tools.length > 0 ? [`### Tools\n\n${tools.join('\n')}`] : []),
    'To get real answers, add a connection in Settings and choose one of its models.',
  ].join('\n\n')
}

/** Streams the answer in pieces, as a server would; stops when asked to. */
export async function* dryRunStream(answer: string, signal: AbortSignal): AsyncIterable<StreamPart> {
  for (let from = 0; from < answer.length; from += CHUNK_CHARACTERS) {
    await setImmediate()
    if (signal.aborted) {
      yield { type: 'finish', reason: 'aborted' }
      return
    }
    yield { type: 'text', text: answer.slice(from, from + CHUNK_CHARACTERS) }
  }
  yield { type: 'finish', reason: 'stop' }
}
