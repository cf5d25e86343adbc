import type { ModelMessage } from 'ai'
import type { ProjectedRequest, WireMessage } from '../context/request-contract'
import { withCallIds } from './call-ids'
import type { ConnectionKind } from './contract'
import {
  assistantParts,
  type ImageOfResult,
  messageText,
  type Options,
  type ReadFile,
  toolParts,
  type UserPart,
  userParts,
} from './message-parts'
import type { TargetRules } from './target-rules'

export type { ReadFile } from './message-parts'

/** Anthropic honours four; the adapter would drop the fifth, which is the one on the conversation. */
const MOST_MARKS = 4

export const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' as const } } }

/** Without a leading system that comes again, the tool list is the head that does: it takes a mark of its own. */
export function marksTools(messages: readonly WireMessage[]): boolean {
  return !messages.some(({ role, mid, mark }) => role === 'system' && !mid && mark)
}

/** The marked messages that keep their mark: the last one and the first three. */
function keptMarks(messages: readonly WireMessage[]): Set<WireMessage> {
  const marked = messages.filter((message) => message.mark)
  return new Set(marked.length <= MOST_MARKS ? marked : [...marked.slice(0, MOST_MARKS - 1), ...marked.slice(-1)])
}

/**
 * A system message this protocol cannot carry at its place becomes tagged user text: Google's adapter throws on one
 * in mid-conversation, Anthropic's hoists it to the top when no system message leads.
 */
function mustBeUserText(message: WireMessage, kind: ConnectionKind, leading: boolean): boolean {
  return message.role === 'system' && message.mid && (kind === 'google' || (kind === 'anthropic' && !leading))
}

function tagged(text: string): string {
  return text.startsWith('<system-reminder>') ? text : `<system-reminder>\n${text}\n</system-reminder>`
}

/** What the SDK is given for a projected request. Empty messages and empty texts are left out. */
export async function toModelMessages(
  request: Pick<ProjectedRequest, 'messages'>,
  options: { kind: ConnectionKind; marks: boolean; rules: TargetRules; readFile: ReadFile },
): Promise<ModelMessage[]> {
  const { kind, rules, readFile } = options
  const messages = withCallIds(request.messages, rules.callIds)
  const marks = options.marks ? keptMarks(messages) : new Set<WireMessage>()
  const leading = messages.some((message) => message.role === 'system' && !message.mid && messageText(message))
  const result: ModelMessage[] = []
  let pictures: ImageOfResult[] = []
  for (const message of messages) {
    if (message.role !== 'tool') pictures = await sendPictures(result, pictures, readFile)
    const mark: { providerOptions?: Options } = marks.has(message) ? { providerOptions: CACHE_MARK } : {}
    if (message.role === 'system') {
      const text = messageText(message)
      if (text === '') continue
      if (mustBeUserText(message, kind, leading)) {
        result.push({ role: 'user', content: [{ type: 'text', text: tagged(text) }], ...mark })
      } else result.push({ role: 'system', content: text, ...mark })
    } else if (message.role === 'user') {
      const content = await userParts(message, kind, readFile)
      if (content.length > 0) result.push({ role: 'user', content, ...mark })
    } else if (message.role === 'assistant') {
      const content = assistantParts(message, kind, rules.callsNeedSignature)
      if (content.length > 0) result.push({ role: 'assistant', content, ...mark })
    } else {
      const { parts, following } = await toolParts(message, kind, readFile)
      pictures.push(...following)
      if (parts.length > 0) result.push({ role: 'tool', content: parts, ...mark })
    }
  }
  await sendPictures(result, pictures, readFile)
  return result
}

/** Puts images of tool results, where the protocol has no place for them, into a user message of their own. */
async function sendPictures(
  result: ModelMessage[],
  pictures: readonly ImageOfResult[],
  readFile: ReadFile,
): Promise<ImageOfResult[]> {
  if (pictures.length === 0) return []
  const content: UserPart[] = []
  for (const picture of pictures) {
    content.push({ type: 'file', data: await readFile(picture.sha256), mediaType: picture.mediaType })
  }
  result.push({ role: 'user', content })
  return []
}
