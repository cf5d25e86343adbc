import { type Said, said } from '../ipc/said-contract'
import { readContent } from './chatgpt-content'
import { type ForeignChat, type ForeignFile, type ForeignMessage, field, listField, textField } from './foreign-chat'
import { importedTime } from './import-time'

/**
 * `conversations.json` of ChatGPT's data export, or the numbered files it is split into since 2026: lists of trees of
 * nodes, with the node last looked at. Some tools hand out one conversation alone.
 */
export function isChatGpt(value: unknown): boolean {
  return conversations(value).some((item) => typeof field(item, 'mapping') === 'object')
}

const conversations = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

export function readChatGpt(value: unknown): ForeignFile {
  const warnings: Said[] = []
  const chats = conversations(value).map((item): ForeignFile['chats'][number] => {
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
  let files = 0
  let steps = 0
  for (const [id, node] of Object.entries(mapping)) {
    const message = field(node, 'message')
    const role = textField(field(message, 'author'), 'role')
    if (role !== 'user' && role !== 'assistant') continue
    if (field(field(message, 'metadata'), 'is_visually_hidden_from_conversation') === true) continue
    const content = readContent(message)
    files += content.files
    if (content.isStep) steps += 1
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
  if (files > 0) warnings.push(said`"${title}": ${files} images and files are not part of the file and were left out.`)
  if (steps > 0) warnings.push(said`"${title}": ${steps} calls of tools were left out.`)
  joinKept(mapping, kept)
  return {
    sourceId: textField(item, 'conversation_id') || textField(item, 'id') || `${title}${field(item, 'create_time')}`,
    title,
    createdAt: importedTime(field(item, 'create_time')),
    updatedAt: importedTime(field(item, 'update_time')),
    ...(field(item, 'is_archived') === true ? { archived: true } : {}),
    messages: [...kept.values()],
  }
}

function shownPath(mapping: Record<string, unknown>, leaf: string): Set<string> {
  const shown = new Set<string>()
  for (let id = leaf; id !== '' && !shown.has(id); id = textField(mapping[id], 'parent')) shown.add(id)
  return shown
}

/**
 * Hangs every message on the nearest node above that became one; hidden, system and tool nodes are stepped over. What
 * was thought on the way belongs to the answer it led to.
 */
function joinKept(mapping: Record<string, unknown>, kept: ReadonlyMap<string, ForeignMessage>): void {
  for (const message of kept.values()) {
    const thoughts: string[] = []
    const walked = new Set<string>()
    let id = message.parentId ?? ''
    for (; id !== '' && !kept.has(id) && !walked.has(id); id = textField(mapping[id], 'parent')) {
      walked.add(id)
      thoughts.unshift(...thoughtsOf(field(mapping[id], 'message')))
    }
    message.parentId = kept.has(id) ? id : null
    if (message.role === 'assistant' && thoughts.length > 0) message.reasoning = thoughts.join('\n\n')
  }
}

function thoughtsOf(message: unknown): string[] {
  const content = field(message, 'content')
  if (textField(content, 'content_type') !== 'thoughts') return []
  return listField(content, 'thoughts').flatMap((thought) => {
    const [summary, text] = [textField(thought, 'summary'), textField(thought, 'content')]
    if (summary === '' || text === '') return summary || text || []
    return `**${summary}**\n\n${text}`
  })
}
