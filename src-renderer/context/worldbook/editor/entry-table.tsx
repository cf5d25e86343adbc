// biome-ignore-all lint/a11y/useSemanticElements: rows by the thousand are drawn only where they are seen, which a table cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, its cells have none
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { Book } from '../../../../src-main/context/worldbook/book-contract'
import type { Entry } from '../../../../src-main/context/worldbook/entry-contract'
import { Button } from '../../../ui/button'
import { EmptyState } from '../../../ui/empty-state'
import { focusForm, moveBefore, moveBy, newEntry, removeWithUndo } from './entry-actions'
import { EntryRow, ROW_PX } from './entry-row'
import { editEntries, stepVersion, useOpenBook } from './open-book'
import { pickAll, pickMore, pickOnly, pickRange, type SortBy, useTableView } from './table-view'
import { useFlagged, useShownEntries } from './use-shown-entries'

const HEAD: readonly { id: Exclude<SortBy, 'book'> | 'grip' | 'on'; figures?: boolean }[] = [
  { id: 'grip' },
  { id: 'on' },
  { id: 'name' },
  { id: 'keys' },
  { id: 'place' },
  { id: 'order', figures: true },
  { id: 'tokens', figures: true },
]

/** The entries of a book, drawn only where they are on screen; one tab stop, arrow keys move in it. */
export function EntryTable({ book }: { book: Book }) {
  const { t } = useTranslation('worldbook')
  const shown = useShownEntries(book)
  const { query, onlyFlagged, currentId } = useTableView()
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const at = shown.findIndex((entry) => entry.id === currentId)
  useKeepInView(list, scroller, { at, id: currentId })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows begin at the top
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [query, onlyFlagged, book.id])
  if (book.entries.length === 0) {
    return (
      <div className="tscroll">
        <EmptyState
          icon="book"
          title={t('entries.empty')}
          action={
            <Button icon="plus" onClick={() => void newEntry()}>
              {t('entries.newLong')}
            </Button>
          }
        >
          {t('entries.emptyHelp')}
        </EmptyState>
      </div>
    )
  }
  return (
    <div
      className="wb-rows tscroll"
      role="grid"
      aria-label={t('entries.label')}
      aria-rowcount={shown.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={at >= 0 ? rowId(currentId) : undefined}
      tabIndex={0}
      ref={scroller}
      onKeyDown={(event) => onKey(event, shown, at)}
    >
      <TableHead />
      <Rows shown={shown} list={list} scroller={scroller} />
      {shown.length === 0 && (
        <p className="small dim list-note">
          {onlyFlagged && !query ? t('entries.nothingFlagged') : t('entries.nothing', { query })}
        </p>
      )}
    </div>
  )
}

const rowId = (id: string | null) => `entry-${id}`

/** Brings the current row into view when another becomes current. */
function useKeepInView(
  list: React.RefObject<VirtualizerHandle | null>,
  scroller: React.RefObject<HTMLDivElement | null>,
  { at, id }: { at: number; id: string | null },
): void {
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (id === before.current || at < 0) return
    const first = before.current === null
    before.current = id
    const area = scroller.current
    if (!area) return
    const top = at * ROW_PX
    const room = area.clientHeight - ROW_PX
    if (first || top < area.scrollTop || top + ROW_PX > area.scrollTop + room) {
      list.current?.scrollToIndex(at, { align: first ? 'center' : 'nearest' })
    }
  }, [list, scroller, at, id])
}

