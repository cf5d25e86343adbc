import { type Said, said } from '../ipc/said-contract'
import { type ArchiveFiles, NO_FILES } from './archive-files'
import { answerParts } from './claude-content'
import { field, listField, textField } from './fields'
import { FileFinder } from './file-finder'
import type { ForeignAttachment, ForeignChat, ForeignFile, ForeignMessage } from './foreign-chat'
import { importedTime } from './import-time'
import { chatOrNot } from './unreadable-chat'

export const isClaudeChat = (value: unknown): boolean => Array.isArray(field(value, 'chat_messages'))

/** `conversations.json` of Claude's data export; `users.json` and `projects.json` beside it hold no chats. */
export const isClaude = (value: unknown): boolean => (Array.isArray(value) ? value : [value]).some(isClaudeChat)

export function readClaude(conversations: readonly unknown[], files: ArchiveFiles = NO_FILES): ForeignFile {
  const chats = conversations.map((item) =>
    chatOrNot(item, () => (isClaudeChat(item) ? readChat(item, new FileFinder(files)) : 'It has no `chat_messages`.')),
  )
  return { format: 'claude', chats, warnings: [] }
}

function readChat(item: unknown, finder: FileFinder): ForeignChat {
  const title = textField(item, 'name')
  const list = listField(item, 'chat_messages')
  const ids = new Set(list.map((raw) => textField(raw, 'uuid')))
  const kept = new Map<string, ForeignMessage>()
  /** Where a message that says nothing hangs: what is below it moves up. */
  const above = new Map<string, string | null>()
  let before: string | null = null
  list.forEach((raw, index) => {
    const id = textField(raw, 'uuid') || `#${index}`
    const named = textField(raw, 'parent_message_uuid')
    // exports without parents are a row; the first message names a parent that is nowhere
    const parentId: string | null = named === '' ? before : ids.has(named) ? named : null
    before = id
    const message = readMessage(raw, id, finder)
    if (message && !kept.has(id)) kept.set(id, { ...message, parentId })
    else if (!kept.has(id)) above.set(id, parentId)
  })
  for (const message of kept.values()) {
    const walked = new Set<string>()
    while (message.parentId !== null && above.has(message.parentId) && !walked.has(message.parentId)) {
      walked.add(message.parentId)
      message.parentId = above.get(message.parentId) ?? null
    }
  }
  markShown(kept, textField(item, 'current_leaf_message_uuid') || [...kept.keys()].at(-1))
  const notes: Said[] = []
  if (finder.missing > 0)
    notes.push(said`"${title}": ${finder.missing} images and files are not part of the file and were left out.`)
  return {
    sourceId: textField(item, 'uuid') || `${title}${textField(item, 'created_at')}`,
    title,
    createdAt: importedTime(field(item, 'created_at')),
    updatedAt: importedTime(field(item, 'updated_at')),
    messages: [...kept.values()],
    notes,
    missing: finder.missing,
  }
}

/** The branch that ends at the message looked at last, or written last, is the one shown. */
function markShown(kept: ReadonlyMap<string, ForeignMessage>, leaf: string | undefined): void {
  for (let message = kept.get(leaf ?? ''); message && !message.selected; message = kept.get(message.parentId ?? '')) {
    message.selected = true
  }
}

function readMessage(raw: unknown, id: string, finder: FileFinder): ForeignMessage | undefined {
  const sender = textField(raw, 'sender') || textField(raw, 'role')
  if (sender !== 'human' && sender !== 'user' && sender !== 'assistant') return undefined
  const role = sender === 'assistant' ? 'assistant' : 'user'
  const { parts, text } = answerParts(raw, id)
  const textless = listField(raw, 'attachments').filter((file) => textField(file, 'extracted_content').trim() === '')
  const files = [...pastedTexts(raw), ...finder.find([...listField(raw, 'files'), ...textless].map(fileOf))]
  if (text.trim() === '' && parts.length === 0 && files.length === 0) return undefined
  const modelId = textField(raw, 'model')
  return {
    id,
    parentId: null,
    selected: false,
    role,
    text,
    ...(role === 'assistant' && parts.some((part) => part.type !== 'text') ? { parts } : {}),
    ...(files.length === 0 ? {} : { files }),
    createdAt: importedTime(field(raw, 'created_at')),
    ...(modelId === '' ? {} : { modelId }),
  }
}

function fileOf(file: unknown) {
  const ids = ['file_uuid', 'uuid', 'id'].map((name) => textField(file, name)).filter((id) => id !== '')
  return { ids, name: textField(file, 'file_name') }
}

/** Attached texts, and what was read out of other files, stand in the export. */
function pastedTexts(raw: unknown): ForeignAttachment[] {
  return listField(raw, 'attachments').flatMap((file) => {
    const text = textField(file, 'extracted_content')
    if (text.trim() === '') return []
    const name = textField(file, 'file_name') || 'pasted.txt'
    // as long as the file itself: it is the file; otherwise its text
    const isWhole = field(file, 'file_size') === Buffer.byteLength(text) || /\.(?:txt|md)$/i.test(name)
    return [{ name: isWhole ? name : `${name}.txt`, text }]
  })
}
