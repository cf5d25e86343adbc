import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WORLDBOOK_FORMATS, type WorldbookFormat } from '../../../src-main/context/worldbook/contract'
import { call } from '../../api/client'
import { Confirm } from '../../ui/dialog'
import type { MenuEntry } from '../../ui/menu'
import { saveFile } from '../../ui/save-file'
import { showError } from '../../ui/toast'
import { freeName, loadBooks, useBooks } from './book-store'
import { flushBook, forgetEdits } from './editor/book-edits'
import { copyBook } from './editor/new-book'
import { openBook, useOpenBook } from './editor/open-book'
import { VersionsDialog } from './editor/versions-dialog'
import { openBookPage } from './open-book-page'

export async function exportBook(worldbookId: string, format: WorldbookFormat): Promise<void> {
  try {
    if (!(await flushBook(worldbookId))) return // the file would lack what the notice shows as unsaved
    const { fileName, dataBase64 } = await call('worldbook.export', { worldbookId, format })
    saveFile(fileName, dataBase64, 'application/json')
  } catch (error) {
    showError(error)
  }
}

async function removeBook(worldbookId: string): Promise<void> {
  try {
    if (useOpenBook.getState().book?.id === worldbookId) await openBook(null)
    await call('worldbook.remove', { worldbookId })
    forgetEdits(worldbookId)
    await loadBooks()
  } catch (error) {
    showError(error)
  }
}

/** What can be done with a book, for the list's context menu and the head's `…` button alike. */
export function useBookMenu(book: { id: string; name: string; boundSessions: number }): {
  entries: MenuEntry[]
  dialogs: ReactNode
} {
  const { t } = useTranslation(['worldbook', 'common'])
  const [removing, setRemoving] = useState(false)
  const [versions, setVersions] = useState(false)
  const duplicate = async () => {
    const id = await copyBook(book.id, freeName(book.name, useBooks.getState().books))
    if (id) openBookPage(id)
  }
  return {
    entries: [
      ...WORLDBOOK_FORMATS.map((format) => ({
        id: `export-${format}`,
        icon: 'up2' as const,
        label: t('export.as', { format: t(`export.${format}`) }),
        onSelect: () => void exportBook(book.id, format),
      })),
      { kind: 'separator', id: 's1' },
      { id: 'copy', icon: 'copy', label: t('book.duplicate'), onSelect: () => void duplicate() },
      { id: 'versions', icon: 'clock', label: t('versions.open'), onSelect: () => setVersions(true) },
      { kind: 'separator', id: 's2' },
      { id: 'remove', icon: 'trash', label: t('book.remove'), danger: true, onSelect: () => setRemoving(true) },
    ],
    dialogs: (
      <>
        <Confirm
          open={removing}
          onOpen={setRemoving}
          title={t('book.removeTitle', { name: book.name })}
          text={book.boundSessions > 0 ? t('book.removeBound', { count: book.boundSessions }) : t('book.removeText')}
          action={t('book.remove')}
          danger
          onConfirm={() => void removeBook(book.id)}
        />
        {versions && <VersionsDialog worldbookId={book.id} name={book.name} onClose={() => setVersions(false)} />}
      </>
    ),
  }
}
