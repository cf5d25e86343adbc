import { AppError } from '../ipc/app-error'
import { phrase, type Said, said } from '../ipc/said-contract'

const NEWLINE = 10

/** The file's lines, decoded one at a time: a file of a gigabyte needs the memory of its longest line. */
export function* textLines(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder()
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start)
    yield decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end))
    if (end < 0) return
    start = end + 1
  }
}

export interface FileHead {
  format: string
  version: number
}

const HEAD = /^\{"format":"([^"]+)","version":(\d+),.*"items":\[\s*$/

/**
 * Our file is one JSON document with one item a line, so it can be read line by line. A file that went through a
 * formatter is parsed as a whole instead.
 */
export function readItems(bytes: Uint8Array): { head: FileHead; items: Iterable<unknown> } {
  const [first = ''] = textLines(bytes.subarray(0, 4096))
  const match = HEAD.exec(first.trimEnd())
  if (match) return { head: { format: match[1] ?? '', version: Number(match[2]) }, items: lineItems(bytes) }
  const whole = parseJson(new TextDecoder().decode(bytes)) as Partial<FileHead> & { items?: unknown }
  if (!Array.isArray(whole.items)) throw unreadable('it holds no list of items')
  return { head: { format: String(whole.format), version: Number(whole.version) }, items: whole.items }
}

function* lineItems(bytes: Uint8Array): Generator<unknown> {
  let number = 0
  let ended = false
  for (const line of textLines(bytes)) {
    number += 1
    const text = line.trim()
    if (number === 1 || text === '') continue
    if (text === ']}') {
      ended = true
      continue
    }
    yield parseJson(text.endsWith(',') ? text.slice(0, -1) : text, number)
  }
  if (!ended) throw unreadable('its end is missing: the file was cut off')
}

export const unreadable = (why: Said, cause?: unknown): AppError =>
  new AppError(
    'import.unreadable',
    said`The file cannot be read: ${typeof why === 'string' ? phrase(why) : why}. Nothing more was imported.`,
    { cause },
  )

/** @throws import.unreadable */
export function parseJson(text: string, line?: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw unreadable(line === undefined ? 'it is not JSON' : said`line ${line} is not JSON`, error)
  }
}
