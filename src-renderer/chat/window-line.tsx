import { useTranslation } from 'react-i18next'
import type { Preview } from '../../src-main/turns/contract'
import { openSessionSettings } from '../app/navigation'

/** Stands before the first message that would be sent. */
export function WindowLine({ start }: { start: NonNullable<Preview['windowStart']> }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  return (
    <div className="bound">
      <span>
        <button type="button" className="bound-link" onClick={() => openSessionSettings('historyLimit')}>
          {t('window.begins')}
        </button>{' '}
        · {t('window.dropped', { count: start.dropped })} · {t('window.limit', { limit: start.limit })}
      </span>
    </div>
  )
}
