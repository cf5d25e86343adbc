import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../i18n/format'
import { Button, IconButton, PickButton } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { SearchField } from '../../ui/field'
import { Menu } from '../../ui/menu'
import { exportMemories } from './export-memories'
import { openImport } from './import-dialog'
import { MemoryDetail } from './memory-detail'
import { openMemoryForm } from './memory-form-store'
import {
  archiveMemories,
  loadMemories,
  MOST_LISTED,
  SORTS,
  searchMemories,
  sortMemories,
  useMemories,
} from './memory-store'
import { MemoryTable } from './memory-table'
import { RemoveConfirm } from './remove-confirm'
import { SuggestionsDialog } from './suggestions-dialog'

/** One view of the memories: search, sort, what can be done with the checked ones, the table, the open one below. */
export function MemoryList() {
  const { memories, sort, loaded, error, query, total } = useMemories()
  const sorted = useMemo(() => sortMemories(memories, sort), [memories, sort])
  const { t } = useTranslation(['memory', 'common'])
  return (
    <>
      <ListHead />
      <ListBar />
      {total > MOST_LISTED && (
        <p className="note">{t('list.cut', { shown: formatNumber(MOST_LISTED), total: formatNumber(total) })}</p>
      )}
      <div className="memgrid">
        {error && memories.length === 0 ? (
          <EmptyState
            icon="warn"
            title={t('list.failed')}
            action={<Button onClick={() => void loadMemories()}>{t('common:retry')}</Button>}
          >
            {error}
          </EmptyState>
        ) : loaded && memories.length === 0 ? (
          <NothingHere searched={query.trim()} />
        ) : (
          <MemoryTable memories={sorted} />
        )}
        <MemoryDetail />
      </div>
    </>
  )
}

function ListHead() {
  const { t } = useTranslation(['memory', 'common'])
  const { view, total, checked, memories } = useMemories()
  const [removing, setRemoving] = useState(false)
  const ids = [...checked]
  const archived = memories.some((memory) => checked.has(memory.id) && memory.archived)
  return (
    <header className="head one">
      <div className="row">
        <h1>{t(`view.${view}`)}</h1>
        <span className="small dim num">{t('list.count', { count: total, shown: formatNumber(total) })}</span>
        <span className="grow" />
        {ids.length > 0 && (
          <>
            <span className="small dim num" role="status">
              {t('list.checked', { count: ids.length })}
            </span>
            <Button small tone="ghost" onClick={() => void archiveMemories(ids, !archived)}>
              {archived ? t('restore') : t('archive')}
            </Button>
            <Button small tone="ghost" onClick={() => void exportMemories({ format: 'jsonl', ids })}>
              {t('export.short')}
            </Button>
            <Button small tone="danger" className="ghost" onClick={() => setRemoving(true)}>
              {t('common:delete')}
            </Button>
          </>
        )}
        {ids.length === 0 && <MoreMenu />}
      </div>
      <RemoveConfirm ids={ids} open={removing} onOpen={setRemoving} />
    </header>
  )
}

function MoreMenu() {
  const { t } = useTranslation(['memory', 'common'])
  return (
    <Menu
      label={t('common:more')}
      align="end"
      trigger={<IconButton icon="more" label={t('common:more')} />}
      entries={[
        { id: 'import', icon: 'down2', label: t('import.open'), onSelect: openImport },
        {
          id: 'jsonl',
          icon: 'up2',
          label: t('export.jsonl'),
          onSelect: () => void exportMemories({ format: 'jsonl', status: 'all' }),
        },
        {
          id: 'markdown',
          icon: 'up2',
          label: t('export.markdown'),
          onSelect: () => void exportMemories({ format: 'markdown', status: 'all' }),
        },
      ]}
    />
  )
}

function ListBar() {
  const { t } = useTranslation('memory')
  const { query, sort, suggestions } = useMemories()
  const [suggesting, setSuggesting] = useState(false)
  return (
    <div className="bar-row">
      <SearchField label={t('list.search')} value={query} onValue={searchMemories} />
      <Menu
        label={t('list.sort')}
        trigger={
          <PickButton icon="sort" aria-label={`${t('list.sort')}: ${t(`sort.${sort}`)}`}>
            {t(`sort.${sort}`)}
          </PickButton>
        }
        entries={SORTS.map((each) => ({
          id: each,
          label: t(`sort.${each}`),
          checked: each === sort,
          onSelect: () => useMemories.setState({ sort: each }),
        }))}
      />
      <span className="grow" />
      {suggestions.length > 0 && (
        <PickButton onClick={() => setSuggesting(true)} chevron={false}>
          {t('suggest.count', { count: suggestions.length })}
        </PickButton>
      )}
      <Button small icon="plus" onClick={() => openMemoryForm({})}>
        {t('new')}
      </Button>
      {suggesting && <SuggestionsDialog onClose={() => setSuggesting(false)} />}
    </div>
  )
}

function NothingHere({ searched }: { searched: string }) {
  const { t } = useTranslation('memory')
  const view = useMemories((state) => state.view)
  if (searched) {
    return (
      <EmptyState icon="search" title={t('empty.search', { query: searched })}>
        {t('empty.searchHelp')}
      </EmptyState>
    )
  }
  if (view === 'archived' || view === 'past') {
    return (
      <EmptyState icon="archive" title={t(`empty.${view}`)}>
        {t(`empty.${view}Help`)}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="memory"
      title={t('empty.title')}
      action={
        <div className="row">
          <Button tone="primary" icon="plus" onClick={() => openMemoryForm({})}>
            {t('new')}
          </Button>
          <Button icon="down2" onClick={openImport}>
            {t('import.open')}
          </Button>
        </div>
      }
    >
      {t('empty.help')}
    </EmptyState>
  )
}
