import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallOutput, call } from '../api/client'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Icon } from '../ui/icon'

/** Says that the data folder was written by a newer version: nothing done here is stored. A line stays afterwards. */
export function ReadOnlyScreen() {
  const { t } = useTranslation('context')
  const [info, setInfo] = useState<CallOutput<'app.info'> | null>(null)
  const [open, setOpen] = useState(true)
  useEffect(() => {
    void call('app.info', {}).then(setInfo, () => setInfo(null)) // a host that does not answer says so elsewhere
  }, [])
  if (!info?.readOnlyReason) return null
  return (
    <>
      <Dialog
        open={open}
        onOpen={setOpen}
        title={t('readOnly.title')}
        width={480}
        footer={
          <>
            <span className="grow" />
            <Button tone="primary" onClick={() => setOpen(false)}>
              {t('readOnly.look')}
            </Button>
          </>
        }
      >
        <div className="read-only">
          <p>{t('readOnly.text')}</p>
          <p className="small mid">{info.readOnlyReason}</p>
          <dl>
            <div className="kv">
              <dt>{t('readOnly.folder')}</dt>
              <dd className="mono">{info.dataDir}</dd>
            </div>
            <div className="kv">
              <dt>{t('readOnly.version')}</dt>
              <dd className="num">{info.version}</dd>
            </div>
          </dl>
        </div>
      </Dialog>
      {!open && (
        <button type="button" className="read-only-line" onClick={() => setOpen(true)}>
          <Icon name="lock" size={14} />
          {t('readOnly.title')}
        </button>
      )}
    </>
  )
}
