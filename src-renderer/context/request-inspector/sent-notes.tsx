import { useTranslation } from 'react-i18next'
import { LAYOUTS, type Verdict } from '../../../src-main/context/contract'
import type { Preview, TurnRecord } from '../../../src-main/turns/contract'
import { formatTokens } from '../../i18n/format'
import { i18n } from '../../i18n/i18n'
import { inWords } from '../../i18n/said'
import { LinkButton } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { firstDifference } from './group-spans'
import { useRecords } from './record-store'

interface SentNotesProps {
  shown: Preview
  record: TurnRecord | null
  messageId: string | null
  onDiff(): void
}

/** What there is to say about a request beyond its text: same bytes as previewed, failure, timings, what stayed out. */
export function SentNotes({ shown, record, messageId, onDiff }: SentNotesProps) {
  const { t } = useTranslation(['context', 'common'])
  const previewed = useRecords((state) => (messageId ? state.previewed[messageId] : undefined))
  const { timings, error, reported } = record ?? {}
  return (
    <div className="sent-notes small">
      {record && previewed && record.round === record.rounds && record.rounds === 1 && (
        <SameBytes before={previewed} after={record} onDiff={onDiff} />
      )}
      {error && (
        <p className="danger-t row">
          <Icon name="warn" size={14} />
          {t('sent.failed', { message: inWords(error.message, error.words) })}
        </p>
      )}
      {timings?.firstText !== undefined && timings.total !== undefined && (
        <p className="dim num">
          {t('sent.timings', {
            first: (timings.firstText / 1000).toFixed(1),
            total: (timings.total / 1000).toFixed(1),
          })}
          {record?.finishReason && ` · ${t('sent.finish', { reason: record.finishReason })}`}
          {reported &&
            ` · ${t('foot.total', { input: formatTokens(reported.inputTokens), output: formatTokens(reported.outputTokens) })}`}
        </p>
      )}
      <PrefixNote shown={shown} />
      {shown.rejected.length > 0 && <Rejected rejected={shown.rejected} />}
    </div>
  )
}

/** The layout, how much of the request stood as in the one before, and what ended that at which cost. */
function PrefixNote({ shown: { layout, prefix } }: { shown: Preview }) {
  const { t } = useTranslation(['context', 'common'])
  const said: string[] = []
  const name = LAYOUTS.find((each) => each === layout)
  if (name) said.push(`${t('tab.layout')}: ${t(`tab.${name}`)}`)
  if (prefix) {
    const { sharedTokens, firstChange, lostTokens, leastTokens } = prefix
    said.push(t('sent.shared', { tokens: `≈${formatTokens(sharedTokens)}` }))
    if (leastTokens !== undefined) said.push(t('sent.tooShort', { tokens: formatTokens(leastTokens) }))
    if (firstChange) said.push(t('sent.broken', { block: t(`common:block.${firstChange.segment}`) }))
    if (lostTokens > 0) said.push(t('sent.lost', { tokens: `≈${formatTokens(lostTokens)}` }))
  }
  return <p className="dim">{said.join(' · ')}</p>
}

function SameBytes({
  before,
  after,
  onDiff,
}: {
  before: { sha256: string; ledger: Preview['ledger'] }
  after: Preview
  onDiff(): void
}) {
  const { t } = useTranslation(['context', 'common'])
  if (before.sha256 === after.sha256) {
    return (
      <p className="ok-t row">
        <Icon name="check" size={14} />
        {t('sent.same')}
      </p>
    )
  }
  const block = firstDifference(before.ledger, after.ledger)
  const known = (['time', 'memory', 'worldbook', 'draft', 'history'] as const).find((each) => each === block)
  const reason = known
    ? t(`sent.reason.${known}`)
    : t('sent.reason.other', { block: block ? t(`common:block.${block}`) : t('sent.headers') })
  return (
    <p className="mid row">
      <Icon name="compare" size={14} />
      <span>{t('sent.differs', { reason })}</span>
      <LinkButton onClick={onDiff}>{t('sent.seeDiff')}</LinkButton>
    </p>
  )
}

function Rejected({ rejected }: { rejected: Preview['rejected'] }) {
  const { t } = useTranslation(['context', 'common'])
  const count = rejected.reduce((sum, verdict) => sum + (verdict.count ?? 1), 0)
  return (
    <details>
      <summary className="dim">{t('sent.rejectedCount', { count })}</summary>
      <ul className="rejected">
        {rejected.slice(0, 200).map((verdict) => (
          <li key={`${verdict.block}:${verdict.sourceId}`}>
            <span className="cut">{verdict.label}</span>
            <span className="dim">
              {t(`common:block.${verdict.block}`)} · {verdictWords(verdict)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The sentence of this turn where there is one, else what the reason means. */
function verdictWords({ detail, words, reason }: Verdict): string {
  if (detail !== undefined) return inWords(detail, words)
  const key = [`context:verdict.${reason}`, `memory:verdict.${reason}`].find((each) => i18n.exists(each))
  return key ? i18n.t(key as 'memory:verdict.archived') : reason.replaceAll('_', ' ')
}
