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

export const unreadable = (why: Said, cause?: unknown): AppError =>
  new AppError(
    'import.unreadable',
    said`The file cannot be read: ${typeof why === 'string' ? phrase(why) : why}. Nothing more was imported.`,
    { cause },
  )

/** @throws import.unreadable */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw unreadable(text.trim() === '' ? 'it is empty; export it again' : 'it is not JSON', error)
  }
}
