import { AppError } from '../../../ipc/app-error'
import { phrase, said } from '../../../ipc/said-contract'
import type { BookDraft } from '../book-contract'
import type { CardFields, ReadResult } from '../contract'
import { type BookHead, readBookHead } from './book-fields'
import { readCard } from './character-card'
import { isZip, readCharx } from './charx'
import { type Fields, isFields, own } from './coerce'
import { type Shape, shapeOfEntries, shapeOfRoot } from './detect-shape'
import { BOOK, WORLD } from './dialects'
import { IMPORT_LIMITS } from './limits'
import { Notes } from './notes'
import { decodeText, type JsonWarning, parseJson } from './parse-json'
import { isPng, readPngCard } from './png-text'
import { readAgnaiEntry } from './read-agnai'
import { type EntryReader, membersOf, readEntries, readerOf } from './read-entries'
import { readNovelAiEntry } from './read-novelai'
import { readPlainEntry } from './read-plain'
import { isRisuFolder, readRisuEntry } from './read-risu'
import { readTavernHelperEntry } from './read-tavern-helper'
import { readStrataEntry, readStrataHead } from './strata-file'

export interface ReadOptions {
  /** Bytes; the standard is 64 MB. */
  maxBytes?: number
}

const READERS: Record<Exclude<Shape, 'card'>, EntryReader> = {
  strata: readStrataEntry,
  lorebook_v3: readerOf(BOOK),
  character_book: readerOf(BOOK),
  sillytavern: readerOf(WORLD),
  novelai: readNovelAiEntry,
  agnai: readAgnaiEntry,
  risuai: readRisuEntry,
  'tavern-helper': readTavernHelperEntry,
  plain: readPlainEntry,
}

/** `Fogharbour.lorebook.json` -> `Fogharbour`. */
function stemOf(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  const stem = base.replace(/(\.(json|lorebook|strata|png|charx|zip|risum|lorebook_v3))+$/i, '').trim()
  return stem === '' ? 'Worldbook' : stem
}

/** Folders of RisuAI group rows of its list; they are kept beside the book and are no entries. */
function withoutFolders(members: unknown[], head: BookHead, notes: Notes): { members: unknown[]; head: BookHead } {
  const folders = new Set(members.filter((member) => isFields(member) && isRisuFolder(member)))
  if (folders.size === 0) return { members, head }
  notes.warn('folders', said`${folders.size} folder(s) of the list were left out; their entries were read.`)
  const fields = { ...head.origin?.fields, folders: [...folders] }
  return {
    members: members.filter((member) => !folders.has(member)),
    head: { ...head, origin: { format: 'risuai', fields } },
  }
}

/** TavernHelper keys its entries by their titles, and not all of them repeat it inside. */
function namedByKey(entries: Fields): Fields {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, isFields(entry) ? { name, ...entry } : entry]),
  )
}

function headOf(shape: Exclude<Shape, 'card'>, root: Fields, fallback: string, notes: Notes): BookHead {
  if (shape === 'strata') return readStrataHead(root, fallback, notes)
  const { data: _, type: __, ver: ___, ...risu } = root
  const { kind: ____, ...agnai } = root
  if (shape === 'risuai') return readBookHead(risu, 'risuai', fallback)
  if (shape === 'agnai') {
    const head = readBookHead(agnai, 'agnai', fallback)
    // Agnai never lets an entry call another.
    return { ...head, settings: { ...head.settings, recursive: head.settings.recursive ?? false } }
  }
  return readBookHead(root, shape === 'lorebook_v3' ? 'character_book' : shape, fallback)
}

function readBook(shape: Exclude<Shape, 'card'>, root: Fields, fallback: string, notes: Notes): BookDraft {
  const list = shape === 'risuai' && own(root, 'entries') === undefined ? own(root, 'data') : own(root, 'entries')
  const named = shape === 'tavern-helper' && isFields(list) ? namedByKey(list) : list
  const found = { members: membersOf(named), head: headOf(shape, root, fallback, notes) }
  const { members, head } = shape === 'risuai' ? withoutFolders(found.members, found.head, notes) : found
  const entries = readEntries(members, READERS[shape], notes)
  for (const name of Object.keys(head.extra)) notes.keep(name)
  if (entries.length === 0 && members.length > 0) {
    const skipped = notes.skipped[0]
    throw new AppError(
      'import.unreadable',
      said`None of the ${members.length} entries could be read. ${skipped ? said`Entry ${skipped.index}: ${skipped.words ? { text: skipped.reason, words: skipped.words } : phrase(skipped.reason)}` : ''} Check the file or export it again.`,
    )
  }
  if (entries.length === 0) notes.warn('empty_book', said`The book "${head.name}" has no entries.`)
  return { ...head, entries }
}

