import { type Said, said } from '../ipc/said-contract'
import { type ForeignFile, type ForeignMessage, field, listField, textField } from './foreign-chat'
import { importedTime } from './import-time'
import { parseJson, textLines } from './item-lines'

/** A chat of SillyTavern: one JSON a line, the first about the chat, the rest its messages in order. */
export function isSillyTavern(firstLine: unknown): boolean {
  return ['chat_metadata', 'character_name', 'user_name'].some((name) => field(firstLine, name) !== undefined)
}

/** The first line's object, or undefined when the file does not begin with one. */
export function firstJsonLine(bytes: Uint8Array): unknown {
  const [first = ''] = textLines(bytes.subarray(0, 1_000_000))
  try {
    return JSON.parse(first)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export function readSillyTavern(bytes: Uint8Array, fileName: string): ForeignFile {
  const warnings: Said[] = []
  const messages: ForeignMessage[] = []
  let head: unknown
  let parent: string | null = null
  const speakers = new Set<string>()
  const names = new Map<ForeignMessage, string>()
  let notes = 0
  let hidden = 0
  let files = 0
  let number = 0
  for (const line of textLines(bytes)) {
    number += 1
    if (line.trim() === '') continue
    const raw = parseJson(line, number)
    if (number === 1) {
      head = raw
      continue
    }
    if (isNote(raw)) {
      notes += 1
      continue
    }
    if (field(raw, 'is_system') === true) hidden += 1
    files += filesOf(raw)
    const versions = readVersions(raw, number, parent)
    if (field(raw, 'is_user') !== true) speakers.add(textField(raw, 'name'))
    for (const version of versions) names.set(version, textField(raw, 'name'))
    messages.push(...versions)
    parent = versions.find((version) => version.selected)?.id ?? parent
  }
  if (notes > 0) warnings.push(said`${notes} system notes of the chat were left out.`)
  if (hidden > 0)
    warnings.push(said`${hidden} messages were hidden from the model there; here they are part of the chat.`)
  if (files > 0) warnings.push(said`${files} images and files are not part of the file and were left out.`)
  if (speakers.size > 1) nameSpeakers(messages, names)
  const character = textField(head, 'character_name')
  const name = fileName.replace(/\.jsonl$/i, '')
  const chat = {
    sourceId: textField(field(head, 'chat_metadata'), 'integrity') || `${character}\u0000${name}`,
    title: character === '' || character === 'unused' || name.includes(character) ? name : `${character} · ${name}`,
    createdAt: importedTime(field(head, 'create_date')) ?? messages[0]?.createdAt,
    updatedAt: messages.findLast((message) => message.createdAt)?.createdAt,
    messages,
  }
  return { format: 'sillytavern', chats: [chat], warnings }
}

/** The program's own words and comments. What the user hid from the model is `is_system` too, but has no type. */
const isNote = (raw: unknown): boolean =>
  field(raw, 'is_system') === true && textField(field(raw, 'extra'), 'type') !== ''

function filesOf(raw: unknown): number {
  const extra = field(raw, 'extra')
  const single = ['image', 'video', 'file'].filter((name) => field(extra, name) !== undefined).length
  return single + listField(extra, 'media').length + listField(extra, 'files').length
}

/** In a group the text alone does not say who speaks. */
function nameSpeakers(messages: readonly ForeignMessage[], names: ReadonlyMap<ForeignMessage, string>): void {
  for (const message of messages) {
    const name = names.get(message) ?? ''
    if (message.role === 'assistant' && name !== '') message.text = `**${name}:** ${message.text}`
  }
}

/** Swipes are versions of one message; the file's own text is the one it shows. */
function readVersions(raw: unknown, number: number, parentId: string | null): ForeignMessage[] {
  const role = field(raw, 'is_user') === true ? 'user' : 'assistant'
  const shownText = textField(raw, 'mes')
  const swipes = listField(raw, 'swipes').filter((swipe): swipe is string => typeof swipe === 'string')
  const texts = swipes.length > 1 ? swipes : [shownText]
  const shownIndex = texts.length > 1 ? Math.min(Number(field(raw, 'swipe_id') ?? 0) || 0, texts.length - 1) : 0
  const details = listField(raw, 'swipe_info')
  return texts.map((text, index) => {
    const isShown = index === shownIndex
    const detail = isShown || details[index] === undefined ? raw : details[index]
    const extra = field(detail, 'extra')
    const reasoning = textField(extra, 'reasoning')
    const modelId = textField(extra, 'model')
    return {
      id: `${number}/${index}`,
      parentId,
      selected: isShown,
      role,
      text: isShown && shownText !== '' ? shownText : text,
      ...(reasoning === '' ? {} : { reasoning }),
      createdAt: importedTime(field(detail, 'send_date')) ?? importedTime(field(raw, 'send_date')),
      ...(modelId === '' ? {} : { modelId }),
    }
  })
}
