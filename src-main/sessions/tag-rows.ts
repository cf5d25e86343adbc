import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { Tag } from './contract'

/** Given out in turn to tags made without a colour. */
const COLOURS = ['#2f7d8c', '#a15c2f', '#5b6ba8', '#7a8b2f', '#9a4f86', '#4f8a63', '#b08422', '#7d5a4b'] as const

export function listTags(database: ReadDatabase): Tag[] {
  return database.prepare<[], Tag>('SELECT id, name, colour FROM tag ORDER BY name, id').all()
}

/** @throws conflict when another tag has the name, not_found for an unknown id */
export function saveTag(
  database: WriteDatabase,
  draft: { id: string; name: string; colour?: string | undefined },
  isNew: boolean,
): Tag {
  const tags = listTags(database)
  const before = tags.find((tag) => tag.id === draft.id)
  if (!before && !isNew) throw new AppError('not_found', 'This tag does not exist any more. Reload the list.')
  if (tags.some((tag) => tag.id !== draft.id && tag.name.toLowerCase() === draft.name.toLowerCase())) {
    throw new AppError('conflict', said`There is a tag named "${draft.name}" already. Use it, or choose another name.`)
  }
  const colour = draft.colour ?? before?.colour ?? COLOURS[tags.length % COLOURS.length] ?? COLOURS[0]
  database
    .prepare(
      `INSERT INTO tag (id, name, colour) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, colour = excluded.colour`,
    )
    .run(draft.id, draft.name, colour)
  return { id: draft.id, name: draft.name, colour }
}

/** Returns the sessions that carried it. @throws not_found */
export function removeTag(database: WriteDatabase, id: string): string[] {
  const sessions = database
    .prepare<[string], { session_id: string }>('SELECT session_id FROM session_tag WHERE tag_id = ?')
    .all(id)
  if (database.prepare('DELETE FROM tag WHERE id = ?').run(id).changes === 0) {
    throw new AppError('not_found', 'This tag does not exist any more. Reload the list.')
  }
  return sessions.map((row) => row.session_id)
}
