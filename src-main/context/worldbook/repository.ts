import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import type { Breathe } from './breathing'
import type { Book, BookDraft, BookVersion, Entry } from './contract'

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

/** How to get from a version back to the one before. */
interface Undo {
  head: HeadFields
  /** Entries that were changed or removed, as they were. */
  entries: Entry[]
  added: string[]
  /** All ids in their order, when that changed. */
  order?: string[]
}

/** Versions kept per book. */
const MOST_VERSIONS = 1000

function headOf(row: HeadRow): BookHead {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    settings: JSON.parse(row.settings) as Book['settings'],
    extra: JSON.parse(row.extra) as Book['extra'],
    origin: row.origin === null ? null : (JSON.parse(row.origin) as Book['origin']),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const fieldsOf = ({ name, description, settings, extra, origin }: HeadFields): HeadFields => ({
  name,
  description,
  settings,
  extra,
  origin,
})

const entryOf = (row: EntryRow): Entry => ({ id: row.entry_id, ...(JSON.parse(row.body) as Omit<Entry, 'id'>) })

function bodyOf({ id: _id, ...body }: Entry): string {
  return JSON.stringify(body)
}

/** Oldest first. */
export function listHeads(database: ReadDatabase): BookHead[] {
  return database.prepare<[], HeadRow>('SELECT * FROM worldbook ORDER BY created_at, rowid').all().map(headOf)
}

export function readHead(database: ReadDatabase, id: string): BookHead | undefined {
  const row = database.prepare<[string], HeadRow>('SELECT * FROM worldbook WHERE id = ?').get(id)
  return row && headOf(row)
}

/** In file order. */
export function readEntries(database: ReadDatabase, id: string): Entry[] {
  const sql = 'SELECT entry_id, body FROM worldbook_entry WHERE worldbook_id = ? ORDER BY ordinal, entry_id'
  return database.prepare<[string], EntryRow>(sql).all(id).map(entryOf)
}

export function readBook(database: ReadDatabase, id: string): Book | undefined {
  const head = readHead(database, id)
  return head && { ...head, entries: readEntries(database, id) }
}

const ROWS_PER_LOOK = 200

/** As `readBook`, letting other work have its turn. A book that changes meanwhile is read again from the start. */
export async function readBookInSlices(
  database: ReadDatabase,
  id: string,
  breathe: Breathe,
): Promise<Book | undefined> {
  const sql = `SELECT entry_id, ordinal, body FROM worldbook_entry
    WHERE worldbook_id = ? AND (ordinal, entry_id) > (?, ?) ORDER BY ordinal, entry_id LIMIT ${ROWS_PER_LOOK}`
  const read = database.prepare<[string, number, string], EntryRow & { ordinal: number }>(sql)
  for (;;) {
    const head = readHead(database, id)
    if (!head) return undefined
    const entries: Entry[] = []
    let last: { ordinal: number; entry_id: string } | undefined = { ordinal: -1, entry_id: '' }
    while (last) {
      const rows = read.all(id, last.ordinal, last.entry_id)
      for (const row of rows) entries.push(entryOf(row))
      last = rows.length === ROWS_PER_LOOK ? rows.at(-1) : undefined
      const pause = breathe()
      if (pause) await pause
    }
    if (readHead(database, id)?.version === head.version) return { ...head, entries }
  }
}

function writeHead(database: WriteDatabase, head: BookHead): void {
  database
    .prepare(
      `INSERT INTO worldbook (id, name, description, settings, extra, origin, version, created_at, updated_at)
       VALUES (@id, @name, @description, @settings, @extra, @origin, @version, @createdAt, @updatedAt)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
         settings = excluded.settings, extra = excluded.extra, origin = excluded.origin, version = excluded.version,
         updated_at = excluded.updated_at`,
    )
    .run({
      ...head,
      settings: JSON.stringify(head.settings),
      extra: JSON.stringify(head.extra),
      origin: head.origin === null ? null : JSON.stringify(head.origin),
    })
}

export function insertBook(database: WriteDatabase, draft: BookDraft, stamp: { id: string; nowIso: string }): Book {
  const { id, nowIso } = stamp
  const book: Book = { ...draft, id, version: 1, createdAt: nowIso, updatedAt: nowIso }
  database.transaction(() => {
    writeHead(database, book)
    const insert = database.prepare(
      'INSERT INTO worldbook_entry (worldbook_id, entry_id, ordinal, body) VALUES (?, ?, ?, ?)',
    )
    for (const [ordinal, entry] of draft.entries.entries()) insert.run(id, entry.id, ordinal, bodyOf(entry))
  })()
  return book
}

export interface BookChange {
  head?: HeadFields
  /** Changed and new entries, whole. */
  put?: readonly Entry[]
  remove?: readonly string[]
  /** All ids of the book after the change, when the order or the set changed. */
  order?: readonly string[]
}

function idsInOrder(database: ReadDatabase, id: string): string[] {
  const sql = 'SELECT entry_id FROM worldbook_entry WHERE worldbook_id = ? ORDER BY ordinal'
  return database
    .prepare<[string], { entry_id: string }>(sql)
    .all(id)
    .map((row) => row.entry_id)
}

/** Writes the entries of a change; gives what was there, and what really changed. */
function writeEntries(
  database: WriteDatabase,
  id: string,
  change: BookChange,
  before: readonly string[],
): Omit<Undo, 'head'> {
  const read = database.prepare<[string, string], EntryRow>(
    'SELECT entry_id, body FROM worldbook_entry WHERE worldbook_id = ? AND entry_id = ?',
  )
  const put = database.prepare(
    `INSERT INTO worldbook_entry (worldbook_id, entry_id, ordinal, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (worldbook_id, entry_id) DO UPDATE SET body = excluded.body`,
  )
  const remove = database.prepare('DELETE FROM worldbook_entry WHERE worldbook_id = ? AND entry_id = ?')
  const undo: Omit<Undo, 'head'> = { entries: [], added: [] }
  for (const entry of change.put ?? []) {
    const old = read.get(id, entry.id)
    const body = bodyOf(entry)
    if (old?.body === body) continue
    if (old) undo.entries.push(entryOf(old))
    else undo.added.push(entry.id)
    put.run(id, entry.id, before.length + undo.added.length, body)
  }
  for (const entryId of change.remove ?? []) {
    const old = read.get(id, entryId)
    if (!old) continue
    undo.entries.push(entryOf(old))
    remove.run(id, entryId)
  }
  return undo
}

function writeOrder(database: WriteDatabase, id: string, order: readonly string[]): void {
  const update = database.prepare('UPDATE worldbook_entry SET ordinal = ? WHERE worldbook_id = ? AND entry_id = ?')
  for (const [ordinal, entryId] of order.entries()) update.run(ordinal, id, entryId)
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, at) => id === b[at])

