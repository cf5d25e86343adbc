import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallOutput, call } from '../api/client'
import { Button, LinkButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Icon } from '../ui/icon'

/** Says that the data folder was written by a newer version: nothing done here is stored. A bar over everything stays. */
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
      <div className="read-only-bar">
        <Icon name="lock" size={14} />
        <span>
          <b className="strong">{t('readOnly.bar')}</b> {t('readOnly.note')}
        </span>
        <span className="grow" />
        <LinkButton onClick={() => setOpen(true)}>{t('readOnly.more')}</LinkButton>
      </div>
    </>
  )
}
