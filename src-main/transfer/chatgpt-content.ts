import type { NamedFile } from './archive-files'
import { field, listField, textField } from './fields'

export interface ChatGptContent {
  /** '' for what is not shown in the conversation itself: thoughts, calls of tools, the user's instructions. */
  text: string
  /** Images and files it names. */
  files: NamedFile[]
  /** A call of a tool. */
  isStep: boolean
}

/** What a message of ChatGPT says. `recipient` tells whether it speaks to the user or to a tool. */
export function readContent(message: unknown): ChatGptContent {
  const content = field(message, 'content')
  const type = textField(content, 'content_type')
  const recipient = textField(message, 'recipient') || 'all'
  if (recipient.startsWith('canmore.')) return readCanvas(rawText(content))
  const files = namedFiles(message)
  if (recipient !== 'all' && recipient !== 'python') return { text: '', files, isStep: true }
  if (type === 'code' || recipient === 'python') {
    const code = rawText(content)
    const language = textField(content, 'language')
    const name = recipient === 'python' ? 'python' : language === 'unknown' ? '' : language
    return { text: code.trim() === '' ? '' : fenced(name, code), files, isStep: false }
  }
  if (type !== 'text' && type !== 'multimodal_text') return { text: '', files, isStep: false }
  const parts = listField(content, 'parts')
  const texts = parts.flatMap((part) => {
    if (typeof part === 'string') return part === '' ? [] : [part]
    // a voice message's transcript
    const spoken = textField(part, 'text')
    return spoken === '' ? [] : [spoken]
  })
  return { text: withSources(texts.join('\n\n'), message), files, isStep: false }
}

/** Pictures among its parts and files attached to it; a picture that is both is one. */
function namedFiles(message: unknown): NamedFile[] {
  const attached = listField(field(message, 'metadata'), 'attachments')
  const idOf = (file: unknown): string => textField(file, 'id')
  // a voice message holds its picture one level deeper
  const parts = listField(field(message, 'content'), 'parts').flatMap((part) => [
    part,
    field(part, 'image_asset_pointer'),
  ])
  const addressed = parts.filter((part) => textField(part, 'content_type') === 'image_asset_pointer')
  const taken = new Set<unknown>()
  const pictures = addressed.map((part): NamedFile => {
    const address = textField(part, 'asset_pointer')
    const same = attached.find((file) => idOf(file) !== '' && address.includes(idOf(file)))
    taken.add(same)
    return { ids: idsOf(address), name: textField(same, 'name'), ...sizeOf(part, 'size_bytes') }
  })
  const isPicture = (file: unknown): boolean => textField(file, 'mime_type').startsWith('image/')
  const others = attached.filter((file) => !taken.has(file) && !(isPicture(file) && pictures.length > 0))
  return [
    ...pictures,
    ...others.map((file) => ({ ids: idsOf(idOf(file)), name: textField(file, 'name'), ...sizeOf(file, 'size') })),
    ...drawnFiles(message),
  ]
}

/** Charts a program drew. */
function drawnFiles(message: unknown): NamedFile[] {
  return listField(field(field(message, 'metadata'), 'aggregate_result'), 'messages').flatMap((output) => {
    const address = textField(output, 'image_url')
    return address === '' ? [] : [{ ids: idsOf(address), name: '' }]
  })
}

const idsOf = (address: string): string[] => (address === '' ? [] : [address])

function sizeOf(value: unknown, name: string): { bytes?: number } {
  const bytes = field(value, name)
  return typeof bytes === 'number' ? { bytes } : {}
}

const rawText = (content: unknown): string =>
  textField(content, 'text') ||
  listField(content, 'parts')
    .filter((part) => typeof part === 'string')
    .join('\n')

/** Longer than any run of backticks in it. */
export function fenced(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}

/** A document of the canvas is written by a call of a tool; its text is what the user read. */
function readCanvas(json: string): ChatGptContent {
  const step = { text: '', files: [], isStep: true }
  let call: unknown
  try {
    call = JSON.parse(json)
  } catch {
    return step
  }
  const whole = listField(call, 'updates').find((update) => textField(update, 'pattern') === '.*')
  const text = textField(call, 'content') || textField(whole, 'replacement')
  if (text === '') return step
  const code = /^code\/(.+)$/.exec(textField(call, 'type'))?.[1]
  const name = textField(call, 'name')
  const body = code === undefined ? text : fenced(code, text)
  return { text: name === '' ? body : `**${name}**\n\n${body}`, files: [], isStep: false }
}

/** Marks of sources stand between characters of the private area; the message's references say what they show. */
const MARK = /\uE200[^\uE201]*\uE201/g

function withSources(text: string, message: unknown): string {
  let shown = text
  for (const reference of listField(field(message, 'metadata'), 'content_references')) {
    const mark = textField(reference, 'matched_text')
    const isHidden = textField(reference, 'type') === 'hidden' && mark.trim() !== ''
    if (mark.includes('\uE200') || isHidden) shown = shown.replaceAll(mark, () => textField(reference, 'alt'))
  }
  return shown.replaceAll(MARK, '')
}