/**
 * One edit = one version; what it replaced is kept. An edit that changes nothing makes none. Gives the head after the
 * edit, or undefined when there is no such book.
 */
export function changeBook(
  database: WriteDatabase,
  id: string,
  change: BookChange,
  nowIso: string,
): BookHead | undefined {
  return database.transaction((): BookHead | undefined => {
    const head = readHead(database, id)
    if (!head) return undefined
    const before = idsInOrder(database, id)
    const undo: Undo = { head: fieldsOf(head), ...writeEntries(database, id, change, before) }
    const written = idsInOrder(database, id)
    const after = change.order && !sameList(written, change.order) ? change.order : written
    if (after !== written) writeOrder(database, id, after)
    if (!sameList(before, after)) undo.order = before
    const fields = change.head ? fieldsOf(change.head) : undo.head
    const untouched = JSON.stringify(fields) === JSON.stringify(undo.head)
    if (untouched && undo.entries.length === 0 && undo.added.length === 0 && !undo.order) return head
    const next: BookHead = { ...head, ...fields, version: head.version + 1, updatedAt: nowIso }
    writeHead(database, next)
    database
      .prepare(
        'INSERT INTO worldbook_version (worldbook_id, version, saved_at, name, entries, undo) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(id, head.version, head.updatedAt, head.name, before.length, JSON.stringify(undo))
    database
      .prepare('DELETE FROM worldbook_version WHERE worldbook_id = ? AND version <= ?')
      .run(id, head.version - MOST_VERSIONS)
    return next
  })()
}

/** Replaces a whole book; entries not in the draft go. */
export function replaceBook(
  database: WriteDatabase,
  id: string,
  draft: BookDraft,
  nowIso: string,
): BookHead | undefined {
  const stay = new Set(draft.entries.map((entry) => entry.id))
  const remove = idsInOrder(database, id).filter((entryId) => !stay.has(entryId))
  return changeBook(database, id, { head: draft, put: draft.entries, remove, order: [...stay] }, nowIso)
}

/** The versions that were replaced, newest first. */
export function listVersions(database: ReadDatabase, id: string): BookVersion[] {
  const sql = `SELECT version, saved_at AS savedAt, name, entries FROM worldbook_version
    WHERE worldbook_id = ? ORDER BY version DESC`
  return database.prepare<[string], BookVersion>(sql).all(id)
}

/** Goes back to a version that was replaced, as a new version. Undefined when that version is not kept. */
export function restoreVersion(
  database: WriteDatabase,
  id: string,
  version: number,
  nowIso: string,
): BookHead | undefined {
  const sql =
    'SELECT version, undo FROM worldbook_version WHERE worldbook_id = ? AND version >= ? ORDER BY version DESC'
  const rows = database.prepare<[string, number], { version: number; undo: string }>(sql).all(id, version)
  const book = rows.at(-1)?.version === version ? readBook(database, id) : undefined
  if (!book) return undefined
  const entries = new Map(book.entries.map((entry) => [entry.id, entry]))
  let order = book.entries.map((entry) => entry.id)
  let head: HeadFields = book
  for (const row of rows) {
    const undo = JSON.parse(row.undo) as Undo
    for (const entryId of undo.added) entries.delete(entryId)
    for (const entry of undo.entries) entries.set(entry.id, entry)
    order = undo.order ?? order
    head = undo.head
  }
  const list = order.flatMap((entryId) => entries.get(entryId) ?? [])
  return replaceBook(database, id, { ...head, entries: list }, nowIso)
}

/** How many books went: 0 or 1. */
export function deleteBook(database: WriteDatabase, id: string): number {
  return database.prepare('DELETE FROM worldbook WHERE id = ?').run(id).changes
}
