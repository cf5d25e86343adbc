import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallOutput, call } from '../../api/client'
import { copyText } from '../../chat/chat-actions'
import { KeyStoreLine } from '../../first-run/provider-form'
import { IconButton } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { showError } from '../../ui/toast'
import { RowFrame } from '../setting-row'

/** What runs, where the data lies, how keys are kept. */
export function About() {
  const { t } = useTranslation(['settings', 'context', 'app'])
  const [info, setInfo] = useState<CallOutput<'app.info'> | null>(null)
  useEffect(() => {
    void call('app.info', {}).then(setInfo, showError)
  }, [])
  if (!info) return null
  return (
    <>
      <p className="row about-name">
        <Icon name="strata" size={20} />
        <b className="strong">Strata</b>
        <span className="mid num">
          {t('about.version')} {info.version}
        </span>
        <span className="dim">{t('about.license')}</span>
      </p>
      {info.readOnlyReason && (
        <p className="set-notice warn-t small">
          <b>{t('context:readOnly.title')}</b> {t('context:readOnly.text')}
        </p>
      )}
      {info.openRights && (
        <p className="set-notice warn-t small">
          {t(`app:openRights.${info.openRights.reason}`, { files: info.openRights.files.join(', ') })}
        </p>
      )}
      <RowFrame label={t('about.folder')}>
        <span className="mono about-folder">{info.dataDir}</span>
        <IconButton icon="copy" small label={t('about.copy')} onClick={() => void copyText(info.dataDir)} />
      </RowFrame>
      <RowFrame label={t('about.host')}>{t(`about.${info.host}`)}</RowFrame>
      <RowFrame label={t('about.platform')}>{info.platform}</RowFrame>
      <RowFrame label={t('about.node')}>{info.node}</RowFrame>
      {info.electron && <RowFrame label={t('about.electron')}>{info.electron}</RowFrame>}
      <RowFrame label={t('about.keys')}>
        <KeyStoreLine />
      </RowFrame>
    </>
  )
}
