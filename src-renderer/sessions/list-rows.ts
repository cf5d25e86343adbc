import type { Folder, Session } from '../../src-main/sessions/contract'
import { daysBetween } from '../i18n/format'

export type ListRow =
  | { kind: 'heading'; id: string; group: 'pinned' | 'today' | 'yesterday' | 'earlier' | 'archived' | 'bin' }
  | { kind: 'folder'; id: string; folder: Folder; depth: number; count: number; open: boolean }
  | { kind: 'session'; id: string; session: Session; depth: number }

interface RowInput {
  sessions: readonly Session[]
  folders: readonly Folder[]
  closedFolders: ReadonlySet<string>
  view: 'active' | 'archived' | 'bin'
  tagId: string | null
  now: Date
}

const sessionRow = (session: Session, depth = 0): ListRow => ({ kind: 'session', id: session.id, session, depth })

/** The list as it stands on screen: pinned, folders with their chats, then the rest by day. */
export function listRows({ sessions, folders, closedFolders, view, tagId, now }: RowInput): ListRow[] {
  const wanted = tagId ? sessions.filter((session) => session.tagIds.includes(tagId)) : sessions
  if (view !== 'active') {
    if (wanted.length === 0) return []
    return [{ kind: 'heading', id: view, group: view }, ...wanted.map((session) => sessionRow(session))]
  }
  const pinned = wanted.filter((session) => session.pinned)
  const known = new Set(folders.map((folder) => folder.id))
  const inFolder = Map.groupBy(
    wanted.filter((session) => !session.pinned && session.folderId && known.has(session.folderId)),
    (session) => session.folderId,
  )
  const loose = wanted.filter((session) => !session.pinned && !(session.folderId && known.has(session.folderId)))
  const rows: ListRow[] = []
  if (pinned.length) {
    rows.push({ kind: 'heading', id: 'pinned', group: 'pinned' }, ...pinned.map((session) => sessionRow(session)))
  }
  addFolders(rows, { folders, inFolder, closedFolders, hideEmpty: tagId !== null }, null, 0)
  let group = ''
  for (const session of loose) {
    const days = daysBetween(session.updatedAt, now)
    const next = days <= 0 ? 'today' : days === 1 ? 'yesterday' : 'earlier'
    if (next !== group) rows.push({ kind: 'heading', id: next, group: next })
    group = next
    rows.push(sessionRow(session))
  }
  return rows
}

interface FolderInput {
  folders: readonly Folder[]
  inFolder: ReadonlyMap<string | null, readonly Session[]>
  closedFolders: ReadonlySet<string>
  hideEmpty: boolean
}

function countIn({ folders, inFolder }: FolderInput, id: string): number {
  const below = folders.filter((folder) => folder.parentId === id)
  const own = inFolder.get(id)?.length ?? 0
  return below.reduce((sum, folder) => sum + countIn({ folders, inFolder } as FolderInput, folder.id), own)
}

function addFolders(rows: ListRow[], input: FolderInput, parentId: string | null, depth: number): void {
  if (depth > 8) return
  const here = input.folders
    .filter((folder) => folder.parentId === parentId)
    .sort((a, b) => a.order - b.order || a.name.localeCompare(b.name))
  for (const folder of here) {
    const count = countIn(input, folder.id)
    if (input.hideEmpty && count === 0) continue
    const open = !input.closedFolders.has(folder.id)
    rows.push({ kind: 'folder', id: `folder:${folder.id}`, folder, depth, count, open })
    if (!open) continue
    addFolders(rows, input, folder.id, depth + 1)
    for (const session of input.inFolder.get(folder.id) ?? []) rows.push(sessionRow(session, depth + 1))
  }
}
