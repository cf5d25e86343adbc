import { AppError } from '../../../ipc/app-error'
import { asMessage, said, type Words } from '../../../ipc/said-contract'
import { IMPORT_LIMITS } from './limits'

export interface JsonWarning {
  code: string
  message: string
  words?: Words
}

function startsWith(bytes: Uint8Array, ...head: number[]): boolean {
  return head.every((byte, index) => bytes[index] === byte)
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be'
  // JSON begins with an ASCII character, so a zero beside it gives the width and order away.
  if (bytes.length >= 2 && bytes[0] !== 0 && bytes[1] === 0) return 'utf-16le'
  if (bytes.length >= 2 && bytes[0] === 0 && bytes[1] !== 0) return 'utf-16be'
  return 'utf-8'
}

/** UTF-8 or UTF-16 with or without a byte order mark; then GB18030, which older Chinese tools write; then UTF-8 with gaps. */
export function decodeText(bytes: Uint8Array, warnings: JsonWarning[]): string {
  const encoding = encodingOf(bytes)
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const legacy = decodeLegacy(bytes)
    warnings.push({
      code: 'encoding',
      message:
        legacy === undefined
          ? 'Some characters of the file are not valid UTF-8 and were replaced. Save the file as UTF-8 to keep them.'
          : 'The file is not UTF-8; it was read as GB18030. Check that names and texts look right.',
    })
    return legacy ?? new TextDecoder('utf-8').decode(bytes)
  }
}

function decodeLegacy(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('gb18030', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Index of the quote that ends the string starting after `from`, or the text's length. */
function stringEnd(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
  return text.length
}

/** Keys are compared only this deep: enough for the entries of a book inside a card. */
const DUPLICATE_DEPTH = 6
const COLON_SOON = /^\s*:/

interface Shape {
  tooDeep: boolean
  tooMany: boolean
  duplicates: Set<string>
}

/** One pass over the text before anything is built from it: depth, number of values, repeated keys. */
function measure(text: string): Shape {
  const duplicates = new Set<string>()
  const seen: (Set<string> | undefined)[] = []
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      const end = stringEnd(text, at + 1)
      const keys = seen.at(-1)
      if (keys && COLON_SOON.test(text.slice(end + 1, end + 9))) {
        const key = text.slice(at + 1, end)
        if (keys.has(key) && duplicates.size < 8) duplicates.add(key)
        keys.add(key)
      }
      at = end
    } else if (code === 0x7b || code === 0x5b) {
      seen.push(code === 0x7b && seen.length < DUPLICATE_DEPTH ? new Set() : undefined)
      values++
      if (seen.length > IMPORT_LIMITS.jsonDepth) return { tooDeep: true, tooMany: false, duplicates }
    } else if (code === 0x7d || code === 0x5d) {
      seen.pop()
    } else if (code === 0x2c) {
      values++
    }
    if (values > IMPORT_LIMITS.jsonValues) return { tooDeep: false, tooMany: true, duplicates }
  }
  return { tooDeep: false, tooMany: false, duplicates }
}

/**
 * Parses the text of an imported file within bounds.
 * @throws AppError `import.unreadable` for broken or bottomless JSON, `import.too_large` for too many values.
 */
export function parseJson(text: string, warnings: JsonWarning[]): unknown {
  const shape = measure(text)
  if (shape.tooDeep) {
    const levels = IMPORT_LIMITS.jsonDepth
    throw new AppError(
      'import.unreadable',
      said`The file is nested more than ${levels} levels deep, which no worldbook is. Export the book again from the app it came from.`,
    )
  }
  if (shape.tooMany) {
    throw new AppError(
      'import.too_large',
      'The file holds more than 8 million values. Split the book into smaller ones and import them one by one.',
    )
  }
  if (shape.duplicates.size > 0) {
    const names = [...shape.duplicates].map((key) => `"${key.slice(0, 40)}"`).join(', ')
    warnings.push({
      code: 'duplicate_key',
      ...asMessage(said`The file gives ${names} more than once in the same place; the last one was read.`),
    })
  }
  return parseStrictly(text)
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 160) : 'unknown reason'
    throw new AppError(
      'import.unreadable',
      said`The file is not valid JSON (${reason}). It may be cut short or edited by hand: get it again or correct that place.`,
      { cause: error },
    )
  }
}