interface Found {
  format: string
  books: BookDraft[]
  card?: CardFields
}

function readCardFile(root: Fields, fallback: string, notes: Notes): Found {
  const { format, fields, book } = readCard(root, notes)
  if (!book || own(book, 'entries') === undefined) {
    notes.warn('no_book', 'The card has no worldbook inside.')
    return { format, books: [], card: fields }
  }
  const members = membersOf(own(book, 'entries'))
  const shape = shapeOfEntries(members)
  const inner = shape === 'card' || members.length === 0 ? 'character_book' : shape
  return { format, books: [readBook(inner, book, fields.name || fallback, notes)], card: fields }
}

function readJson(json: unknown, fallback: string, notes: Notes): Found {
  if (Array.isArray(json)) {
    const shape = shapeOfEntries(membersOf(json))
    if (shape === 'card') throw unknownShape()
    return { format: shape, books: [readBook(shape, { entries: json }, fallback, notes)] }
  }
  const shape = isFields(json) ? shapeOfRoot(json) : undefined
  if (!isFields(json) || !shape) throw unknownShape()
  if (shape === 'card') return readCardFile(json, fallback, notes)
  const data = own(json, 'data')
  if (shape !== 'lorebook_v3' || !isFields(data)) {
    return { format: shape, books: [readBook(shape, json, fallback, notes)] }
  }
  // Unknown members of the envelope travel with the book.
  const { spec: _, data: __, ...envelope } = json
  return { format: shape, books: [readBook(shape, { ...envelope, ...data }, fallback, notes)] }
}

function unknownShape(): AppError {
  return new AppError(
    'import.unreadable',
    'This is no worldbook or character card that is known here: there are no entries in it. Export the book as JSON, or the card as PNG or JSON, and import that.',
  )
}

function jsonOf(bytes: Uint8Array, warnings: JsonWarning[]): unknown {
  if (bytes.length > IMPORT_LIMITS.jsonBytes) {
    throw new AppError('import.too_large', 'The text inside the file is larger than 64 MB. Split the book.')
  }
  const text = decodeText(bytes, warnings)
  if (text.trim() === '') throw new AppError('import.unreadable', 'The file is empty. Get it again.')
  return parseJson(text, warnings)
}

function jsonOfFile(bytes: Uint8Array, warnings: JsonWarning[]): unknown {
  if (isPng(bytes)) return readPngCard(bytes, (text) => jsonOf(text, warnings), warnings).json
  if (isZip(bytes)) return jsonOf(readCharx(bytes, warnings), warnings)
  const picture =
    (bytes[0] === 0xff && bytes[1] === 0xd8) || (bytes[0] === 0x52 && bytes[1] === 0x49 && bytes[2] === 0x46)
  if (picture) {
    throw new AppError('import.unreadable', 'Only PNG pictures carry a character card. Get the PNG or JSON file of it.')
  }
  return jsonOf(bytes, warnings)
}

/**
 * Reads a worldbook or character card of any known format, told by its shape. Pure: nothing is saved.
 * @throws AppError `import.unreadable` when it is none or nothing of it can be read, `import.too_large` when it breaks a limit
 */
export function readWorldbookFile(fileName: string, bytes: Uint8Array, options: ReadOptions = {}): ReadResult {
  const limit = options.maxBytes ?? IMPORT_LIMITS.fileBytes
  if (bytes.length > limit) {
    const megabytes = (size: number) => Math.round(size / 1024 / 1024)
    throw new AppError(
      'import.too_large',
      said`The file has ${megabytes(bytes.length)} MB; ${megabytes(limit)} MB is the most. Split the book and import the parts.`,
    )
  }
  const notes = new Notes()
  const warnings: JsonWarning[] = []
  const found = readJson(jsonOfFile(bytes, warnings), stemOf(fileName), notes)
  return {
    books: found.books,
    report: {
      format: found.format,
      books: found.books.map((book) => ({ name: book.name, entries: book.entries.length })),
      entries: {
        imported: found.books.reduce((sum, book) => sum + book.entries.length, 0),
        skipped: notes.skipped,
      },
      keptNotExecuted: notes.kept,
      warnings: [...warnings, ...notes.warnings],
      ...(found.card ? { card: found.card } : {}),
    },
  }
}
