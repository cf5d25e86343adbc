import { useTranslation } from 'react-i18next'
import { Icon } from '../ui/icon'
import { useAppInfo } from './app-info'

/** Stands over everything while the data folder can only be read: nothing typed now would last. */
export function ReadOnlyNotice() {
  const { t } = useTranslation('app')
  const reason = useAppInfo((state) => state.info?.readOnlyReason)
  if (!reason) return null
  return (
    <div className="read-only" role="alert">
      <Icon name="lock" size={14} />
      <b>{t('readOnly')}</b>
      <span>{reason}</span>
    </div>
  )
}
