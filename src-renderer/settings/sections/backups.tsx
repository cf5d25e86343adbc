import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backup } from '../../../src-main/storage/contract'
import { call, on } from '../../api/client'
import { formatBytes, formatDateTime } from '../../i18n/format'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/dialog'
import { saveFile } from '../../ui/save-file'
import { showError, showToast } from '../../ui/toast'

/** Copies of the data file: make one, list them, stage one for the next start. */
export function Backups() {
  const { t } = useTranslation('settings')
  const { backups, reload } = useBackups()
  const [busy, setBusy] = useState(false)
  const [restoring, setRestoring] = useState<Backup | null>(null)
  const create = async () => {
    setBusy(true)
    await call('backups.create', {}).then(reload, showError)
    setBusy(false)
  }
  const restore = (id: string) =>
    void call('backups.restore', { id }).then(
      () => showToast(t('backups.staged'), { tone: 'ok', lasts: 20_000 }),
      showError,
    )
  const exportAll = async () => {
    setBusy(true)
    await call('transfer.export-all', {}).then(({ fileName, dataBase64 }) => saveFile(fileName, dataBase64), showError)
    setBusy(false)
  }
  return (
    <>
      <p className="set-foot">
        <Button icon="archive" disabled={busy} onClick={() => void create()}>
          {busy ? t('backups.creating') : t('backups.create')}
        </Button>
        <Button icon="download" disabled={busy} onClick={() => void exportAll()}>
          {t('backups.exportAll')}
        </Button>
      </p>
      <p className="dim small">{t('backups.exportNote')}</p>
      {backups.length === 0 && <p className="mid">{t('backups.empty')}</p>}
      {backups.length > 0 && (
        <div className="set-table">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('backups.made')}</th>
                <th scope="col">{t('backups.why')}</th>
                <th scope="col" className="r">
                  {t('backups.size')}
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {backups.map((backup) => (
                <tr key={backup.id}>
                  <td title={backup.fileName}>{formatDateTime(backup.createdAt)}</td>
                  <td className="mid">{t(`backups.reason.${backup.reason}`)}</td>
                  <td className="r num">{formatBytes(backup.bytes)}</td>
                  <td className="r">
                    <Button small tone="ghost" onClick={() => setRestoring(backup)}>
                      {t('backups.restore')}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Confirm
        open={restoring !== null}
        onOpen={(open) => !open && setRestoring(null)}
        title={t('backups.restoreTitle')}
        text={restoring && t('backups.restoreText', { when: formatDateTime(restoring.createdAt) })}
        action={t('backups.restore')}
        danger
        onConfirm={() => restoring && restore(restoring.id)}
      />
    </>
  )
}

function useBackups() {
  const [backups, setBackups] = useState<Backup[]>([])
  const reload = () => void call('backups.list', {}).then(setBackups, showError)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, then by event
  useEffect(() => {
    reload()
    return on('backups.changed', reload)
  }, [])
  return { backups, reload }
}
