import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../i18n/format'
import { useSettings } from '../../settings/settings-store'
import { Icon } from '../../ui/icon'
import { useMemories } from './memory-store'
import { problemOf } from './memory-words'

/** What the embedder reads, and how far the index is. */
export function StatusLine() {
  const { t } = useTranslation('memory')
  const status = useMemories((state) => state.status)
  const kind = useSettings((state) => state.settings?.memory.embedder.kind)
  if (!status || !kind) return null
  const { building } = status
  const problem = problemOf(status)
  return (
    <div className="tiny dim status-line" role="status">
      <p>{t(`embedder.reads.${kind}`)}</p>
      {building && (
        <p className="num">
          {t('status.building', { done: formatNumber(building.done), total: formatNumber(building.total) })}
        </p>
      )}
      {!building && status.pending > 0 && <p className="num">{t('status.pending', { count: status.pending })}</p>}
      {problem && (
        <p className="warn-t row">
          <Icon name="warn" size={12} />
          <span>{problem}</span>
        </p>
      )}
    </div>
  )
}
