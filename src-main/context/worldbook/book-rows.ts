import type { ReadDatabase } from '../../storage/database'
import { storedJson, storedObject } from '../../storage/stored-json'
import type { Book, BookDraft } from './book-contract'
import type { Breathe } from './breathing'
import type { Entry } from './entry-contract'
import { entryOf } from './packed-book'

export type BookHead = Omit<Book, 'entries'>
/** The part of a head that people edit. */
export type HeadFields = Omit<BookDraft, 'entries'>

interface HeadRow {
  id: string
  name: string
  description: string
  settings: string
  extra: string
  origin: string | null
  version: number
  created_at: string
  updated_at: string
}

interface EntryRow {
  entry_id: string
  body: string
}

function headOf(row: HeadRow): BookHead {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    settings: storedJson(row.settings, {} as Book['settings']),
    extra: storedJson<Book['extra']>(row.extra, {}),
    origin: storedObject<NonNullable<Book['origin']>>(row.origin) ?? null,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const entryFromRow = (row: EntryRow): Entry => entryOf({ id: row.entry_id, body: row.body })

/** Where the entries of the book with this id stand. */
const ENTRIES_OF = '(SELECT coalesce(entry_set, id) FROM worldbook WHERE id = ?)'

/** The row under which a book's entries stand. */
export function entrySetOf(database: ReadDatabase, id: string): string {
  return database.prepare<[string], { at: string | null }>(`SELECT ${ENTRIES_OF} AS at`).get(id)?.at ?? id
}

/** Oldest first. */
export function listHeads(database: ReadDatabase): BookHead[] {
  return database
    .prepare<[], HeadRow>('SELECT * FROM worldbook WHERE version > 0 ORDER BY created_at, rowid')
    .all()
    .map(headOf)
}

export function readHead(database: ReadDatabase, id: string): BookHead | undefined {
  const row = database.prepare<[string], HeadRow>('SELECT * FROM worldbook WHERE id = ? AND version > 0').get(id)
  return row && headOf(row)
}

/** In file order. */
export function readEntries(database: ReadDatabase, id: string): Entry[] {
  const sql = `SELECT entry_id, body FROM worldbook_entry WHERE worldbook_id = ${ENTRIES_OF} ORDER BY ordinal, entry_id`
  return database.prepare<[string], EntryRow>(sql).all(id).map(entryFromRow)
}

export function readBook(database: ReadDatabase, id: string): Book | undefined {
  const head = readHead(database, id)
  return head && { ...head, entries: readEntries(database, id) }
}

export const ROWS_PER_LOOK = 200

interface PlacedRow extends EntryRow {
  ordinal: number
}

/** The rows under one set in order, letting other work have its turn. The caller sees to it that nobody writes there. */
export async function* rowsInSlices(
  database: ReadDatabase,
  setId: string,
  breathe: Breathe,
): AsyncGenerator<readonly EntryRow[]> {
  const sql = `SELECT entry_id, ordinal, body FROM worldbook_entry
    WHERE worldbook_id = ? AND (ordinal, entry_id) > (?, ?) ORDER BY ordinal, entry_id LIMIT ${ROWS_PER_LOOK}`
  const read = database.prepare<[string, number, string], PlacedRow>(sql)
  let last: Pick<PlacedRow, 'ordinal' | 'entry_id'> | undefined = { ordinal: -1, entry_id: '' }
  while (last) {
    const rows: PlacedRow[] = read.all(setId, last.ordinal, last.entry_id)
    yield rows
    last = rows.length === ROWS_PER_LOOK ? rows.at(-1) : undefined
    const pause = breathe()
    if (pause) await pause
  }
}

/** As `readBook`, letting other work have its turn. A book that changes meanwhile is read again from the start. */
export async function readBookInSlices(
  database: ReadDatabase,
  id: string,
  breathe: Breathe,
): Promise<Book | undefined> {
  const sql = `SELECT entry_id, ordinal, body FROM worldbook_entry
    WHERE worldbook_id = ${ENTRIES_OF} AND (ordinal, entry_id) > (?, ?) ORDER BY ordinal, entry_id LIMIT ${ROWS_PER_LOOK}`
  const read = database.prepare<[string, number, string], EntryRow & { ordinal: number }>(sql)
  for (;;) {
    const head = readHead(database, id)
    if (!head) return undefined
    const entries: Entry[] = []
    let last: { ordinal: number; entry_id: string } | undefined = { ordinal: -1, entry_id: '' }
    while (last) {
      const rows = read.all(id, last.ordinal, last.entry_id)
      for (const row of rows) entries.push(entryFromRow(row))
      last = rows.length === ROWS_PER_LOOK ? rows.at(-1) : undefined
      const pause = breathe()
      if (pause) await pause
    }
    if (readHead(database, id)?.version === head.version) return { ...head, entries }
  }
}

export function idsInOrder(database: ReadDatabase, id: string): string[] {
  const sql = `SELECT entry_id FROM worldbook_entry WHERE worldbook_id = ${ENTRIES_OF} ORDER BY ordinal, entry_id`
  return database
    .prepare<[string], { entry_id: string }>(sql)
    .all(id)
    .map((row) => row.entry_id)
}

/** Bodies by id, in file order. */
function bodiesById(database: ReadDatabase, id: string): Map<string, string> {
  const sql = `SELECT entry_id, body FROM worldbook_entry WHERE worldbook_id = ${ENTRIES_OF} ORDER BY ordinal, entry_id`
  return new Map(
    database
      .prepare<[string], EntryRow>(sql)
      .all(id)
      .map((row) => [row.entry_id, row.body]),
  )
}

/** Of more entries than this the whole book is read at once. */
const SINGLE_READS = 500

/** The bodies there are of some entries. */
export function bodiesOf(database: ReadDatabase, id: string, entryIds: readonly string[]): ReadonlyMap<string, string> {
  if (entryIds.length > SINGLE_READS) return bodiesById(database, id)
  const sql = `SELECT body FROM worldbook_entry WHERE worldbook_id = ${ENTRIES_OF} AND entry_id = ?`
  const read = database.prepare<[string, string], { body: string }>(sql)
  return new Map(
    entryIds.flatMap((entryId) => {
      const row = read.get(id, entryId)
      return row ? [[entryId, row.body]] : []
    }),
  )
}
