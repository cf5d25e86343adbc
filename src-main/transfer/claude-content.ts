import type { MessagePart } from '../sessions/contract'
import { fenced } from './chatgpt-content'
import { field, listField, textField } from './fields'

type ToolPart = Extract<MessagePart, { type: 'tool' }>

/**
 * What a message of Claude says: blocks of text, thinking and calls of tools in their order. Exports of before the
 * blocks hold a text alone. A document that was written through a tool is text, as the reader saw it.
 */
export function answerParts(raw: unknown, messageId: string): { parts: MessagePart[]; text: string } {
  const parts: MessagePart[] = []
  const texts: string[] = []
  const say = (text: string) => {
    if (text.trim() === '') return
    const last = parts.at(-1)
    if (last?.type === 'text') last.text += `\n\n${text}`
    else parts.push({ type: 'text', text })
    texts.push(text)
  }
  for (const block of listField(raw, 'content')) {
    const type = textField(block, 'type')
    if (type === 'text') say(textField(block, 'text'))
    else if (type === 'thinking') think(parts, textField(block, 'thinking') || textField(block, 'text'))
    else if (type === 'tool_use') {
      const document = documentOf(block)
      if (document !== '') say(document)
      else parts.push(callOf(block, `${messageId}-${parts.length}`))
    } else if (type === 'tool_result') answerCall(parts, block)
  }
  if (texts.length === 0) say(textField(raw, 'text'))
  return { parts, text: texts.join('\n\n') }
}

function think(parts: MessagePart[], text: string): void {
  if (text.trim() === '') return
  const last = parts.at(-1)
  if (last?.type === 'reasoning') last.text += `\n\n${text}`
  else parts.push({ type: 'reasoning', text })
}

/** Without a result a call is not sent again; it stands there for the reader. */
function callOf(block: unknown, callId: string): ToolPart {
  const name = textField(block, 'name') || 'tool'
  return {
    type: 'tool',
    callId: textField(block, 'id') || callId,
    toolId: name,
    name,
    arguments: field(block, 'input') ?? {},
    state: 'interrupted',
  }
}

/** Goes to the call it names, else to the first open one of its name. */
function answerCall(parts: readonly MessagePart[], block: unknown): void {
  const open = parts.filter((part): part is ToolPart => part.type === 'tool' && part.result === undefined)
  const id = textField(block, 'tool_use_id')
  const call = open.find((part) => part.callId === id) ?? open.find((part) => part.name === textField(block, 'name'))
  if (!call) return
  call.result = resultText(field(block, 'content'))
  call.state = field(block, 'is_error') === true ? 'failed' : 'completed'
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content)
  const texts = content.map((piece: unknown) => {
    const [title, url, text] = [textField(piece, 'title'), textField(piece, 'url'), textField(piece, 'text')]
    return [[title, url].filter((part) => part !== '').join('\n'), text].filter((part) => part !== '').join('\n')
  })
  return texts.filter((text) => text !== '').join('\n\n')
}

/** A whole document of an "artifact"; changes of one are calls like any other. */
function documentOf(block: unknown): string {
  if (textField(block, 'name') !== 'artifacts') return ''
  const input = field(block, 'input')
  const content = textField(input, 'content')
  if (content === '') return ''
  const type = textField(input, 'type')
  const isProse = type === 'text/markdown' || type === 'text/plain'
  const body = isProse ? content : fenced(textField(input, 'language'), content)
  const title = textField(input, 'title')
  return title === '' ? body : `**${title}**\n\n${body}`
}
