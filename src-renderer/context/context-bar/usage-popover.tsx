import { useTranslation } from 'react-i18next'
import type { ContextUsage } from '../../../src-main/context/contract'
import { formatTokens } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { Icon } from '../../ui/icon'
import { usePreview } from './preview-store'
import { levelOf } from './thresholds'
import { UsageBar } from './usage-bar'
import { UsageFoot } from './usage-foot'
import { UsageTable } from './usage-table'
import { formatCount, formatOver, formatPercent, qualityWords } from './usage-words'

/** What fills the window: headline, bar, table, and what can be done about it. */
export function UsagePopover({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation('context')
  const { preview, whatIf, error } = usePreview()
  if (!preview) return <p className="usage-none mid small">{error || t('usage.waiting')}</p>
  return (
    <>
      <UsageHead usage={(whatIf ?? preview).usage} was={whatIf ? preview.usage : null} />
      <UsageTable preview={preview} whatIf={whatIf} />
      <UsageFoot sessionId={sessionId} preview={preview} />
    </>
  )
}

interface UsageHeadProps {
  usage: ContextUsage
  /** Before the what-if. */
  was?: ContextUsage | null
  reportedAt?: string
}

export function UsageHead({ usage, was, reportedAt }: UsageHeadProps) {
  const { t } = useTranslation('context')
  const over = levelOf(usage) === 3
  const known = usage.budget !== undefined
  const percent = (value: ContextUsage) => t('usage.percent', { percent: formatPercent(value.percent) })
  return (
    <div className="pop-head">
      <div className="row pop-line">
        {known && <span className={over ? 'big-n num danger-t' : 'big-n num'}>{percent(usage)}</span>}
        <span className={known ? 'num' : 'big-n num'}>
          {usage.quality !== 'reported' && <span className="ap">≈</span>}
          {formatCount(usage.used, usage.quality)}{' '}
          {known ? t('usage.of', { budget: formatTokens(usage.budget ?? 0) }) : t('usage.tokens')}
        </span>
        {was && known && <Mark tone="set">{t('usage.whatIf', { was: percent(was) })}</Mark>}
        <span className="grow" />
        <span className="tiny dim">{qualityWords(usage, reportedAt)}</span>
      </div>
      <UsageBar usage={usage} big />
      <div className="row tiny dim num pop-under">
        {over ? (
          <span className="danger-t strong row pop-over">
            <Icon name="warn" size={12} />
            {t('usage.over', { tokens: formatOver(usage.over) })}
          </span>
        ) : (
          <span>{known ? t('usage.free', { tokens: formatTokens(usage.free ?? 0) }) : t('usage.unknown')}</span>
        )}
        {usage.maxInput !== undefined && <span>{t('usage.maxInput', { tokens: formatTokens(usage.maxInput) })}</span>}
        <span className="grow" />
        <span>{t('usage.reserved', { tokens: formatTokens(usage.reserved) })}</span>
      </div>
      <Doubts usage={usage} />
    </div>
  )
}

function Doubts({ usage }: { usage: ContextUsage }) {
  const { t } = useTranslation('context')
  const { truncatedByServer: cut, notCounted } = usage
  return (
    <>
      {cut && (
        <p className="pop-doubt warn-t">
          <Icon name="warn" size={12} />
          {t('usage.truncated', {
            sent: formatTokens(cut.sent),
            reported: formatTokens(cut.reported),
            front: cut.front.join(', '),
          })}
        </p>
      )}
      {notCounted && notCounted.length > 0 && (
        <p className="pop-doubt dim">{t('usage.notCounted', { names: notCounted.join(', ') })}</p>
      )}
    </>
  )
}
