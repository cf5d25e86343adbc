import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookVersion } from '../../../../src-main/context/worldbook/book-contract'
import { call } from '../../../api/client'
import { formatDateTime, formatNumber } from '../../../i18n/format'
import { Mark } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { showError } from '../../../ui/toast'
import { loadBooks } from '../book-store'
import { restoreVersion, useOpenBook } from './open-book'

interface VersionsDialogProps {
  worldbookId: string
  name: string
  onClose(): void
}

const SHOWN_AT_ONCE = 100

/** Every kept state of a book, newest first, each with a way back to it. */
export function VersionsDialog({ worldbookId, name, onClose }: VersionsDialogProps) {
  const { t } = useTranslation(['worldbook', 'common'])
  const [versions, setVersions] = useState<readonly BookVersion[] | null>(null)
  const [most, setMost] = useState(SHOWN_AT_ONCE)
  useEffect(() => {
    call('worldbook.versions', { worldbookId }).then(setVersions).catch(showError)
  }, [worldbookId])
  const restore = async (version: number) => {
    if (useOpenBook.getState().book?.id === worldbookId) await restoreVersion(version)
    else await call('worldbook.undo', { worldbookId, version }).catch(showError)
    await loadBooks()
    onClose()
  }
  return (
    <Dialog open onOpen={(open) => !open && onClose()} title={t('versions.title')} note={name} className="versions">
      {versions?.length === 0 && <p className="mid">{t('versions.none')}</p>}
      <ul className="version-list">
        {versions?.slice(0, most).map((each) => (
          <li key={each.version}>
            <Mark>{each.version}</Mark>
            <span className="num">{formatDateTime(each.savedAt)}</span>
            <span className="small dim num">
              {t('versions.entries', { count: each.entries, shown: formatNumber(each.entries) })}
            </span>
            {each.name !== name && <span className="small mid cut">{each.name}</span>}
            <span className="grow" />
            <Button small onClick={() => void restore(each.version)}>
              {t('versions.restore')}
            </Button>
          </li>
        ))}
      </ul>
      {versions && versions.length > most && (
        <Button tone="ghost" onClick={() => setMost(most + SHOWN_AT_ONCE)}>
          {t('versions.more', { count: versions.length - most })}
        </Button>
      )}
    </Dialog>
  )
}
