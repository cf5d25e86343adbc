import { type Said, said } from '../ipc/said-contract'
import { type ForeignChat, type ForeignFile, type ForeignMessage, field, listField, textField } from './foreign-chat'
import { importedTime } from './import-time'

/** `conversations.json` of ChatGPT's data export: a list of trees of nodes, with the node last looked at. */
export function isChatGpt(value: unknown): boolean {
  return Array.isArray(value) && value.some((item) => typeof field(item, 'mapping') === 'object')
}

export function readChatGpt(value: unknown): ForeignFile {
  const warnings: Said[] = []
  const chats = (Array.isArray(value) ? value : []).map((item): ForeignFile['chats'][number] => {
    const mapping = field(item, 'mapping')
    const title = textField(item, 'title')
    if (typeof mapping !== 'object' || mapping === null) return { unreadable: 'It has no `mapping`.', title }
    return readConversation(item, mapping as Record<string, unknown>, warnings)
  })
  return { format: 'chatgpt', chats, warnings }
}

function readConversation(item: unknown, mapping: Record<string, unknown>, warnings: Said[]): ForeignChat {
  const title = textField(item, 'title')
  const shown = shownPath(mapping, textField(item, 'current_node'))
  const kept = new Map<string, ForeignMessage>()
  let pictures = 0
  for (const [id, node] of Object.entries(mapping)) {
    const message = field(node, 'message')
    const role = textField(field(message, 'author'), 'role')
    if (role !== 'user' && role !== 'assistant') continue
    if (field(field(message, 'metadata'), 'is_visually_hidden_from_conversation') === true) continue
    const content = readContent(field(message, 'content'))
    pictures += content.pictures
    if (content.text.trim() === '') continue
    const modelId = textField(field(message, 'metadata'), 'model_slug')
    kept.set(id, {
      id,
      parentId: textField(node, 'parent') || null,
      selected: shown.has(id),
      role,
      text: content.text,
      createdAt: importedTime(field(message, 'create_time')),
      ...(modelId === '' ? {} : { modelId }),
    })
  }
  if (pictures > 0) warnings.push(said`"${title}": ${pictures} images are not part of the file and were left out.`)
  for (const message of kept.values()) message.parentId = keptAbove(mapping, kept, message.parentId)
  return {
    sourceId: textField(item, 'conversation_id') || textField(item, 'id') || `${title}${field(item, 'create_time')}`,
    title,
    createdAt: importedTime(field(item, 'create_time')),
    updatedAt: importedTime(field(item, 'update_time')),
    messages: [...kept.values()],
  }
}

function shownPath(mapping: Record<string, unknown>, leaf: string): Set<string> {
  const shown = new Set<string>()
  for (let id = leaf; id !== '' && !shown.has(id); id = textField(mapping[id], 'parent')) shown.add(id)
  return shown
}

/** The nearest node above that became a message; hidden, system and tool nodes are stepped over. */
function keptAbove(
  mapping: Record<string, unknown>,
  kept: ReadonlyMap<string, ForeignMessage>,
  from: string | null,
): string | null {
  const walked = new Set<string>()
  for (let id = from ?? ''; id !== '' && !walked.has(id); id = textField(mapping[id], 'parent')) {
    if (kept.has(id)) return id
    walked.add(id)
  }
  return null
}

function readContent(content: unknown): { text: string; pictures: number } {
  const type = textField(content, 'content_type')
  if (type === 'code') return { text: `\`\`\`\n${textField(content, 'text')}\n\`\`\``, pictures: 0 }
  if (type !== 'text' && type !== 'multimodal_text') return { text: '', pictures: 0 }
  const parts = listField(content, 'parts')
  const texts = parts.flatMap((part) => {
    if (typeof part === 'string') return part === '' ? [] : [part]
    // a voice message's transcript
    const spoken = textField(part, 'text')
    return spoken === '' ? [] : [spoken]
  })
  const pictures = parts.filter((part) => textField(part, 'content_type') === 'image_asset_pointer').length
  return { text: texts.join('\n\n'), pictures }
}
