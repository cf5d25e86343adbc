import type { WriteDatabase } from '../../../storage/database'
import type { Book, BookDraft } from '../book-contract'
import { bodyOf } from '../packed-book'
import { writeHead } from '../repository'

/** A book in one go. */
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
