import type { ModelMessage } from 'ai'
import type { RequestPart, WireMessage } from '../context/request-contract'
import type { ConnectionKind } from './contract'

/** Reads an attachment's bytes. */
export type ReadFile = (sha256: string) => Promise<Uint8Array>

export type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number]
type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number]
type ToolPart = Extract<ModelMessage, { role: 'tool' }>['content'][number]
export type Options = NonNullable<ModelMessage['providerOptions']>
export type ImageOfResult = { sha256: string; mediaType: string }

/** The name under which each adapter looks for its own options. */
const OPTIONS_KEY: Record<ConnectionKind, string> = {
  'openai-compatible': 'openaiCompatible',
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  ollama: 'ollama',
  'dry-run': 'openaiCompatible',
}

/** Google documents this for calls whose signature nobody has. */
const NO_SIGNATURE = { google: { thoughtSignature: 'skip_thought_signature_validator' } }

function textOf(part: { pieces: RequestPart['pieces'] }): string {
  return part.pieces.map((piece) => piece.text).join('')
}

export function messageText(message: WireMessage): string {
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
  if (typeof own !== 'object' || own === null) return undefined
  // Under its own key this adapter writes every field into the call itself, where Google refuses what it does not know.
  if (key === 'openaiCompatible' && 'thoughtSignature' in own) return { google: own }
  return { [key]: own }
}

/** Adapters that flatten a user message into plain text for a single part: several texts become one. */
function flattens(kind: ConnectionKind): boolean {
  return kind === 'openai-compatible' || kind === 'ollama' || kind === 'dry-run'
}

/** Chat-completions tool messages hold text only; images of a result follow in a user message. */
function imagesFollow(kind: ConnectionKind): boolean {
  return flattens(kind) || kind === 'openai'
}

export async function userParts(message: WireMessage, kind: ConnectionKind, readFile: ReadFile): Promise<UserPart[]> {
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

/** `callsNeedSignature`: the first call of a message without any signature gets Google's stand-in, as do its others. */
export function assistantParts(
  message: WireMessage,
  kind: ConnectionKind,
  callsNeedSignature: boolean,
): AssistantPart[] {
  const parts: AssistantPart[] = []
  // of calls made side by side Gemini signs the first one only
  const signed = message.parts.some((part) => part.type === 'tool-call' && signatureOptions(part.signature, kind))
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
    if (part.type === 'reasoning' && (providerOptions || part.plain)) {
      parts.push({ type: 'reasoning', text: textOf(part), ...(providerOptions ? { providerOptions } : {}) })
    }
    if (part.type === 'tool-call') {
      const options = providerOptions ?? (callsNeedSignature && !signed ? NO_SIGNATURE : undefined)
      parts.push({
        type: 'tool-call',
        toolCallId: part.callId,
        toolName: part.name,
        input: argumentsOf(part.arguments),
        ...(options ? { providerOptions: options } : {}),
      })
    }
  }
  return parts
}

export async function toolParts(
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
