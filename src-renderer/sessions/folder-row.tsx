import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Folder } from '../../src-main/sessions/contract'
import { cx } from '../ui/class-names'
import { Icon } from '../ui/icon'
import { ContextMenu, type MenuEntry } from '../ui/menu'
import { DRAG_FOLDER, dropTarget } from './folder-drag'
import { moveFolder, removeFolder } from './session-actions'
import { toggleFolder } from './session-store'

interface FolderRowProps {
  folder: Folder
  depth: number
  count: number
  open: boolean
  /** The one row of the list that Tab reaches. */
  tabStop: boolean
  onAsk(ask: { parentId?: string; rename?: Folder }): void
}

export function FolderRow({ folder, depth, count, open, tabStop, onAsk }: FolderRowProps) {
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
            onSelect: () => void moveFolder(folder.id, null),
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
        tabIndex={tabStop ? 0 : -1}
        data-row={`folder:${folder.id}`}
        draggable
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAG_FOLDER, folder.id)
          event.dataTransfer.effectAllowed = 'move'
        }}
        onClick={() => toggleFolder(folder.id)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight' ? !open : event.key === 'ArrowLeft' && open) toggleFolder(folder.id)
          else return
          event.preventDefault()
        }}
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
