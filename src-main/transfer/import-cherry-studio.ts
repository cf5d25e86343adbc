import { type Said, said } from '../ipc/said-contract'
import { field, listField, textField } from './fields'
import type { ForeignChat, ForeignFile, ForeignMessage } from './foreign-chat'
import { importedTime } from './import-time'
import { chatOrNot } from './unreadable-chat'

/**
 * A backup of Cherry Studio: `localStorage` holds the assistants with their topics' names as JSON in JSON, `indexedDB`
 * the topics' messages and, since its version 1.3 (backup version 4), their content as separate blocks. The first
 * backups had a list of keys and values in place of tables.
 */
export function isCherryStudio(value: unknown): boolean {
  const database = field(value, 'indexedDB')
  return Array.isArray(field(database, 'topics')) || (Array.isArray(database) && field(value, 'version') === 1)
}

function topicsOf(database: unknown): readonly unknown[] {
  if (!Array.isArray(database)) return listField(database, 'topics')
  return database.flatMap((row) => (textField(row, 'key').startsWith('topic:') ? [field(row, 'value')] : []))
}

interface TopicFacts {
  title: string
  prompt: string
  createdAt: string | undefined
  updatedAt: string | undefined
}

export function readCherryStudio(value: unknown): ForeignFile {
  const database = field(value, 'indexedDB')
  const warnings: Said[] = []
  const facts = readAssistants(value, warnings)
  const blocks = new Map<string, unknown>()
  for (const block of listField(database, 'message_blocks')) blocks.set(textField(block, 'id'), block)
  const left = { pictures: 0 }
  const chats = topicsOf(database).map((topic) =>
    chatOrNot(topic, () => {
      const id = textField(topic, 'id')
      return id === '' ? 'It has no id.' : readTopic(topic, facts.get(id), blocks, left)
    }),
  )
  if (left.pictures > 0)
    warnings.push(said`${left.pictures} images and files are not part of the file and were left out.`)
  return { format: 'cherry-studio', chats, warnings }
}

function readAssistants(value: unknown, warnings: Said[]): Map<string, TopicFacts> {
  const facts = new Map<string, TopicFacts>()
  const stored = parsed(textField(field(value, 'localStorage'), 'persist:cherry-studio'))
  const assistants = parsed(textField(stored, 'assistants') || (stored === undefined ? '' : '{}'))
  if (assistants === undefined) {
    warnings.push('The names of the topics are not in the file; their first words stand in.')
    return facts
  }
  for (const assistant of [field(assistants, 'defaultAssistant'), ...listField(assistants, 'assistants')]) {
    for (const topic of listField(assistant, 'topics')) {
      const own = textField(topic, 'prompt')
      facts.set(textField(topic, 'id'), {
        title: textField(topic, 'name'),
        // the assistant's prompt and the topic's own are both sent there
        prompt: [textField(assistant, 'prompt'), own].filter((text) => text.trim() !== '').join('\n\n'),
        createdAt: importedTime(field(topic, 'createdAt')),
        updatedAt: importedTime(field(topic, 'updatedAt')),
      })
    }
  }
  return facts
}

/** JSON in JSON; undefined where it is missing or damaged: names alone keep no chat out. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readTopic(
  topic: unknown,
  facts: TopicFacts | undefined,
  blocks: ReadonlyMap<string, unknown>,
  left: { pictures: number },
): ForeignChat {
  const messages: ForeignMessage[] = []
  let lastUser: string | null = null
  let above: string | null = null
  for (const raw of listField(topic, 'messages')) {
    const role = textField(raw, 'role')
    const content = readBlocks(raw, blocks, left)
    if ((role !== 'user' && role !== 'assistant') || content.text.trim() === '') continue
    const id = textField(raw, 'id')
    // several models asked at once are versions of one answer; the one marked useful (or the last) is the one shown
    const asked = textField(raw, 'askId')
    const isVersion = role === 'assistant' && asked !== '' && asked === lastUser
    const model = textField(field(raw, 'model'), 'id') || textField(raw, 'modelId')
    messages.push({
      id,
      parentId: isVersion ? lastUser : above,
      selected: !isVersion || field(raw, 'useful') === true || field(raw, 'foldSelected') === true,
      role,
      text: content.text,
      ...(content.reasoning === '' ? {} : { reasoning: content.reasoning }),
      createdAt: importedTime(field(raw, 'createdAt')),
      ...(model === '' ? {} : { modelId: model }),
    })
    if (role === 'user') lastUser = id
    if (!isVersion || above === lastUser || messages.at(-1)?.selected) above = id
  }
  const title = facts?.title || messages[0]?.text.split('\n', 1)[0]?.slice(0, 60) || ''
  return {
    sourceId: textField(topic, 'id'),
    title,
    createdAt: facts?.createdAt,
    updatedAt: facts?.updatedAt,
    ...(facts?.prompt ? { topicPrompt: facts.prompt } : {}),
    messages,
  }
}

function readBlocks(raw: unknown, blocks: ReadonlyMap<string, unknown>, left: { pictures: number }) {
  const texts: string[] = []
  const thoughts: string[] = []
  for (const id of listField(raw, 'blocks')) {
    const block = blocks.get(String(id))
    const content = textField(block, 'content')
    const type = textField(block, 'type')
    if (type === 'main_text') texts.push(content)
    else if (type === 'code') texts.push(`\`\`\`${textField(block, 'language')}\n${content}\n\`\`\``)
    else if (type === 'thinking') thoughts.push(content)
    else if (type === 'translation') texts.push(content.replaceAll(/^/gm, '> '))
    else if (type === 'image' || type === 'file' || type === 'video') left.pictures += 1
  }
  // before the blocks, a message held its own text
  const text = texts.length > 0 ? texts.join('\n\n') : textField(raw, 'content')
  const reasoning = thoughts.length > 0 ? thoughts.join('\n\n') : textField(raw, 'reasoning_content')
  return { text, reasoning }
}
