import type { BookDraft } from '../book-contract'
import type { WorldbookFormat } from '../contract'
import type { Entry } from '../entry-contract'
import { numericId, writeEntry } from './annex'
import { writeBookHead } from './book-fields'
import type { Fields } from './coerce'
import { BOOK, WORLD } from './dialects'
import { strataFile } from './strata-file'

/**
 * Numbers in rising order, an entry's own where it fits: SillyTavern lists entries by number, and equal orders are
 * settled by that list. An entry that gets another number keeps its id in the annex.
 */
function risingNumbers(entries: readonly Entry[]): number[] {
  let last = -1
  return entries.map((entry) => {
    const given = numericId(entry.id)
    last = given !== undefined && given > last && given < 2 ** 32 - 1 ? given : last + 1
    return last
  })
}

function sillyTavernFile(book: BookDraft): Fields {
  const numbers = risingNumbers(book.entries)
  const entries = book.entries.map((entry, index) => {
    const number = numbers[index] ?? index
    return [String(number), writeEntry(WORLD, entry, number, index)]
  })
  return { entries: Object.fromEntries(entries), ...writeBookHead(book, WORLD.name) }
}

/** A stand-alone lorebook of the Character Card V3 specification. */
function lorebookFile(book: BookDraft): Fields {
  const { entries, ...head } = book
  const data = {
    ...writeBookHead(head, BOOK.name),
    entries: entries.map((entry, index) => writeEntry(BOOK, entry, numericId(entry.id) ?? entry.id, index)),
  }
  return { spec: 'lorebook_v3', data }
}

const WRITERS: Record<WorldbookFormat, { write(book: BookDraft): Fields; ending: string }> = {
  sillytavern: { write: sillyTavernFile, ending: '.json' },
  ccv3: { write: lorebookFile, ending: '.lorebook.json' },
  strata: { write: strataFile, ending: '.strata.json' },
}

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** A name every file system takes. */
function safeName(name: string): string {
  const safe = [...name.normalize('NFC')]
    .map((character) => (/[\\/:*?"<>|\p{Cc}\p{Cf}]/u.test(character) ? '-' : character))
    .slice(0, 80)
    .join('')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  if (safe === '') return 'worldbook'
  return RESERVED.test(safe) ? `${safe}-book` : safe
}

/** Nobody reads a larger file by eye, and the indents of 50,000 entries alone would take it over the import limit. */
const INDENTED_ENTRIES = 5000

/** Writes a book so that reading the file gives the same book again: UTF-8 JSON, indented unless very large. */
export function writeWorldbookFile(book: BookDraft, format: WorldbookFormat): { fileName: string; bytes: Uint8Array } {
  const writer = WRITERS[format]
  const text = JSON.stringify(writer.write(book), null, book.entries.length > INDENTED_ENTRIES ? 0 : 2)
  return { fileName: `${safeName(book.name)}${writer.ending}`, bytes: new TextEncoder().encode(text) }
}
