import type { ModelMessage } from 'ai'
import type { ProjectedRequest, RequestPart, WireMessage } from '../context/request-contract'
import type { ConnectionKind } from './contract'

/** Reads an attachment's bytes. */
export type ReadFile = (sha256: string) => Promise<Uint8Array>

/** The name under which each adapter looks for its own options. */
const OPTIONS_KEY: Record<ConnectionKind, string> = {
  'openai-compatible': 'openaiCompatible',
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  ollama: 'ollama',
  'dry-run': 'openaiCompatible',
}

/** Anthropic honours four; the adapter would drop the fifth, which is the one on the conversation. */
const MOST_MARKS = 4

type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number]
type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number]
type ToolPart = Extract<ModelMessage, { role: 'tool' }>['content'][number]
type Options = NonNullable<ModelMessage['providerOptions']>
type ImageOfResult = { sha256: string; mediaType: string }

function textOf(part: { pieces: RequestPart['pieces'] }): string {
  return part.pieces.map((piece) => piece.text).join('')
}

function messageText(message: WireMessage): string {
  return joinTexts(message.parts.filter((part) => part.type === 'text').map(textOf))
}

/** Texts of one message that no adapter keeps apart: a blank line stands where none is yet. */
function joinTexts(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .reduce((joined, text) => {
      const apart = joined === '' || joined.endsWith('\n') || text.startsWith('\n')
      return apart ? joined + text : `${joined}\n\n${text}`
    }, '')
}

/** What an answer of this provider carried, and only if it was this provider's. */
function signatureOptions(signature: unknown, kind: ConnectionKind): Options | undefined {
  const key = OPTIONS_KEY[kind]
  if (typeof signature !== 'object' || signature === null) return undefined
  const own = Object.entries(signature).find(([name]) => name === key)?.[1]
  return typeof own === 'object' && own !== null ? { [key]: own } : undefined
}

/** Adapters that flatten a user message into plain text for a single part: several texts become one. */
function flattens(kind: ConnectionKind): boolean {
  return kind === 'openai-compatible' || kind === 'ollama' || kind === 'dry-run'
}

/** Chat-completions tool messages hold text only; images of a result follow in a user message. */
function imagesFollow(kind: ConnectionKind): boolean {
  return flattens(kind) || kind === 'openai'
}

async function userParts(message: WireMessage, kind: ConnectionKind, readFile: ReadFile): Promise<UserPart[]> {
  const parts: UserPart[] = []
  let texts: string[] = []
  const flush = () => {
    const pieces = flattens(kind) ? [joinTexts(texts)] : texts
    parts.push(...pieces.filter((text) => text !== '').map((text) => ({ type: 'text' as const, text })))
    texts = []
  }
  for (const part of message.parts) {
    if (part.type === 'text') texts.push(textOf(part))
    if (part.type !== 'image' && part.type !== 'file') continue
    flush()
    const data = await readFile(part.sha256)
    parts.push({ type: 'file', data, mediaType: part.mediaType, filename: part.name })
  }
  flush()
  return parts
}

/** Providers take objects only; arguments that were no JSON keep their raw text under one name. */
function argumentsOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { input: value }
}

function assistantParts(message: WireMessage, kind: ConnectionKind): AssistantPart[] {
  const parts: AssistantPart[] = []
  for (const part of message.parts) {
    const providerOptions = 'signature' in part ? signatureOptions(part.signature, kind) : undefined
    if (part.type === 'text') {
      const text = textOf(part)
      const last = parts.at(-1)
      if (text === '') continue
      if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: joinTexts([last.text, text]) }
      else parts.push({ type: 'text', text })
    }
    // unsigned, or signed by another provider: Anthropic and OpenAI refuse it, strict servers reject the field
    if (part.type === 'reasoning' && providerOptions) {
      parts.push({ type: 'reasoning', text: textOf(part), providerOptions })
    }
    if (part.type === 'tool-call') {
      parts.push({
        type: 'tool-call',
        toolCallId: part.callId,
        toolName: part.name,
        input: argumentsOf(part.arguments),
        ...(providerOptions ? { providerOptions } : {}),
      })
    }
  }
  return parts
}

async function toolParts(
  message: WireMessage,
  kind: ConnectionKind,
  readFile: ReadFile,
): Promise<{ parts: ToolPart[]; following: ImageOfResult[] }> {
  const parts: ToolPart[] = []
  const following: ImageOfResult[] = []
  for (const part of message.parts) {
    if (part.type !== 'tool-result') continue
    const value = textOf(part)
    const images = part.images ?? []
    const result = { type: 'tool-result' as const, toolCallId: part.callId, toolName: part.name }
    if (images.length === 0 || imagesFollow(kind)) {
      following.push(...images)
      parts.push({ ...result, output: { type: part.failed ? 'error-text' : 'text', value } })
      continue
    }
    const files = await Promise.all(
      images.map(async (image) => ({
        type: 'file' as const,
        data: { type: 'data' as const, data: Buffer.from(await readFile(image.sha256)).toString('base64') },
        mediaType: image.mediaType,
      })),
    )
    const text = value === '' ? [] : [{ type: 'text' as const, text: value }]
    parts.push({ ...result, output: { type: 'content', value: [...text, ...files] } })
  }
  return { parts, following }
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
  options: { kind: ConnectionKind; marks: boolean; readFile: ReadFile },
): Promise<ModelMessage[]> {
  const { kind, readFile } = options
  const marks = options.marks ? keptMarks(request.messages) : new Set<WireMessage>()
  const leading = request.messages.some((message) => message.role === 'system' && !message.mid && messageText(message))
  const result: ModelMessage[] = []
  let pictures: ImageOfResult[] = []
  for (const message of request.messages) {
    if (message.role !== 'tool') pictures = await sendPictures(result, pictures, readFile)
    const mark: { providerOptions?: Options } = marks.has(message)
      ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
      : {}
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
      const content = assistantParts(message, kind)
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
