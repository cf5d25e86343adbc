// biome-ignore-all lint/a11y/useSemanticElements: rows by the thousand are drawn only where they are seen, which a table cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid around the rows has the focus
import type { TFunction } from 'i18next'
import { type MouseEvent, memo } from 'react'
import type { Entry } from '../../../../src-main/context/worldbook/entry-contract'
import { formatTokens, langOf } from '../../../i18n/format'
import { cx } from '../../../ui/class-names'
import { Icon } from '../../../ui/icon'
import { placeWords } from '../place-words'
import type { RowDrag } from './entry-table'
import { editEntry } from './open-book'
import { titleOf } from './table-view'

/** Height of a row, with its line. */
export const ROW_PX = 30
/** Marks a drag of rows, to be told apart from files. */
export const ROW_TYPE = 'application/x-strata-entry'

interface EntryRowProps {
  /** Handed down: a subscription a row would cost more than the row. */
  t: TFunction<'worldbook'>
  id: string
  entry: Entry
  index: number
  tokens: number | undefined
  flagged: boolean
  current: boolean
  selected: boolean
  /** null = rows cannot be moved in this sort. */
  drag: RowDrag | null
  dropBefore: boolean
  onPick(event: MouseEvent): void
}

/** One entry's line. Drawn again only when something on it changed. */
export const EntryRow = memo(Row, (before, after) => {
  const keys = ['t', 'entry', 'index', 'tokens', 'flagged', 'current', 'selected', 'dropBefore'] as const
  return (
    keys.every((key) => before[key] === after[key]) && Boolean(before.drag) === Boolean(after.drag) && !after.dropBefore
  )
})

function Row({ t, id, entry, index, tokens, flagged, current, selected, drag, dropBefore, onPick }: EntryRowProps) {
  const title = titleOf(entry)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it has the keys
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={cx('wb-row', !entry.enabled && 'dis', current && 'cur', dropBefore && 'drop-before')}
      onClick={onPick}
      onDragOver={(event) => {
        if (!drag || !event.dataTransfer.types.includes(ROW_TYPE)) return
        event.preventDefault()
        drag.enter(entry.id)
      }}
      onDrop={(event) => {
        if (!drag || !event.dataTransfer.types.includes(ROW_TYPE)) return
        event.preventDefault()
        event.stopPropagation()
        drag.end(true)
      }}
    >
      <span role="gridcell">
        {drag && (
          // biome-ignore lint/a11y/noStaticElementInteractions: Alt with the arrow keys does the same
          <span
            className="grip"
            title={t('entries.drag')}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.setData(ROW_TYPE, entry.id)
              event.dataTransfer.effectAllowed = 'move'
              drag.start(entry.id)
            }}
            onDragEnd={() => drag.end(false)}
          >
            <Icon name="drag" size={14} />
          </span>
        )}
      </span>
      <span role="gridcell">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={entry.enabled}
          aria-label={t('entries.enabled', { name: title })}
          onClick={(event) => event.stopPropagation()}
          onChange={(event) => editEntry(entry.id, { enabled: event.target.checked })}
        />
      </span>
      <span role="gridcell" className="cut name" lang={langOf(title)}>
        {title}
        {flagged && (
          <span className="warn-t" title={t('entries.flagged')}>
            <Icon name="warn" size={12} />
            <span className="vh">{t('entries.flagged')}</span>
          </span>
        )}
      </span>
      <span role="gridcell" className="cut mid" lang={langOf(entry.keys.join(' '))}>
        <Keys t={t} entry={entry} />
      </span>
      <span role="gridcell" className="cut mid">
        {placeWords(t, entry)}
      </span>
      <span role="gridcell" className="r num mid">
        {entry.order}
      </span>
      <span role="gridcell" className="r num">
        {tokens !== undefined && (
          <>
            <span className="ap">≈</span>
            {formatTokens(tokens)}
          </>
        )}
      </span>
    </div>
  )
}

function Keys({ t, entry }: Pick<EntryRowProps, 't' | 'entry'>) {
  if (entry.constant) return <span className="dim">{t('entries.constant')}</span>
  const keys = entry.keys.filter((key) => key.trim() !== '')
  if (keys.length === 0)
    return <span className="dim">{entry.vectorized ? t('entries.meaning') : t('entries.noKeys')}</span>
  const second = entry.selective ? entry.secondaryKeys.filter((key) => key.trim() !== '') : []
  return (
    <>
      {keys.slice(0, 12).join(', ')}
      {second.length > 0 && <span className="dim"> + {second.slice(0, 6).join(', ')}</span>}
    </>
  )
}
