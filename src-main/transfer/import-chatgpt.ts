import { type Said, said } from '../ipc/said-contract'
import { type ArchiveFiles, NO_FILES } from './archive-files'
import { readContent } from './chatgpt-content'
import { field, listField, textField } from './fields'
import { FileFinder } from './file-finder'
import type { ForeignAttachment, ForeignChat, ForeignFile, ForeignMessage } from './foreign-chat'
import { importedTime } from './import-time'
import { chatOrNot } from './unreadable-chat'

export const isChatGptChat = (value: unknown): boolean => {
  const mapping = field(value, 'mapping')
  return typeof mapping === 'object' && mapping !== null
}

/**
 * `conversations.json` of ChatGPT's data export, or the numbered files it is split into since 2026: lists of trees of
 * nodes, with the node last looked at. Some tools hand out one conversation alone.
 */
export const isChatGpt = (value: unknown): boolean => (Array.isArray(value) ? value : [value]).some(isChatGptChat)

export function readChatGpt(conversations: readonly unknown[], files: ArchiveFiles = NO_FILES): ForeignFile {
  const chats = conversations.map((item) =>
    chatOrNot(item, () => {
      const mapping = field(item, 'mapping')
      if (typeof mapping !== 'object' || mapping === null) return 'It has no `mapping`.'
      return readConversation(item, mapping as Record<string, unknown>, new FileFinder(files))
    }),
  )
  return { format: 'chatgpt', chats, warnings: [] }
}

function readConversation(item: unknown, mapping: Record<string, unknown>, finder: FileFinder): ForeignChat {
  const title = textField(item, 'title')
  const shown = shownPath(mapping, textField(item, 'current_node'))
  const kept = new Map<string, ForeignMessage>()
  /** Pictures the app made: they came as the answer of a tool. */
  const made = new Map<string, ForeignAttachment[]>()
  let steps = 0
  for (const [id, node] of Object.entries(mapping)) {
    const message = field(node, 'message')
    const role = textField(field(message, 'author'), 'role')
    if (role === 'tool') {
      const pictures = finder.find(readContent(message).files)
      if (pictures.length > 0) made.set(id, pictures)
      continue
    }
    if (role !== 'user' && role !== 'assistant') continue
    if (field(field(message, 'metadata'), 'is_visually_hidden_from_conversation') === true) continue
    const content = readContent(message)
    const attached = finder.find(content.files)
    if (content.isStep) steps += 1
    if (content.text.trim() === '' && attached.length === 0) continue
    const modelId = textField(field(message, 'metadata'), 'model_slug')
    kept.set(id, {
      id,
      parentId: textField(node, 'parent') || null,
      selected: shown.has(id),
      role,
      text: content.text,
      ...(attached.length === 0 ? {} : { files: attached }),
      createdAt: importedTime(field(message, 'create_time')),
      ...(modelId === '' ? {} : { modelId }),
    })
  }
  keepMadePictures(mapping, kept, made, shown)
  const notes: Said[] = []
  if (finder.missing > 0)
    notes.push(said`"${title}": ${finder.missing} images and files are not part of the file and were left out.`)
  if (steps > 0) notes.push(said`"${title}": ${steps} calls of tools were left out.`)
  joinKept(mapping, kept, made)
  return {
    sourceId: textField(item, 'conversation_id') || textField(item, 'id') || `${title}${field(item, 'create_time')}`,
    title,
    createdAt: importedTime(field(item, 'create_time')),
    updatedAt: importedTime(field(item, 'update_time')),
    ...(field(item, 'is_archived') === true ? { archived: true } : {}),
    messages: [...kept.values()],
    notes,
    missing: finder.missing,
  }
}

function shownPath(mapping: Record<string, unknown>, leaf: string): Set<string> {
  const shown = new Set<string>()
  for (let id = leaf; id !== '' && !shown.has(id); id = textField(mapping[id], 'parent')) shown.add(id)
  return shown
}

/** Pictures after which the assistant said nothing are a message of their own; the others go to the words that follow. */
function keepMadePictures(
  mapping: Record<string, unknown>,
  kept: Map<string, ForeignMessage>,
  made: Map<string, ForeignAttachment[]>,
  shown: ReadonlySet<string>,
): void {
  const followed = new Set<string>()
  for (const message of kept.values()) {
    if (message.role !== 'assistant') continue
    const walked = new Set<string>()
    for (let id = message.parentId ?? ''; id !== '' && !kept.has(id) && !walked.has(id); ) {
      walked.add(id)
      if (made.has(id)) followed.add(id)
      id = textField(mapping[id], 'parent')
    }
  }
  for (const [id, files] of made) {
    if (followed.has(id)) continue
    made.delete(id)
    const message = field(mapping[id], 'message')
    kept.set(id, {
      id,
      parentId: textField(mapping[id], 'parent') || null,
      selected: shown.has(id),
      role: 'assistant',
      text: '',
      files,
      createdAt: importedTime(field(message, 'create_time')),
    })
  }
}

/**
 * Hangs every message on the nearest node above that became one; hidden, system and tool nodes are stepped over. What
 * was thought or drawn on the way belongs to the answer it led to.
 */
function joinKept(
  mapping: Record<string, unknown>,
  kept: ReadonlyMap<string, ForeignMessage>,
  made: ReadonlyMap<string, ForeignAttachment[]>,
): void {
  for (const message of kept.values()) {
    const thoughts: string[] = []
    const files: ForeignAttachment[] = []
    const walked = new Set<string>()
    let id = message.parentId ?? ''
    for (; id !== '' && !kept.has(id) && !walked.has(id); id = textField(mapping[id], 'parent')) {
      walked.add(id)
      thoughts.unshift(...thoughtsOf(field(mapping[id], 'message')))
      files.unshift(...(made.get(id) ?? []))
    }
    message.parentId = kept.has(id) ? id : null
    if (message.role !== 'assistant') continue
    if (thoughts.length > 0) message.reasoning = thoughts.join('\n\n')
    if (files.length > 0) message.files = [...files, ...(message.files ?? [])]
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
