import { useTranslation } from 'react-i18next'
import { openSession } from '../../../app/navigation'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { openBookPage } from '../open-book-page'
import { ImportItemView } from './import-item-view'
import { closeImport, hasBooks, type ImportItem, storeAll, useImport } from './import-store'

const isBusy = ({ state }: ImportItem) => state === 'waiting' || state === 'reading' || state === 'storing'

/** The report before anything is stored, the choice per file, and what came of it. */
export function ImportDialog() {
  const { t } = useTranslation(['worldbook', 'common'])
  const { open, items } = useImport()
  const busy = items.filter(isBusy).length
  const ready = items.filter((item) => item.state === 'ready' && !item.skipped && hasBooks(item))
  const books = ready.reduce((sum, item) => sum + (item.report?.books.length ?? 0), 0)
  const stored = items.flatMap((item) => (item.state === 'done' ? (item.report?.worldbookIds ?? []) : []))
  const close = () => {
    const { chatId } = useImport.getState()
    closeImport()
    if (chatId) openSession(chatId)
    else if (stored[0]) openBookPage(stored[0])
  }
  return (
    <Dialog
      open={open}
      onOpen={(next) => !next && close()}
      title={t('import.title')}
      note={items.length > 1 ? t('import.progress', { done: items.length - busy, total: items.length }) : undefined}
      width={620}
      className="import-dialog"
      footer={
        <>
          <span className="small dim" role="status">
            {busy > 0
              ? t('import.working')
              : stored.length > 0
                ? t('import.stored', { count: stored.length })
                : t('import.notYet')}
          </span>
          <span className="grow" />
          <Button tone="ghost" onClick={close}>
            {stored.length > 0 && books === 0 ? t('common:done') : t('common:cancel')}
          </Button>
          {(books > 0 || stored.length === 0) && (
            <Button tone="primary" disabled={books === 0 || busy > 0} onClick={() => void storeAll()}>
              {books === 0 ? t('import.nothing') : t('import.store', { count: books })}
            </Button>
          )}
        </>
      }
    >
      {items.length > 1 && (
        <progress
          className="import-progress"
          max={items.length}
          value={items.length - busy}
          aria-label={t('import.title')}
        />
      )}
      <ul className="import-items">
        {items.map((item) => (
          <ImportItemView key={item.id} item={item} several={items.length > 1} />
        ))}
      </ul>
    </Dialog>
  )
}
