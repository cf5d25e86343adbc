import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { Snippet } from './composer-contract'

export function listSnippets(database: ReadDatabase): Snippet[] {
  return database.prepare<[], Snippet>('SELECT id, name, text FROM snippet ORDER BY name, id').all()
}

/** @throws not_found for an unknown id */
export function saveSnippet(database: WriteDatabase, snippet: Snippet, isNew: boolean): Snippet {
  const known = database.prepare('SELECT 1 FROM snippet WHERE id = ?').get(snippet.id)
  if (!known && !isNew) throw new AppError('not_found', 'This snippet does not exist any more. Reload the list.')
  database
    .prepare(
      `INSERT INTO snippet (id, name, text) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, text = excluded.text`,
    )
    .run(snippet.id, snippet.name, snippet.text)
  return snippet
}

/** @throws not_found */
export function removeSnippet(database: WriteDatabase, id: string): void {
  if (database.prepare('DELETE FROM snippet WHERE id = ?').run(id).changes === 0) {
    throw new AppError('not_found', 'This snippet does not exist any more. Reload the list.')
  }
}
