import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import type { Breathe } from './breathing'
import type { Book, BookDraft, BookVersion, Entry } from './contract'
import { bodyOf, type EntryText, entryOf, textOf } from './packed-book'

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

/** A book that is still being written; nobody sees it. */
const UNFINISHED = 0

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

const entryFromRow = (row: EntryRow): Entry => entryOf({ id: row.entry_id, body: row.body })

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
  const sql = 'SELECT entry_id, body FROM worldbook_entry WHERE worldbook_id = ? ORDER BY ordinal, entry_id'
  return database.prepare<[string], EntryRow>(sql).all(id).map(entryFromRow)
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
      for (const row of rows) entries.push(entryFromRow(row))
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

/**
 * Stores a large new book in many short transactions. It is seen by nobody until its last entry is in; when that does
 * not come about, nothing stays behind.
 */
export async function insertTextsInSlices(
  database: WriteDatabase,
  book: { head: HeadFields; texts: Iterable<EntryText> },
  stamp: { id: string; nowIso: string; breathe: Breathe },
): Promise<void> {
  const { id, nowIso, breathe } = stamp
  writeHead(database, { ...book.head, id, version: UNFINISHED, createdAt: nowIso, updatedAt: nowIso })
  const insert = database.prepare(
    'INSERT INTO worldbook_entry (worldbook_id, entry_id, ordinal, body) VALUES (?, ?, ?, ?)',
  )
  const rows = book.texts[Symbol.iterator]()
  let ordinal = 0
  /** False at the end. */
  const insertSome = database.transaction((): boolean => {
    for (let count = 0; count < ROWS_PER_LOOK; count += 1) {
      const row = rows.next()
      if (row.done) return false
      insert.run(id, row.value.id, ordinal, row.value.body)
      ordinal += 1
    }
    return true
  })
  try {
    while (insertSome()) {
      const pause = breathe()
      if (pause) await pause
    }
    database.prepare('UPDATE worldbook SET version = 1 WHERE id = ?').run(id)
  } catch (error) {
    deleteBook(database, id)
    throw error
  }
}

/** Removes what an import left that was cut off, for example by the end of the process. */
export function deleteUnfinished(database: WriteDatabase): void {
  database.prepare('DELETE FROM worldbook WHERE version = ?').run(UNFINISHED)
}

export function idsInOrder(database: ReadDatabase, id: string): string[] {
  const sql = 'SELECT entry_id FROM worldbook_entry WHERE worldbook_id = ? ORDER BY ordinal, entry_id'
  return database
    .prepare<[string], { entry_id: string }>(sql)
    .all(id)
    .map((row) => row.entry_id)
}

export interface BookChange {
  head?: HeadFields
  /** Changed and new entries, whole. */
  put?: readonly Entry[]
  remove?: readonly string[]
  /** All ids of the book after the change, when the order or the set changed. */
  order?: readonly string[]
}

/** The same with entries as they are stored. */
interface TextChange extends Omit<BookChange, 'put'> {
  put?: readonly EntryText[]
}

/** Bodies by id, in file order. */
function bodiesById(database: ReadDatabase, id: string): Map<string, string> {
  const sql = 'SELECT entry_id, body FROM worldbook_entry WHERE worldbook_id = ? ORDER BY ordinal, entry_id'
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
function bodiesOf(database: ReadDatabase, id: string, entryIds: readonly string[]): ReadonlyMap<string, string> {
  if (entryIds.length > SINGLE_READS) return bodiesById(database, id)
  const sql = 'SELECT body FROM worldbook_entry WHERE worldbook_id = ? AND entry_id = ?'
  const read = database.prepare<[string, string], { body: string }>(sql)
  return new Map(
    entryIds.flatMap((entryId) => {
      const row = read.get(id, entryId)
      return row ? [[entryId, row.body]] : []
    }),
  )
}

/** The entries there are among these. */
export function readSomeEntries(database: ReadDatabase, id: string, entryIds: readonly string[]): Map<string, Entry> {
  const bodies = bodiesOf(database, id, entryIds)
  return new Map(
    entryIds.flatMap((entryId) => {
      const body = bodies.get(entryId)
      return body === undefined ? [] : [[entryId, entryOf({ id: entryId, body })]]
    }),
  )
}

/** What was replaced, entries as they are stored. */
interface Replaced {
  entries: EntryText[]
  added: string[]
}

/** Writes the entries of a change; gives what was there, and what really changed. */
function writeEntries(database: WriteDatabase, id: string, change: TextChange): Replaced {
  const put = change.put ?? []
  const before = bodiesOf(database, id, [...put.map((text) => text.id), ...(change.remove ?? [])])
  const insert = database.prepare(
    'INSERT INTO worldbook_entry (worldbook_id, entry_id, ordinal, body) VALUES (?, ?, ?, ?)',
  )
  const update = database.prepare('UPDATE worldbook_entry SET body = ? WHERE worldbook_id = ? AND entry_id = ?')
  const remove = database.prepare('DELETE FROM worldbook_entry WHERE worldbook_id = ? AND entry_id = ?')
  const replaced: Replaced = { entries: [], added: [] }
  const lastPlace = 'SELECT coalesce(max(ordinal), -1) AS last FROM worldbook_entry WHERE worldbook_id = ?'
  const last = database.prepare<[string], { last: number }>(lastPlace).get(id)?.last ?? -1
  for (const { id: entryId, body } of put) {
    const old = before.get(entryId)
    if (old === body) continue
    if (old === undefined) {
      replaced.added.push(entryId)
      insert.run(id, entryId, last + replaced.added.length, body)
    } else {
      replaced.entries.push({ id: entryId, body: old })
      update.run(body, id, entryId)
    }
  }
  for (const entryId of change.remove ?? []) {
    const old = before.get(entryId)
    if (old === undefined) continue
    replaced.entries.push({ id: entryId, body: old })
    remove.run(id, entryId)
  }
  return replaced
}

/** Entries whose place is right already are left alone. */
function writeOrder(database: WriteDatabase, id: string, order: readonly string[]): void {
  const places = new Map(
    database
      .prepare<[string], { entry_id: string; ordinal: number }>(
        'SELECT entry_id, ordinal FROM worldbook_entry WHERE worldbook_id = ?',
      )
      .all(id)
      .map((row) => [row.entry_id, row.ordinal]),
  )
  const update = database.prepare('UPDATE worldbook_entry SET ordinal = ? WHERE worldbook_id = ? AND entry_id = ?')
  for (const [ordinal, entryId] of order.entries()) {
    if (places.get(entryId) !== ordinal) update.run(ordinal, id, entryId)
  }
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, at) => id === b[at])

