import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from '../../app/navigation'
import { PageFrame } from '../../app/page-frame'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { BookList } from './book-list'
import { useBooks } from './book-store'
import { flushEdits } from './editor/book-edits'
import { BookHead } from './editor/book-head'
import { Dock } from './editor/dock'
import { EntryBar } from './editor/entry-bar'
import { EntryTable } from './editor/entry-table'
import { createBook } from './editor/new-book'
import { openBook, useOpenBook } from './editor/open-book'
import { resetView, useTableView } from './editor/table-view'
import { EntryForm } from './form/entry-form'
import { DropZone } from './import/drop-zone'
import { chooseFiles } from './import/import-store'
import { useWideEnough } from './use-wide-enough'

/** Below this the list gives way to the form while an entry is open. */
const BOTH_PX = 1024
const LAST_KEY = 'strata.worldbook'

/** `book`, or `book/entry` as the inspector names it. */
function useTarget(): void {
  const target = useNavigation((state) => state.placeTarget)
  const { books, loaded } = useBooks()
  useEffect(() => {
    if (!loaded) return
    const [wanted, ...rest] = (target ?? '').split('/')
    const known = (id: string | null | undefined) => books.some((book) => book.id === id)
    const open = useOpenBook.getState().wantedId
    const last = localStorage.getItem(LAST_KEY)
    const next = known(wanted) ? wanted : known(open) ? open : known(last) ? last : books[0]?.id
    if (next) localStorage.setItem(LAST_KEY, next)
    if (next !== open || rest.length > 0) resetView(rest.join('/') || null)
    void openBook(next ?? null)
    if (target !== null) useNavigation.setState({ placeTarget: null })
  }, [target, loaded, books])
}

export function WorldbooksPage() {
  const { t } = useTranslation('worldbook')
  const both = useWideEnough(BOTH_PX)
  const formOpen = useTableView((state) => state.currentId !== null)
  const hasBook = useOpenBook((state) => state.book !== null)
  useTarget()
  useEffect(() => () => void flushEdits(), [])
  const showForm = hasBook && formOpen
  return (
    <DropZone>
      <PageFrame
        className="wbp"
        list={both || !showForm ? <BookList /> : undefined}
        listLabel={t('list.label')}
        listWidth={212}
        end={hasBook && (both || formOpen) ? <EntryForm /> : undefined}
      >
        <BookMain />
      </PageFrame>
    </DropZone>
  )
}

function BookMain() {
  const { t } = useTranslation(['worldbook', 'common'])
  const { book, state, error } = useOpenBook()
  const { loaded, books, error: listError } = useBooks()
  if (book) {
    return (
      <>
        <BookHead book={book} />
        <EntryBar book={book} />
        <EntryTable book={book} />
        <Dock book={book} />
      </>
    )
  }
  if (listError || state === 'failed') {
    return (
      <EmptyState icon="warn" title={t('page.failed')}>
        {listError || error}
      </EmptyState>
    )
  }
  if (!loaded || books.length > 0) return <div className="grow" aria-busy="true" />
  return (
    <EmptyState
      icon="book"
      title={t('page.empty')}
      action={
        <div className="row">
          <Button tone="primary" icon="down2" onClick={() => chooseFiles()}>
            {t('import.open')}
          </Button>
          <Button icon="plus" onClick={() => void createBook(t('list.newName')).then(openBook)}>
            {t('list.new')}
          </Button>
        </div>
      }
    >
      {t('page.emptyHelp')}
    </EmptyState>
  )
}