function onKey(event: KeyboardEvent<HTMLDivElement>, shown: readonly Entry[], at: number): void {
  if (event.target !== event.currentTarget) return
  const { selected } = useTableView.getState()
  const ids = [...selected]
  const to = (index: number) => {
    const entry = shown[Math.min(Math.max(index, 0), shown.length - 1)]
    if (!entry) return
    if (event.shiftKey) pickRange(entry.id, shown)
    else pickOnly(entry.id)
  }
  const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_PX) - 2)
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (event.altKey) void moveBy(step)
      else to(at < 0 ? (step > 0 ? 0 : shown.length - 1) : at + step)
      break
    }
    case 'PageDown':
      to(at + page)
      break
    case 'PageUp':
      to(at - page)
      break
    case 'Home':
      to(0)
      break
    case 'End':
      to(shown.length - 1)
      break
    case ' ': {
      const on = shown.some((entry) => selected.has(entry.id) && !entry.enabled)
      editEntries(ids, { enabled: on })
      break
    }
    case 'Enter':
      focusForm()
      break
    case 'Delete':
      void removeWithUndo(ids, shown)
      break
    case 'a':
      if (!event.ctrlKey && !event.metaKey) return
      pickAll(shown)
      break
    case 'z':
    case 'Z':
    case 'y':
      if (!event.ctrlKey && !event.metaKey) return
      void stepVersion(event.key === 'z' ? -1 : 1)
      break
    default:
      return
  }
  event.preventDefault()
  event.stopPropagation()
}

function TableHead() {
  const { t } = useTranslation('worldbook')
  const sort = useTableView((state) => state.sort)
  return (
    <div className="wb-row wb-head" role="row" aria-rowindex={1}>
      {HEAD.map(({ id, figures }) => {
        if (id === 'grip' || id === 'on') {
          return (
            <span key={id} role="columnheader">
              {id === 'on' ? t('entries.column.on') : <span className="vh">{t('entries.column.grip')}</span>}
            </span>
          )
        }
        return (
          <span
            key={id}
            role="columnheader"
            className={figures ? 'r' : undefined}
            aria-sort={sort === id ? (figures ? 'descending' : 'ascending') : undefined}
          >
            <button
              type="button"
              className="col-sort"
              onClick={() => useTableView.setState({ sort: sort === id ? 'book' : id })}
            >
              {t(`entries.column.${id}`)}
            </button>
          </span>
        )
      })}
    </div>
  )
}

interface RowsProps {
  shown: readonly Entry[]
  list: React.RefObject<VirtualizerHandle | null>
  scroller: React.RefObject<HTMLDivElement | null>
}

function Rows({ shown, list, scroller }: RowsProps) {
  const { t } = useTranslation('worldbook')
  const { currentId, selected, sort, query, onlyFlagged } = useTableView()
  const tokens = useOpenBook((state) => state.tokens)
  const flagged = useFlagged()
  const canDrag = sort === 'book' && query === '' && !onlyFlagged
  const drag = useRowDrag()
  return (
    <Virtualizer ref={list} scrollRef={scroller} data={shown} itemSize={ROW_PX} startMargin={26} bufferSize={400}>
      {(entry, index) => (
        <EntryRow
          key={entry.id}
          t={t}
          id={rowId(entry.id)}
          entry={entry}
          index={index}
          tokens={tokens[entry.id]}
          flagged={flagged.has(entry.id)}
          current={entry.id === currentId}
          selected={selected.has(entry.id)}
          drag={canDrag ? drag : null}
          dropBefore={drag.over === entry.id}
          onPick={(event) => {
            if (event.shiftKey) pickRange(entry.id, shown)
            else if (event.ctrlKey || event.metaKey) pickMore(entry.id)
            else pickOnly(entry.id)
          }}
        />
      )}
    </Virtualizer>
  )
}

export interface RowDrag {
  /** The row that what is dragged would come before. */
  over: string | null
  start(id: string): void
  enter(id: string | null): void
  end(drop: boolean): void
}

function useRowDrag(): RowDrag {
  const [over, setOver] = useState<string | null>(null)
  const moving = useRef<ReadonlySet<string>>(new Set())
  return {
    over,
    start(id) {
      const { selected } = useTableView.getState()
      if (!selected.has(id)) pickOnly(id)
      moving.current = new Set(useTableView.getState().selected)
    },
    enter: (id) => moving.current.size > 0 && setOver(id),
    end(drop) {
      if (drop && over !== null && moving.current.size > 0) void moveBefore(moving.current, over)
      moving.current = new Set()
      setOver(null)
    },
  }
}
