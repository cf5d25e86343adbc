import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Ledger } from '../../../src-main/context/contract'
import type { Preview } from '../../../src-main/turns/contract'
import { useTranscript } from '../../chat/transcript-store'
import { formatTime } from '../../i18n/format'
import { Select } from '../../ui/field'
import { diffTexts, type LineDiff } from './diff-lines'
import { firstDifference, requestText } from './group-spans'
import { loadRecord, useRecords } from './record-store'

interface DiffViewProps {
  shown: Preview
  /** The answer `shown` was sent for; null = the draft. */
  messageId: string | null
}

const PREVIEW = 'preview'

/** What changed against the turn before, any other turn, or the preview that stood before sending. */
export function DiffView({ shown, messageId }: DiffViewProps) {
  const { t } = useTranslation('context')
  const choices = useChoices(messageId)
  const [asked, setAsked] = useState<string | null>(null)
  const chosen = choices.find((choice) => choice.value === asked) ?? choices[0]
  const { records, errors, previewed } = useRecords()
  const otherId = chosen && chosen.value !== PREVIEW ? chosen.value : null
  useEffect(() => {
    if (otherId && !useRecords.getState().records[otherId]) void loadRecord(otherId)
  }, [otherId])
  if (!chosen) return <p className="inspector-note dim small">{t('diff.none')}</p>
  const other = otherId ? records[otherId] : messageId ? previewed[messageId] : undefined
  return (
    <div className="diff">
      <div className="row diff-top">
        <span className="small dim">{t('diff.against')}</span>
        <Select
          aria-label={t('diff.against')}
          value={chosen.value}
          options={choices}
          onValue={(value) => setAsked(value)}
        />
      </div>
      {otherId && errors[otherId] && <p className="inspector-note danger-t small">{errors[otherId]}</p>}
      {other && <Lines before={other} after={shown} />}
    </div>
  )
}

/** The turn before first, then every other answer newest first; the preview where it is known to differ. */
function useChoices(messageId: string | null): { value: string; label: string }[] {
  const { t } = useTranslation('context')
  const messages = useTranscript((state) => state.current?.messages)
  const hasPreview = useRecords((state) => Boolean(messageId && state.previewed[messageId]))
  return useMemo(() => {
    const answers = (messages ?? []).filter((each) => each.role === 'assistant')
    const at = messageId ? answers.findIndex((each) => each.id === messageId) : answers.length
    const before = answers[at - 1]
    const label = (each: (typeof answers)[number]) =>
      t('diff.answer', { time: formatTime(each.createdAt), text: each.text.trim().slice(0, 48) || '…' })
    const others = answers.filter((each) => each.id !== messageId && each.id !== before?.id).reverse()
    return [
      ...(before ? [{ value: before.id, label: `${t('diff.previous')} · ${formatTime(before.createdAt)}` }] : []),
      ...(hasPreview ? [{ value: PREVIEW, label: t('diff.preview') }] : []),
      ...others.map((each) => ({ value: each.id, label: label(each) })),
    ]
  }, [messages, messageId, hasPreview, t])
}

interface Side {
  sha256: string
  ledger: Ledger
}

function Lines({ before, after }: { before: Side; after: Side }) {
  const { t } = useTranslation(['context', 'common'])
  const [diff, setDiff] = useState<LineDiff | 'working' | 'same' | 'large'>('working')
  useEffect(() => {
    let current = true
    setDiff('working')
    if (before.sha256 === after.sha256) setDiff('same')
    else {
      void diffTexts(requestText(before.ledger), requestText(after.ledger)).then(
        (result) => current && setDiff(result ?? 'large'),
      )
    }
    return () => {
      current = false
    }
  }, [before, after])
  if (diff === 'working') return <p className="inspector-note dim small pulse">{t('diff.working')}</p>
  if (diff === 'same') return <p className="inspector-note ok-t small">{t('diff.same')}</p>
  if (diff === 'large') {
    const block = firstDifference(before.ledger, after.ledger)
    return (
      <p className="inspector-note mid small">
        {t('diff.tooLarge', { block: block ? t(`common:block.${block}`) : '' })}
      </p>
    )
  }
  return (
    <>
      <p className="inspector-note small dim">
        <span className="ok-t">{t('diff.added', { count: diff.added })}</span> ·{' '}
        <span className="danger-t">{t('diff.removed', { count: diff.removed })}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard */}
      <pre className="mono diff-lines" tabIndex={0}>
        {diff.rows.map((row, index) =>
          row.kind === 'fold' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity and never move
            <span key={index} className="diff-fold">
              {t('diff.unchanged', { count: row.count })}
            </span>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity and never move
            <span key={index} className={`diff-${row.kind}`}>
              <i aria-hidden="true">{{ added: '+', removed: '−', same: ' ' }[row.kind]}</i>
              {row.text}
            </span>
          ),
        )}
      </pre>
    </>
  )
}
