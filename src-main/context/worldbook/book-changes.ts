import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import type { BookVersion } from './book-contract'
import { type BookHead, bodiesOf, entrySetOf, type HeadFields, idsInOrder, readHead } from './book-rows'
import type { Entry } from './entry-contract'
import { bodyOf, type EntryText, textOf } from './packed-book'
import { ENTRY_SET, GONE, writeHead } from './repository'

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
/** Of these, versions that keep all their entries: each is as large as the book. */
export const MOST_WHOLE_VERSIONS = 10

const fieldsOf = ({ name, description, settings, extra, origin }: HeadFields): HeadFields => ({
  name,
  description,
  settings,
  extra,
  origin,
})

export interface BookChange {
  head?: HeadFields
  /** Changed and new entries, whole. */
  put?: readonly Entry[]
  remove?: readonly string[]
  /** All ids of the book after the change, when the order or the set changed. */
  order?: readonly string[]
}

/** The same with entries as they are stored. */
export interface TextChange extends Omit<BookChange, 'put'> {
  put?: readonly EntryText[]
}

/** What was replaced, entries as they are stored. */
interface Replaced {
  entries: EntryText[]
  added: string[]
}

/** Writes the entries of a change; gives what was there, and what really changed. */
function writeEntries(database: WriteDatabase, bookId: string, change: TextChange): Replaced {
  const id = entrySetOf(database, bookId)
  const put = change.put ?? []
  const before = bodiesOf(database, bookId, [...put.map((text) => text.id), ...(change.remove ?? [])])
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
function writeOrder(database: WriteDatabase, bookId: string, order: readonly string[]): void {
  const id = entrySetOf(database, bookId)
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

interface Replacing {
  head: BookHead
  /** Entries the replaced version had. */
  entries: number
  undo: string
  /** Where they all still stand. */
  entrySet?: string
}

function keepVersion(database: WriteDatabase, { head, entries, undo, entrySet }: Replacing): void {
  database
    .prepare(
      `INSERT INTO worldbook_version (worldbook_id, version, saved_at, name, entries, undo, entry_set)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(head.id, head.version, head.updatedAt, head.name, entries, undo, entrySet ?? null)
  const whole = database
    .prepare<[string, number], { version: number }>(
      `SELECT version FROM worldbook_version WHERE worldbook_id = ? AND entry_set IS NOT NULL
       ORDER BY version DESC LIMIT 1 OFFSET ?`,
    )
    .get(head.id, MOST_WHOLE_VERSIONS)
  const last = Math.max(head.version - MOST_VERSIONS, whole?.version ?? 0)
  const old = 'FROM worldbook_version WHERE worldbook_id = ? AND version <= ?'
  // Their entries go with `deleteGone`, in slices.
  database
    .prepare(`UPDATE worldbook SET version = ${GONE} WHERE set_of IS NOT NULL AND id IN (SELECT entry_set ${old})`)
    .run(head.id, last)
  database.prepare(`DELETE ${old}`).run(head.id, last)
}

/** All at once; for changes of few entries. */
export function changeTexts(
  database: WriteDatabase,
  id: string,
  change: TextChange,
  nowIso: string,
): BookHead | undefined {
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
    keepVersion(database, { head, entries: before.length, undo: undoText(old, replaced, order) })
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

/** What a book points at after a large change. */
export interface NextEntries {
  setId: string
  fields: HeadFields
  nowIso: string
}

/** Points the book at another set of entries; the one it had stays as the version that is replaced. */
export function pointAt(database: WriteDatabase, head: BookHead, next: NextEntries): BookHead {
  return database.transaction((): BookHead => {
    const entrySet = entrySetOf(database, head.id)
    const count = 'SELECT count(*) AS entries FROM worldbook_entry WHERE worldbook_id = ?'
    const entries = database.prepare<[string], { entries: number }>(count).get(entrySet)?.entries ?? 0
    const fields = fieldsOf(next.fields)
    const after: BookHead = { ...head, ...fields, version: head.version + 1, updatedAt: next.nowIso }
    writeHead(database, after)
    database.prepare('UPDATE worldbook SET version = ? WHERE id = ?').run(ENTRY_SET, next.setId)
    database.prepare('UPDATE worldbook SET entry_set = ? WHERE id = ?').run(next.setId, head.id)
    const undo = undoText(fieldsOf(head), { entries: [], added: [] }, undefined)
    keepVersion(database, { head, entries, undo, entrySet })
    return after
  })()
}

/** The versions that were replaced, newest first. */
export function listVersions(database: ReadDatabase, id: string): BookVersion[] {
  const sql = `SELECT version, saved_at AS savedAt, name, entries FROM worldbook_version
    WHERE worldbook_id = ? ORDER BY version DESC`
  return database.prepare<[string], BookVersion>(sql).all(id)
}

/** How to get to an older version: from these entries, with these changes. */
export interface WayBack {
  head: HeadFields
  /** Undefined = from those the book has now. */
  base: string | undefined
  put: Map<string, string>
  remove: Set<string>
  order: string[] | undefined
}

/** Undefined when that version is not kept. */
export function wayBackTo(database: ReadDatabase, head: BookHead, version: number): WayBack | undefined {
  const sql = `SELECT version, undo, entry_set AS entrySet FROM worldbook_version
    WHERE worldbook_id = ? AND version >= ? ORDER BY version DESC`
  const read = database.prepare<[string, number], { version: number; undo: string; entrySet: string | null }>(sql)
  const rows = read.all(head.id, version)
  if (rows.at(-1)?.version !== version) return undefined
  const way: WayBack = { head, base: undefined, put: new Map(), remove: new Set(), order: undefined }
  for (const row of rows) {
    const undo = JSON.parse(row.undo) as Undo
    way.head = undo.head
    if (row.entrySet !== null)
      Object.assign(way, { base: row.entrySet, put: new Map(), remove: new Set(), order: undefined })
    for (const entryId of undo.added) {
      way.put.delete(entryId)
      way.remove.add(entryId)
    }
    for (const entry of undo.entries) {
      way.remove.delete(entry.id)
      way.put.set(entry.id, bodyOf(entry))
    }
    way.order = undo.order ?? way.order
  }
  return way
}
