import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { Folder, Session } from '../../src-main/sessions/contract'
import { useNavigation } from '../app/navigation'
import { cx } from '../ui/class-names'
import { Confirm } from '../ui/dialog'
import { dropTarget } from './folder-drag'
import { FolderRow } from './folder-row'
import { type ListRow, listRows } from './list-rows'
import { NameDialog } from './name-dialog'
import { SearchHits } from './search-hits'
import { SelectionBar } from './selection-bar'
import { purgeSessions, saveFolder, tagSessions } from './session-actions'
import { SessionListTop } from './session-list-top'
import { sessionMenu } from './session-menu'
import { SessionRow } from './session-row'
import { useSessions } from './session-store'
import { useRoving } from './use-roving'

type Ask = { kind: 'folder'; parentId?: string; rename?: Folder } | { kind: 'tag'; ids: string[] }

/** The list of chats: search on top, tags, pinned, folders, then by day. */
export function SessionList() {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const { sessions, folders, tags, closedFolders, view, tagId, hits, loaded } = useSessions()
  const [ask, setAsk] = useState<Ask | null>(null)
  const [purging, setPurging] = useState<string[]>([])
  const scroller = useRef<HTMLDivElement>(null)
  const anchor = useRef<string | null>(null)
  const rows = useMemo(
    () => listRows({ sessions, folders, closedFolders, view, tagId, now: new Date() }),
    [sessions, folders, closedFolders, view, tagId],
  )
  const rowsNow = useRef(rows)
  const handle = useRef<VirtualizerHandle>(null)
  const home = useNavigation((state) => state.sessionId)
  const indexOf = useCallback((id: string) => rowsNow.current.findIndex((row) => row.id === id), [])
  const focusable = useMemo(() => rows.flatMap((row) => (row.kind === 'heading' ? [] : [row.id])), [rows])
  const roving = useRoving({ list: scroller, ids: focusable, home, virtual: { handle, indexOf } })
  const stopAt = roving.stop === null ? -1 : rows.findIndex((row) => row.id === roving.stop)
  rowsNow.current = rows
  const select = useCallback((id: string, mode: 'one' | 'range') => {
    const ids = rowsNow.current.flatMap((row) => (row.kind === 'session' ? [row.session.id] : []))
    const selected = new Set(useSessions.getState().selected)
    const from = anchor.current ? ids.indexOf(anchor.current) : -1
    if (mode === 'range' && from >= 0) {
      const to = ids.indexOf(id)
      for (const each of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) selected.add(each)
    } else if (!selected.delete(id)) selected.add(id)
    anchor.current = id
    useSessions.setState({ selected })
  }, [])
  const doors = useMemo(() => ({ onNewTag: (ids: string[]) => setAsk({ kind: 'tag', ids }), onPurge: setPurging }), [])
  const menu = useCallback((session: Session) => sessionMenu(session, doors), [doors])
  return (
    <>
      <SessionListTop onNewFolder={() => setAsk({ kind: 'folder' })} tags={tags} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside */}
      <div className="side-list" ref={scroller} onKeyDown={roving.onKeyDown} onFocus={roving.onFocus}>
        {hits ? (
          <SearchHits hits={hits} />
        ) : rows.length > 0 ? (
          <Virtualizer
            ref={handle}
            scrollRef={scroller}
            data={rows}
            {...(stopAt >= 0 ? { keepMounted: [stopAt] } : {})}
          >
            {(row) => (
              <Row
                key={row.id}
                row={row}
                tabStop={row.id === roving.stop}
                onSelect={select}
                menu={menu}
                onAsk={setAsk}
              />
            )}
          </Virtualizer>
        ) : (
          loaded && <p className="list-note">{view === 'active' ? t('empty') : t(`emptyView.${view}`)}</p>
        )}
      </div>
      <SelectionBar doors={doors} />
      <NameDialog
        open={ask?.kind === 'folder'}
        title={ask?.kind === 'folder' && ask.rename ? t('common:rename') : t('newFolder')}
        label={t('folderName')}
        action={t('common:save')}
        initial={ask?.kind === 'folder' ? (ask.rename?.name ?? '') : ''}
        onClose={() => setAsk(null)}
        onName={(name) => {
          if (ask?.kind !== 'folder') return
          void saveFolder({
            name,
            ...(ask.rename ? { id: ask.rename.id } : {}),
            ...(ask.parentId ? { parentId: ask.parentId } : {}),
          })
        }}
      />
      <NameDialog
        open={ask?.kind === 'tag'}
        title={t('newTag')}
        label={t('tagName')}
        action={t('addTag')}
        onClose={() => setAsk(null)}
        onName={(name) => ask?.kind === 'tag' && void tagSessions(ask.ids, name.replace(/^#/, ''))}
      />
      <Confirm
        open={purging.length > 0}
        onOpen={(open) => !open && setPurging([])}
        title={t('purgeTitle', { count: purging.length })}
        text={t('purgeText')}
        action={t('purge')}
        danger
        onConfirm={() => void purgeSessions(purging)}
      />
    </>
  )
}

interface RowProps {
  row: ListRow
  tabStop: boolean
  onSelect(id: string, mode: 'one' | 'range'): void
  menu(session: Session): ReturnType<typeof sessionMenu>
  onAsk(ask: Ask): void
}

function Row({ row, tabStop, onSelect, menu, onAsk }: RowProps) {
  if (row.kind === 'heading') return <Heading group={row.group} />
  if (row.kind === 'session') {
    return <SessionRow session={row.session} depth={row.depth} tabStop={tabStop} onSelect={onSelect} menu={menu} />
  }
  return (
    <FolderRow
      folder={row.folder}
      depth={row.depth}
      count={row.count}
      open={row.open}
      tabStop={tabStop}
      onAsk={(ask) => onAsk({ kind: 'folder', ...ask })}
    />
  )
}

function Heading({ group }: { group: Extract<ListRow, { kind: 'heading' }>['group'] }) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const [over, setOver] = useState(false)
  const droppable = group !== 'pinned' && group !== 'bin' && group !== 'archived'
  return (
    <div className={cx('grp sect', over && 'drop')} {...(droppable ? dropTarget(null, setOver) : {})}>
      {t(`group.${group}`)}
    </div>
  )
}
