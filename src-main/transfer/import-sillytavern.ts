import { type Said, said } from '../ipc/said-contract'
import { field, listField, textField } from './fields'
import type { ForeignFile, ForeignMessage } from './foreign-chat'
import { importedTime } from './import-time'
import { textLines } from './item-lines'

/** Lines looked at to know the format: a broken one may come first. */
const HEAD_LINES = 20
const HEAD_BYTES = 4_000_000
/** Broken lines named one by one; the rest are a number. */
const NAMED_LINES = 10

/** A chat of SillyTavern: one JSON a line, the first about the chat, the rest its messages in order. */
export function isSillyTavern(bytes: Uint8Array): boolean {
  let looked = 0
  for (const line of textLines(bytes.subarray(0, HEAD_BYTES))) {
    if (line.trim() === '') continue
    const raw = parsedLine(line)
    if (isHead(raw) || isMessage(raw)) return true
    // JSON of another kind on its own line: another format
    if (raw !== undefined && !isNothing(raw)) return false
    looked += 1
    if (looked === HEAD_LINES) return false
  }
  return false
}

/** About the chat; older files have no such line. */
const isHead = (raw: unknown): boolean =>
  !isMessage(raw) && ['chat_metadata', 'character_name', 'user_name'].some((name) => field(raw, name) !== undefined)

const isMessage = (raw: unknown): boolean =>
  typeof field(raw, 'mes') === 'string' &&
  ['is_user', 'is_system', 'name', 'send_date'].some((name) => field(raw, name) !== undefined)

/** JSON, but no object: what a torn line may look like. */
const isNothing = (raw: unknown): boolean => typeof raw !== 'object' || raw === null

/** The line's value; undefined when it is broken. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** What a chat of lines holds beside its messages. */
class LineCounts {
  notes = 0
  hidden = 0
  files = 0
  readonly broken: number[] = []

  warnings(): Said[] {
    const { notes, hidden, files, broken } = this
    const left = broken.length - NAMED_LINES
    return [
      ...broken
        .slice(0, NAMED_LINES)
        .map((line) => said`Line ${line} is damaged and was left out; the lines around it were read.`),
      ...(left > 0 ? [said`${left} more damaged lines were left out.`] : []),
      ...(notes > 0 ? [said`${notes} system notes of the chat were left out.`] : []),
      ...(hidden > 0
        ? [said`${hidden} messages were hidden from the model there; here they are part of the chat.`]
        : []),
      ...(files > 0 ? [said`${files} images and files are not part of the file and were left out.`] : []),
    ]
  }
}

export function readSillyTavern(bytes: Uint8Array, fileName: string): ForeignFile {
  const messages: ForeignMessage[] = []
  let head: unknown
  let parent: string | null = null
  const speakers = new Set<string>()
  const names = new Map<ForeignMessage, string>()
  const counts = new LineCounts()
  let number = 0
  for (const line of textLines(bytes)) {
    number += 1
    if (line.trim() === '') continue
    const raw = parsedLine(line)
    if (isHead(raw)) {
      head ??= raw
      continue
    }
    if (typeof field(raw, 'mes') !== 'string' && listField(raw, 'swipes').length === 0) {
      counts.broken.push(number)
      continue
    }
    if (isNote(raw)) {
      counts.notes += 1
      continue
    }
    if (field(raw, 'is_system') === true) counts.hidden += 1
    counts.files += filesOf(raw)
    const versions = readVersions(raw, number, parent)
    if (field(raw, 'is_user') !== true) speakers.add(textField(raw, 'name'))
    for (const version of versions) names.set(version, textField(raw, 'name'))
    for (const version of versions) messages.push(version)
    parent = versions.find((version) => version.selected)?.id ?? parent
  }
  if (speakers.size > 1) nameSpeakers(messages, names)
  const character = textField(head, 'character_name')
  const name = fileName.replace(/\.jsonl$/i, '')
  // without a head, a file's name alone does not tell one chat from another
  const known = head === undefined ? `${name}\u0000${messages[0]?.text}` : `${character}\u0000${name}`
  const chat = {
    sourceId: textField(field(head, 'chat_metadata'), 'integrity') || known,
    title: character === '' || character === 'unused' || name.includes(character) ? name : `${character} · ${name}`,
    createdAt: importedTime(field(head, 'create_date')) ?? messages[0]?.createdAt,
    updatedAt: messages.findLast((message) => message.createdAt)?.createdAt,
    messages,
    notes: counts.warnings(),
  }
  return { format: 'sillytavern', chats: [chat], warnings: [] }
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