/** An `Undo` as JSON; entries are put in as they are stored, without being read. */
function undoText(head: HeadFields, { entries, added }: Replaced, order: readonly string[] | undefined): string {
  const list = entries.map(({ id, body }) => `{"id":${JSON.stringify(id)},${body.slice(1)}`).join(',')
  const rest = JSON.stringify({ head, added, ...(order ? { order } : {}) })
  return `${rest.slice(0, -1)},"entries":[${list}]}`
}

function keepVersion(database: WriteDatabase, head: BookHead, entries: number, undo: string): void {
  database
    .prepare(
      'INSERT INTO worldbook_version (worldbook_id, version, saved_at, name, entries, undo) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(head.id, head.version, head.updatedAt, head.name, entries, undo)
  database
    .prepare('DELETE FROM worldbook_version WHERE worldbook_id = ? AND version <= ?')
    .run(head.id, head.version - MOST_VERSIONS)
}

function changeTexts(database: WriteDatabase, id: string, change: TextChange, nowIso: string): BookHead | undefined {
  return database.transaction((): BookHead | undefined => {
    const head = readHead(database, id)
    if (!head) return undefined
    const before = idsInOrder(database, id)
    const replaced = writeEntries(database, id, change)
    const sameSet = replaced.added.length === 0 && (change.remove ?? []).length === 0
    const written = sameSet ? before : idsInOrder(database, id)
    const after = change.order && !sameList(written, change.order) ? change.order : written
    if (after !== written) writeOrder(database, id, after)
    const order = before === after || sameList(before, after) ? undefined : before
    const old = fieldsOf(head)
    const fields = change.head ? fieldsOf(change.head) : old
    const untouched = JSON.stringify(fields) === JSON.stringify(old)
    if (untouched && replaced.entries.length === 0 && replaced.added.length === 0 && !order) return head
    const next: BookHead = { ...head, ...fields, version: head.version + 1, updatedAt: nowIso }
    writeHead(database, next)
    keepVersion(database, head, before.length, undoText(old, replaced, order))
    return next
  })()
}

/**
 * One edit = one version; what it replaced is kept. An edit that changes nothing makes none. Gives the head after the
 * edit, or undefined when there is no such book.
 */
export function changeBook(
  database: WriteDatabase,
  id: string,
  { put, ...change }: BookChange,
  nowIso: string,
): BookHead | undefined {
  return changeTexts(database, id, { ...change, put: (put ?? []).map(textOf) }, nowIso)
}

/** Replaces a whole book; entries that are not among the new ones go. */
export function replaceTexts(
  database: WriteDatabase,
  id: string,
  book: { head: HeadFields; texts: readonly EntryText[] },
  nowIso: string,
): BookHead | undefined {
  const stay = new Set(book.texts.map((text) => text.id))
  const remove = idsInOrder(database, id).filter((entryId) => !stay.has(entryId))
  return changeTexts(database, id, { head: book.head, put: book.texts, remove, order: [...stay] }, nowIso)
}

export function replaceBook(
  database: WriteDatabase,
  id: string,
  draft: BookDraft,
  nowIso: string,
): BookHead | undefined {
  return replaceTexts(database, id, { head: draft, texts: draft.entries.map(textOf) }, nowIso)
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
  const now = rows.at(-1)?.version === version ? readHead(database, id) : undefined
  if (!now) return undefined
  const bodies = bodiesById(database, id)
  let order = [...bodies.keys()]
  let head: HeadFields = now
  for (const row of rows) {
    const undo = JSON.parse(row.undo) as Undo
    for (const entryId of undo.added) bodies.delete(entryId)
    for (const entry of undo.entries) bodies.set(entry.id, bodyOf(entry))
    order = undo.order ?? order
    head = undo.head
  }
  const texts = order.flatMap((entryId) => {
    const body = bodies.get(entryId)
    return body === undefined ? [] : [{ id: entryId, body }]
  })
  return replaceTexts(database, id, { head, texts }, nowIso)
}

/** How many books went: 0 or 1. */
export function deleteBook(database: WriteDatabase, id: string): number {
  return database.prepare('DELETE FROM worldbook WHERE id = ?').run(id).changes
}
