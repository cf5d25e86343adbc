import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { storedJson } from '../storage/stored-json'
import type { Attachment, Snippet } from './contract'

export interface Draft {
  text: string
  attachments: Attachment[]
  queue: string[]
}

/** The screen for a new chat has a draft too; no session has this id. */
const NEW_CHAT = ''

export function getDraft(
  database: ReadDatabase,
  sessionId: string | null,
  readFiles: (ids: readonly string[]) => Attachment[],
): Draft {
  const row = database
    .prepare<[string], { text: string; attachment_ids: string; queue: string }>(
      'SELECT text, attachment_ids, queue FROM draft WHERE session_id = ?',
    )
    .get(sessionId ?? NEW_CHAT)
  if (!row) return { text: '', attachments: [], queue: [] }
  return {
    text: row.text,
    attachments: readFiles(storedJson<string[]>(row.attachment_ids, [])),
    queue: storedJson<string[]>(row.queue, []),
  }
}

/** What is left out stays as it was; an empty draft leaves no row. */
export function saveDraft(
  database: WriteDatabase,
  sessionId: string | null,
  draft: { text: string; attachments?: readonly string[] | undefined; queue?: readonly string[] | undefined },
): void {
  const before = database
    .prepare<[string], { attachment_ids: string; queue: string }>(
      'SELECT attachment_ids, queue FROM draft WHERE session_id = ?',
    )
    .get(sessionId ?? NEW_CHAT)
  const attachments = draft.attachments ?? storedJson<string[]>(before?.attachment_ids ?? '[]', [])
  const queue = draft.queue ?? storedJson<string[]>(before?.queue ?? '[]', [])
  if (draft.text === '' && attachments.length === 0 && queue.length === 0) {
    database.prepare('DELETE FROM draft WHERE session_id = ?').run(sessionId ?? NEW_CHAT)
    return
  }
  database
    .prepare('INSERT OR REPLACE INTO draft (session_id, text, attachment_ids, queue) VALUES (?, ?, ?, ?)')
    .run(sessionId ?? NEW_CHAT, draft.text, JSON.stringify(attachments), JSON.stringify(queue))
}

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
