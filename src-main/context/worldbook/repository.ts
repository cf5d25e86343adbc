import type { WriteDatabase } from '../../storage/database'
import { type BookHead, type HeadFields, ROWS_PER_LOOK } from './book-rows'
import type { Breathe } from './breathing'
import type { EntryText } from './packed-book'

/** A book that is still being written; nobody sees it. */
const UNFINISHED = 0
/** A row that only holds entries for a book. */
export const ENTRY_SET = -1
/** To be deleted; nobody sees it any more. */
export const GONE = -2

export function writeHead(database: WriteDatabase, head: BookHead): void {
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

/**
 * Stores a new book in many short transactions. It is seen by nobody until its last entry is in; when that does
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
    await giveUp(database, id, breathe)
    throw error
  }
}

/** Nobody sees the book any more; false when there was none. `deleteGone` deletes what it was. */
export function hideBook(database: WriteDatabase, id: string): boolean {
  return database.transaction(() => {
    database.prepare('UPDATE worldbook SET version = ? WHERE set_of = ?').run(GONE, id)
    return database.prepare('UPDATE worldbook SET version = ? WHERE id = ?').run(GONE, id).changes > 0
  })()
}

/** At start: what was being written when the process ended will never be whole. */
export function giveUpUnfinished(database: WriteDatabase): void {
  database.prepare('UPDATE worldbook SET version = ? WHERE version = ?').run(GONE, UNFINISHED)
}

/** Books whose first entries no version goes back to any more, and have others now. */
const OUTGROWN = `SELECT id FROM worldbook AS book WHERE entry_set IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM worldbook_version AS kept WHERE kept.worldbook_id = book.id AND kept.entry_set = book.id)
  AND EXISTS (SELECT 1 FROM worldbook_entry AS entry WHERE entry.worldbook_id = book.id)`

/** Deletes what nobody sees, in slices: a book has all its entries once more for every large change. */
export async function deleteGone(database: WriteDatabase, breathe: Breathe): Promise<void> {
  const some = `DELETE FROM worldbook_entry WHERE worldbook_id = @id AND entry_id IN
    (SELECT entry_id FROM worldbook_entry WHERE worldbook_id = @id LIMIT ${ROWS_PER_LOOK})`
  const gone = `SELECT id FROM worldbook WHERE version = ${GONE}`
  for (const { id } of database.prepare<[], { id: string }>(`${gone} UNION ${OUTGROWN}`).all()) {
    while (database.open && database.prepare(some).run({ id }).changes > 0) {
      const pause = breathe()
      if (pause) await pause
    }
    if (!database.open) return
    database.prepare('DELETE FROM worldbook WHERE id = ? AND version = ?').run(id, GONE)
  }
}

/** Leaves nothing of what could not be written to its end. The database may be what ended. */
export async function giveUp(database: WriteDatabase, id: string, breathe: Breathe): Promise<void> {
  if (!database.open) return
  hideBook(database, id)
  await deleteGone(database, breathe)
}

/** A row for entries that are still being written. */
export function openEntrySet(database: WriteDatabase, setId: string, head: BookHead): void {
  writeHead(database, { ...head, id: setId, version: UNFINISHED })
  database.prepare('UPDATE worldbook SET set_of = ? WHERE id = ?').run(head.id, setId)
}
