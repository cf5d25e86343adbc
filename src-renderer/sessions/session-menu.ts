import type { Session } from '../../src-main/sessions/contract'
import { i18n } from '../i18n/i18n'
import type { MenuEntry } from '../ui/menu'
import {
  exportSessions,
  forkSession,
  patchSession,
  patchSessions,
  removeSessions,
  restoreSessions,
} from './session-actions'
import { useSessions } from './session-store'

const t = i18n.getFixedT(null, 'sessions')

function folderEntries(ids: readonly string[], current: string | null): MenuEntry[] {
  const { folders } = useSessions.getState()
  const move = (folderId: string | null) => () => void patchSessions(ids, { folderId })
  return [
    { id: 'none', label: t('noFolder'), checked: current === null, onSelect: move(null) },
    ...folders.map((folder) => ({
      id: folder.id,
      label: folder.name,
      checked: current === folder.id,
      onSelect: move(folder.id),
    })),
  ]
}

function tagEntries(session: Session, onNewTag: (ids: string[]) => void): MenuEntry[] {
  const { tags } = useSessions.getState()
  return [
    ...tags.map((tag): MenuEntry => {
      const on = session.tagIds.includes(tag.id)
      return {
        id: tag.id,
        label: tag.name,
        swatch: tag.colour,
        checked: on,
        onSelect: () => void patchSession(session.id, {}, { tagIds: { [on ? 'remove' : 'add']: [tag.id] } }),
      }
    }),
    ...(tags.length ? [{ kind: 'separator' as const, id: 'sep' }] : []),
    { id: 'new', label: t('newTag'), icon: 'plus', onSelect: () => onNewTag([session.id]) },
  ]
}

export interface SessionMenuDoors {
  /** Opens the small dialog that asks for a tag's name. */
  onNewTag(ids: string[]): void
  /** Asks before deleting for good. */
  onPurge(ids: string[]): void
}

/** What can be done with one chat; the same list behind `…`, the context menu and the header. */
export function sessionMenu(session: Session, doors: SessionMenuDoors): MenuEntry[] {
  if (session.removedAt) {
    return [
      { id: 'restore', label: t('restore'), icon: 'undo', onSelect: () => void restoreSessions([session.id]) },
      { id: 'purge', label: t('purge'), icon: 'trash', danger: true, onSelect: () => doors.onPurge([session.id]) },
    ]
  }
  return [
    {
      id: 'rename',
      label: i18n.t('rename'),
      icon: 'edit',
      shortcut: 'F2',
      // after the menu has given the focus back, or the field would lose it at once
      onSelect: () => setTimeout(() => useSessions.setState({ renaming: session.id }), 60),
    },
    {
      id: 'pin',
      label: session.pinned ? t('unpin') : t('pin'),
      icon: 'pin',
      onSelect: () => void patchSession(session.id, { pinned: !session.pinned }),
    },
    {
      kind: 'submenu',
      id: 'folder',
      label: t('moveTo'),
      icon: 'folder',
      entries: folderEntries([session.id], session.folderId),
    },
    { kind: 'submenu', id: 'tags', label: t('tags'), icon: 'tag', entries: tagEntries(session, doors.onNewTag) },
    { kind: 'separator', id: 's1' },
    { id: 'fork', label: t('fork'), icon: 'fork', onSelect: () => void forkSession(session.id) },
    {
      id: 'markdown',
      label: t('exportMarkdown'),
      icon: 'download',
      onSelect: () => void exportSessions([session.id], 'markdown'),
    },
    { id: 'json', label: t('exportJson'), icon: 'download', onSelect: () => void exportSessions([session.id], 'json') },
    { kind: 'separator', id: 's2' },
    {
      id: 'archive',
      label: session.archived ? t('unarchive') : t('archive'),
      icon: 'archive',
      onSelect: () => void patchSession(session.id, { archived: !session.archived }),
    },
    {
      id: 'remove',
      label: t('toBin'),
      icon: 'trash',
      danger: true,
      shortcut: 'Del',
      onSelect: () => void removeSessions([session.id]),
    },
  ]
}

/** The same for several at once. */
export function bulkMenu(ids: readonly string[], view: string, doors: SessionMenuDoors): MenuEntry[] {
  if (view === 'bin') {
    return [
      { id: 'restore', label: t('restore'), icon: 'undo', onSelect: () => void restoreSessions(ids) },
      { id: 'purge', label: t('purge'), icon: 'trash', danger: true, onSelect: () => doors.onPurge([...ids]) },
    ]
  }
  return [
    { id: 'pin', label: t('pin'), icon: 'pin', onSelect: () => void patchSessions(ids, { pinned: true }) },
    { kind: 'submenu', id: 'folder', label: t('moveTo'), icon: 'folder', entries: folderEntries(ids, '') },
    { id: 'tag', label: t('newTag'), icon: 'tag', onSelect: () => doors.onNewTag([...ids]) },
    { id: 'md', label: t('exportMarkdown'), icon: 'download', onSelect: () => void exportSessions(ids, 'markdown') },
    { id: 'json', label: t('exportJson'), icon: 'download', onSelect: () => void exportSessions(ids, 'json') },
    {
      id: 'archive',
      label: view === 'archived' ? t('unarchive') : t('archive'),
      icon: 'archive',
      onSelect: () => void patchSessions(ids, { archived: view !== 'archived' }),
    },
    { id: 'remove', label: t('toBin'), icon: 'trash', danger: true, onSelect: () => void removeSessions(ids) },
  ]
}
