import type { WriteDatabase } from '../../storage/database'
import { type BookHead, type HeadFields, ROWS_PER_LOOK } from './book-rows'
import type { Breathe } from './breathing'
import type { Book, BookDraft } from './contract'
import { bodyOf, type EntryText } from './packed-book'

/** A book that is still being written; nobody sees it. */
const UNFINISHED = 0

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

/** How many books went: 0 or 1. */
export function deleteBook(database: WriteDatabase, id: string): number {
  return database.prepare('DELETE FROM worldbook WHERE id = ?').run(id).changes
}
