import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import { type BookHead, bodiesById, bodiesOf, type HeadFields, idsInOrder, readHead } from './book-rows'
import type { BookDraft, BookVersion, Entry } from './contract'
import { bodyOf, type EntryText, textOf } from './packed-book'
import { writeHead } from './repository'

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
interface TextChange extends Omit<BookChange, 'put'> {
  put?: readonly EntryText[]
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
