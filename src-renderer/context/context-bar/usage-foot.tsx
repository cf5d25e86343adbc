import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Segment } from '../../../src-main/context/contract'
import type { Preview, TurnRecord } from '../../../src-main/turns/contract'
import { type CallOutput, call } from '../../api/client'
import { openSessionSettings, showSent } from '../../app/navigation'
import { useTranscript } from '../../chat/transcript-store'
import { formatTime, formatTokens } from '../../i18n/format'
import { Button } from '../../ui/button'
import { newChatWithSummary } from './new-chat-with-summary'
import { openUsage } from './preview-store'

interface Past {
  record: TurnRecord | null
  total: CallOutput<'turns.session-usage'> | null
}

/** Read when the popover opens: what the server said about the last reply, and the sums of the chat. */
function usePast(sessionId: string | null): Past {
  const lastId = useTranscript((state) =>
    state.current?.sessionId === sessionId
      ? state.current?.messages.findLast(({ role, state: now }) => role === 'assistant' && now !== 'streaming')?.id
      : undefined,
  )
  const [past, setPast] = useState<Past>({ record: null, total: null })
  useEffect(() => {
    let current = true
    const nothing = () => null // no record of this answer: the line says so
    void Promise.all([
      lastId ? call('turns.record', { messageId: lastId }).catch(nothing) : null,
      sessionId ? call('turns.session-usage', { sessionId }).catch(nothing) : null,
    ]).then(([record, total]) => current && setPast({ record, total }))
    return () => {
      current = false
    }
  }, [sessionId, lastId])
  return past
}

export function UsageFoot({ sessionId, preview }: { sessionId: string | null; preview: Preview }) {
  const { t } = useTranslation(['context', 'common'])
  const { record, total } = usePast(sessionId)
  const leave = (next: () => void) => () => {
    openUsage(false)
    next()
  }
  return (
    <div className="pop-foot">
      <dl>
        <div className="kv">
          <dt>{t('foot.last')}</dt>
          <dd className="num">
            {record ? <CacheLine record={record} /> : <span className="dim">{t('foot.noReply')}</span>}
          </dd>
        </div>
        {preview.prefix && <NextLine prefix={preview.prefix} />}
        {total && (
          <div className="kv">
            <dt>{t('foot.session')}</dt>
            <dd className="num">
              {t('foot.total', { input: formatTokens(total.inputTokens), output: formatTokens(total.outputTokens) })}{' '}
              <span className="dim">{t('foot.over', { count: total.messages })}</span>
            </dd>
          </div>
        )}
      </dl>
      <div className="row pop-actions">
        <Button small icon="eye" onClick={leave(() => showSent(null))}>
          {t('foot.inspect')}
        </Button>
        <Button small icon="cut" onClick={leave(() => openSessionSettings('historyLimit'))}>
          {t('foot.trim')}
        </Button>
        {sessionId && (
          <Button small icon="edit" onClick={leave(() => void newChatWithSummary(sessionId))}>
            {t('foot.newChat')}
          </Button>
        )}
      </div>
    </div>
  )
}

function CacheLine({ record }: { record: TurnRecord }) {
  const { t } = useTranslation(['context', 'common'])
  const { reported, prefix, sentAt } = record
  if (!reported) return <span className="dim">{t('foot.noReport')}</span>
  const of = formatTokens(reported.inputTokens)
  return (
    <>
      {reported.cachedInputTokens > 0
        ? t('foot.cached', { tokens: formatTokens(reported.cachedInputTokens), of })
        : t('foot.notCached', { of })}
      <span className="dim"> · {t('foot.at', { time: formatTime(sentAt) })}</span>
      {prefix?.firstChange && <FirstChange segment={prefix.firstChange.segment} />}
    </>
  )
}

function NextLine({ prefix }: { prefix: NonNullable<Preview['prefix']> }) {
  const { t } = useTranslation(['context', 'common'])
  const percent = prefix.totalBytes ? Math.floor((prefix.sharedBytes / prefix.totalBytes) * 100) : 0
  return (
    <div className="kv">
      <dt>{t('foot.next')}</dt>
      <dd className="num">
        {t('foot.shared', { percent })}
        {prefix.firstChange && <FirstChange segment={prefix.firstChange.segment} />}
      </dd>
    </div>
  )
}

function FirstChange({ segment }: { segment: Segment }) {
  const { t } = useTranslation(['context', 'common'])
  return (
    <span className="dim">
      {' '}
      · {t('foot.firstChange')}: <b className="mid">{t(`common:block.${segment}`)}</b>
    </span>
  )
}
