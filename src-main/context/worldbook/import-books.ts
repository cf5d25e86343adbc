import type { WriteDatabase } from '../../storage/database'
import type { Book, BookDraft, ImportReport, WorldbookFormat } from './contract'
import { sessionPromptsFromCard } from './formats/import-session-prompts'
import { readWorldbookFile } from './formats/read-worldbook-file'
import { writeWorldbookFile } from './formats/write-worldbook-file'
import { insertBook, listHeads, replaceBook } from './repository'

export interface ImportDeps {
  database: WriteDatabase
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

function store(deps: ImportDeps, drafts: readonly BookDraft[], onCollision: 'update' | 'copy'): string[] {
  const { database } = deps
  return database.transaction(() =>
    drafts.map((draft) => {
      const heads = listHeads(database)
      const same = heads.find((head) => head.name === draft.name)
      const nowIso = deps.nowIso()
      if (same && onCollision === 'update') {
        replaceBook(database, same.id, draft, nowIso)
        return same.id
      }
      const name = freeName(draft.name, new Set(heads.map((head) => head.name)))
      return insertBook(database, { ...draft, name }, { id: deps.ids(), nowIso }).id
    }),
  )()
}

/**
 * Reads a file and, unless it is a dry run, stores its books in one transaction. A book whose name is taken is stored
 * as a copy unless told to update. @throws import.unreadable, import.too_large from the reader, with nothing stored
 */
export function importFile(deps: ImportDeps, input: ImportInput): ImportReport {
  const { books, report } = readWorldbookFile(input.fileName, Buffer.from(input.dataBase64, 'base64'))
  const names = new Set(books.map((book) => book.name))
  const collisions = listHeads(deps.database)
    .filter((head) => names.has(head.name))
    .map((head) => ({ name: head.name, worldbookId: head.id }))
  const dryRun = input.dryRun === true
  const worldbookIds = dryRun ? [] : store(deps, books, input.onCollision ?? 'copy')
  const sessionPrompts = report.card && sessionPromptsFromCard(report.card, USER_NAME)
  return { ...report, ...(sessionPrompts ? { sessionPrompts } : {}), worldbookIds, collisions, dryRun }
}

export function exportBook(book: Book, format: WorldbookFormat): { fileName: string; dataBase64: string } {
  const { fileName, bytes } = writeWorldbookFile(book, format)
  return { fileName, dataBase64: Buffer.from(bytes).toString('base64') }
}
