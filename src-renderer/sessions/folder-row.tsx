import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Folder } from '../../src-main/sessions/contract'
import { cx } from '../ui/class-names'
import { Icon } from '../ui/icon'
import { ContextMenu, type MenuEntry } from '../ui/menu'
import { patchSessions, removeFolder, saveFolder } from './session-actions'
import { DRAG_TYPE } from './session-row'
import { toggleFolder } from './session-store'

/** What makes a row take dropped chats; null = out of every folder. */
export function dropTarget(folderId: string | null, setOver: (over: boolean) => void) {
  const carriesChats = (event: DragEvent) => event.dataTransfer.types.includes(DRAG_TYPE)
  return {
    onDragOver(event: DragEvent) {
      if (!carriesChats(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      if (!carriesChats(event)) return
      event.preventDefault()
      setOver(false)
      const ids: unknown = JSON.parse(event.dataTransfer.getData(DRAG_TYPE))
      if (Array.isArray(ids)) void patchSessions(ids.map(String), { folderId, pinned: false })
    },
  }
}

interface FolderRowProps {
  folder: Folder
  depth: number
  count: number
  open: boolean
  onAsk(ask: { parentId?: string; rename?: Folder }): void
}

export function FolderRow({ folder, depth, count, open, onAsk }: FolderRowProps) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const [over, setOver] = useState(false)
  const entries: MenuEntry[] = [
    { id: 'rename', label: t('common:rename'), icon: 'edit', onSelect: () => onAsk({ rename: folder }) },
    { id: 'sub', label: t('newSubfolder'), icon: 'folder', onSelect: () => onAsk({ parentId: folder.id }) },
    ...(folder.parentId
      ? [
          {
            id: 'out',
            label: t('moveUp'),
            icon: 'up' as const,
            onSelect: () => void saveFolder({ id: folder.id, name: folder.name, parentId: null }),
          },
        ]
      : []),
    { kind: 'separator', id: 's' },
    {
      id: 'remove',
      label: t('removeFolder'),
      icon: 'trash',
      danger: true,
      onSelect: () => void removeFolder(folder.id),
    },
  ]
  return (
    <ContextMenu label={folder.name} entries={entries}>
      <button
        type="button"
        className={cx('grp', over && 'drop')}
        style={depth ? { paddingLeft: 4 + depth * 12 } : undefined}
        aria-expanded={open}
        onClick={() => toggleFolder(folder.id)}
        {...dropTarget(folder.id, setOver)}
      >
        <Icon name={open ? 'down' : 'right'} size={14} />
        <Icon name="folder" size={14} />
        <span className="cut folder-name">{folder.name}</span>
        <span className="grow" />
        <span className="tiny dim num">{count}</span>
      </button>
    </ContextMenu>
  )
}
