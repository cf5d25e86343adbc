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
  let hidden = 0
  let number = 0
  for (const line of textLines(bytes)) {
    number += 1
    if (line.trim() === '') continue
    const raw = parseJson(line, number)
    if (number === 1) {
      head = raw
      continue
    }
    if (field(raw, 'is_system') === true) {
      hidden += 1
      continue
    }
    const versions = readVersions(raw, number, parent)
    messages.push(...versions)
    parent = versions.find((version) => version.selected)?.id ?? parent
  }
  if (hidden > 0) warnings.push(said`${hidden} system notes of the chat were left out.`)
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
