import type { WriteDatabase } from '../../storage/database'
import type { BookDraft } from './book-contract'
import type { BookFiles } from './book-files'
import { listHeads } from './book-rows'
import type { InTurn } from './book-turns'
import { newBreathing } from './breathing'
import type { ImportReport, WorldbookFormat } from './contract'
import type { WrittenFile } from './file-task'
import { sessionPromptsFromCard } from './formats/import-session-prompts'
import { replaceLargeBook } from './large-changes'
import { type PackedBook, packBook, textOf, unpackTexts } from './packed-book'
import { insertTextsInSlices } from './repository'

export interface ImportDeps {
  database: WriteDatabase
  files: BookFiles
  inTurn: InTurn
  ids: () => string
  nowIso: () => string
}

export interface ImportInput {
  fileName: string
  dataBase64: string
  dryRun?: boolean | undefined
  onCollision?: 'update' | 'copy' | undefined
}

/** What a card's `{{user}}` becomes: nobody has told the app a name. */
const USER_NAME = 'the user'

/** `Harbour`, `Harbour (2)`, `Harbour (3)`, … */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name} (${number})`)) number += 1
  return `${name} (${number})`
}

/** In one piece, or not at all; a book whose name is taken is updated or stored under the next free name. */
async function store(deps: ImportDeps, book: PackedBook, onCollision: 'update' | 'copy'): Promise<string> {
  const { database } = deps
  const heads = listHeads(database)
  const same = heads.find((head) => head.name === book.head.name)
  const nowIso = deps.nowIso()
  if (same && onCollision === 'update') {
    const change = { head: book.head, texts: unpackTexts(book) }
    await deps.inTurn(same.id, () => replaceLargeBook({ ...deps, breathe: newBreathing() }, same.id, change, nowIso))
    return same.id
  }
  const name = freeName(book.head.name, new Set(heads.map((head) => head.name)))
  const id = deps.ids()
  const stamp = { id, nowIso, breathe: newBreathing() }
  await insertTextsInSlices(database, { head: { ...book.head, name }, texts: unpackTexts(book) }, stamp)
  return id
}

/**
 * Reads a file and, unless it is a dry run, stores its book. A book whose name is taken is stored as a copy unless told
 * to update. Not to be called again before it has ended: names are given out one after another.
 * @throws AppError import.unreadable, import.too_large from the reader, with nothing stored
 */
export async function importFile(deps: ImportDeps, input: ImportInput): Promise<ImportReport> {
  const { books, report } = await deps.files.read(input.fileName, input.dataBase64)
  const names = new Set(books.map((book) => book.head.name))
  const collisions = listHeads(deps.database)
    .filter((head) => names.has(head.name))
    .map((head) => ({ name: head.name, worldbookId: head.id }))
  const dryRun = input.dryRun === true
  const worldbookIds: string[] = []
  if (!dryRun) for (const book of books) worldbookIds.push(await store(deps, book, input.onCollision ?? 'copy'))
  const sessionPrompts = report.card && sessionPromptsFromCard(report.card, USER_NAME)
  return { ...report, ...(sessionPrompts ? { sessionPrompts } : {}), worldbookIds, collisions, dryRun }
}

export function exportBook(
  files: BookFiles,
  { entries, ...head }: BookDraft,
  format: WorldbookFormat,
): Promise<WrittenFile> {
  const { name, description, settings, extra, origin } = head
  return files.write(packBook({ name, description, settings, extra, origin }, entries.map(textOf)), format)
}
