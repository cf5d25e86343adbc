import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backup } from '../../src-main/storage/contract'
import { formatBytes, formatDateTime, formatNumber } from '../i18n/format'
import { Mark } from '../ui/badge'
import { Button } from '../ui/button'
import { Confirm } from '../ui/dialog'
import { restoreBackup, useRecovery } from './recovery-store'

/** The backups with what they hold. One that is damaged too is shown, and cannot be chosen. */
export function BackupChoice() {
  const { t } = useTranslation('recovery')
  const backups = useRecovery((state) => state.backups)
  const [chosen, setChosen] = useState<Backup | null>(null)
  const newest = backups?.find(({ state }) => state === 'whole')
  return (
    <section>
      <h2>{t('backups')}</h2>
      {backups === null && <p role="status">{t('reading')}</p>}
      {backups?.length === 0 && <p className="mid">{t('none')}</p>}
      {backups !== null && backups.length > 0 && (
        <div className="set-table">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('made')}</th>
                <th scope="col">{t('holds')}</th>
                <th scope="col" className="r">
                  {t('size')}
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {backups.map((backup) => (
                <BackupLine key={backup.id} backup={backup} primary={backup === newest} onChoose={setChosen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Confirm
        open={chosen !== null}
        onOpen={(open) => !open && setChosen(null)}
        title={t('restoreTitle')}
        text={chosen && t('restoreText', { when: formatDateTime(chosen.createdAt) })}
        action={t('restore')}
        onConfirm={() => chosen && void restoreBackup(chosen.id)}
      />
    </section>
  )
}

interface LineProps {
  backup: Backup
  primary: boolean
  onChoose: (backup: Backup) => void
}

function BackupLine({ backup, primary, onChoose }: LineProps) {
  const { t } = useTranslation(['recovery', 'settings'])
  const busy = useRecovery((state) => state.work !== null)
  const { holds, state } = backup
  return (
    <tr>
      <td title={backup.fileName}>
        {formatDateTime(backup.createdAt)}
        <div className="dim small">{t(`settings:backups.reason.${backup.reason}`)}</div>
      </td>
      <td>
        {holds && (
          <>
            {t('holdsBoth', {
              chats: t('chats', { count: holds.chats, shown: formatNumber(holds.chats) }),
              messages: t('messages', { count: holds.messages, shown: formatNumber(holds.messages) }),
            })}
            {holds.newestAt && <div className="dim small">{t('newest', { when: formatDateTime(holds.newestAt) })}</div>}
          </>
        )}
        {state === 'damaged' && <Mark tone="bad">{t('damaged')}</Mark>}
      </td>
      <td className="r num">{formatBytes(backup.bytes)}</td>
      <td className="r">
        {state === 'whole' && (
          <Button small tone={primary ? 'primary' : 'default'} disabled={busy} onClick={() => onChoose(backup)}>
            {t('restore')}
          </Button>
        )}
      </td>
    </tr>
  )
}
