import { useTranslation } from 'react-i18next'
import type { Book } from '../../../../src-main/context/worldbook/book-contract'
import { formatNumber } from '../../../i18n/format'
import { Button, IconButton, PickButton } from '../../../ui/button'
import { SearchField } from '../../../ui/field'
import { Menu } from '../../../ui/menu'
import { focusTable, newEntry, removeWithUndo } from './entry-actions'
import { editEntries } from './open-book'
import { pickAll, pickOnly, SORTS, useTableView } from './table-view'
import { useFlagged, useShownEntries } from './use-shown-entries'

/** Search, sort, and what can be done with the picked rows. */
export function EntryBar({ book }: { book: Book }) {
  const { t } = useTranslation(['worldbook', 'common'])
  const { query, sort, selected, onlyFlagged } = useTableView()
  const shown = useShownEntries(book)
  const flagged = useFlagged()
  const picked = book.entries.filter((entry) => selected.has(entry.id))
  return (
    <div className="bar-row" role="toolbar" aria-label={t('entries.tools')}>
      <SearchField
        className="field"
        label={t('entries.search')}
        placeholder={t('list.searchShort')}
        value={query}
        onValue={(value) => useTableView.setState({ query: value })}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          focusTable()
        }}
      />
      <Menu
        label={t('entries.sort')}
        trigger={
          <PickButton icon="sort" aria-label={`${t('entries.sort')}: ${t(`entries.by.${sort}`)}`}>
            {t(`entries.by.${sort}`)}
          </PickButton>
        }
        entries={[
          ...SORTS.map((by) => ({
            id: by,
            label: t(`entries.by.${by}`),
            checked: sort === by,
            onSelect: () => useTableView.setState({ sort: by }),
          })),
          { kind: 'separator', id: 's' },
          {
            id: 'flagged',
            label: t('entries.onlyFlagged', { count: flagged.size }),
            checked: onlyFlagged,
            disabled: flagged.size === 0 && !onlyFlagged,
            onSelect: () => useTableView.setState({ onlyFlagged: !onlyFlagged }),
          },
        ]}
      />
      {shown.length !== book.entries.length && (
        <span className="small dim num bar-count">
          {t('entries.found', { shown: formatNumber(shown.length), total: formatNumber(book.entries.length) })}
        </span>
      )}
      <span className="grow" />
      {picked.length > 1 && <Bulk picked={picked} shown={shown} />}
      <Menu
        label={t('entries.selection')}
        align="end"
        trigger={<IconButton icon="more" small label={t('entries.selection')} />}
        entries={[
          { id: 'all', label: t('entries.selectAll', { count: shown.length }), onSelect: () => pickAll(shown) },
          { id: 'none', label: t('entries.selectNone'), onSelect: () => pickOnly(null) },
          { kind: 'separator', id: 's' },
          {
            id: 'on',
            label: t('entries.enableAll', { count: shown.length }),
            onSelect: () =>
              editEntries(
                shown.map(({ id }) => id),
                { enabled: true },
              ),
          },
          {
            id: 'off',
            label: t('entries.disableAll', { count: shown.length }),
            onSelect: () =>
              editEntries(
                shown.map(({ id }) => id),
                { enabled: false },
              ),
          },
        ]}
      />
      <Button small icon="plus" onClick={() => void newEntry()}>
        {t('entries.new')}
      </Button>
    </div>
  )
}

interface BulkProps {
  picked: readonly { id: string; enabled: boolean }[]
  shown: readonly { id: string }[]
}

function Bulk({ picked, shown }: BulkProps) {
  const { t } = useTranslation(['worldbook', 'common'])
  const ids = picked.map(({ id }) => id)
  return (
    <>
      <span className="small dim num">{t('entries.selected', { count: picked.length })}</span>
      {picked.some(({ enabled }) => !enabled) && (
        <Button small tone="ghost" onClick={() => editEntries(ids, { enabled: true })}>
          {t('entries.enable')}
        </Button>
      )}
      {picked.some(({ enabled }) => enabled) && (
        <Button small tone="ghost" onClick={() => editEntries(ids, { enabled: false })}>
          {t('entries.disable')}
        </Button>
      )}
      <Button small tone="ghost" className="quiet-danger" onClick={() => void removeWithUndo(ids, shown)}>
        {t('common:delete')}
      </Button>
    </>
  )
}
