import { useTranslation } from 'react-i18next'
import { inWords } from '../i18n/said'
import { Icon } from '../ui/icon'
import { useAppInfo } from './app-info'
import { useStorage } from './storage-store'

/** While nothing can be written: what is safe, what to do. It leaves by itself. */
export function StorageBar() {
  const { t } = useTranslation()
  const trouble = useStorage((state) => state.trouble)
  const folder = useAppInfo((state) => state.info?.dataDir)
  if (!trouble) return null
  const isFull = trouble.code === 'storage.full'
  return (
    <div className="read-only-bar storage-bar" role="alert">
      <Icon name="warn" size={14} />
      <span>
        <b className="strong">{isFull ? t('storage.full') : inWords(trouble.message, trouble.words)}</b>{' '}
        {isFull ? t('storage.fullHelp') : t('storage.help')}
        {isFull && folder !== undefined && <span className="mono"> {folder}</span>}
      </span>
    </div>
  )
}
