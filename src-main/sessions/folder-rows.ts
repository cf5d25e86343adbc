import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { Folder } from './contract'

interface FolderRow {
  id: string
  name: string
  parent_id: string | null
  position: number
}

const toFolder = (row: FolderRow): Folder => ({
  id: row.id,
  name: row.name,
  parentId: row.parent_id,
  order: row.position,
})

export function listFolders(database: ReadDatabase): Folder[] {
  return database.prepare<[], FolderRow>('SELECT * FROM folder ORDER BY position, name, id').all().map(toFolder)
}

export function getFolder(database: ReadDatabase, id: string): Folder | undefined {
  const row = database.prepare<[string], FolderRow>('SELECT * FROM folder WHERE id = ?').get(id)
  return row && toFolder(row)
}

const gone = () => new AppError('not_found', 'This folder does not exist any more. Reload the list.')

/** A folder may not end up inside itself. */
function checkParent(database: ReadDatabase, id: string, parentId: string): void {
  for (let at: string | null = parentId; at !== null; ) {
    if (at === id) throw new AppError('bad_input', 'A folder cannot be moved into itself or a folder inside it.')
    const parent = getFolder(database, at)
    if (!parent) throw gone()
    at = parent.parentId
  }
}

function nextOrder(database: ReadDatabase): number {
  const row = database.prepare<[], { last: number | null }>('SELECT max(position) AS last FROM folder').get()
  return (row?.last ?? -1) + 1
}

export interface FolderDraft {
  id?: string | undefined
  name: string
  parentId?: string | null | undefined
  order?: number | undefined
}

/** With the id of a folder that exists: changes it. @throws not_found, bad_input for a cycle */
export function saveFolder(database: WriteDatabase, draft: FolderDraft & { id: string }, isNew: boolean): Folder {
  const before = getFolder(database, draft.id)
  if (!before && !isNew) throw gone()
  const folder: Folder = {
    id: draft.id,
    name: draft.name,
    parentId: draft.parentId === undefined ? (before?.parentId ?? null) : draft.parentId,
    order: draft.order ?? before?.order ?? nextOrder(database),
  }
  if (folder.parentId !== null) checkParent(database, folder.id, folder.parentId)
  database
    .prepare(
      `INSERT INTO folder (id, name, parent_id, position) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, parent_id = excluded.parent_id, position = excluded.position`,
    )
    .run(folder.id, folder.name, folder.parentId, folder.order)
  return folder
}

/** Its sessions and folders move up one level. Returns the sessions that moved. @throws not_found */
export function removeFolder(database: WriteDatabase, id: string): string[] {
  const folder = getFolder(database, id)
  if (!folder) throw gone()
  return database.transaction(() => {
    const moved = database
      .prepare<[string | null, string], { id: string }>(
        'UPDATE session SET folder_id = ? WHERE folder_id = ? RETURNING id',
      )
      .all(folder.parentId, id)
    database.prepare('UPDATE folder SET parent_id = ? WHERE parent_id = ?').run(folder.parentId, id)
    database.prepare('DELETE FROM folder WHERE id = ?').run(id)
    return moved.map((row) => row.id)
  })()
}
