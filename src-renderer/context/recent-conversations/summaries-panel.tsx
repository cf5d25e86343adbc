import { useCallback, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConversationSummary } from '../../../src-main/context/recent-conversations/contract'
import { call, on } from '../../api/client'
import { useKeptEdit } from '../../app/kept-edits'
import { openSession } from '../../app/navigation'
import { formatStamp, langOf } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { useJobs } from '../../jobs/job-store'
import { updateSettings, useSettings } from '../../settings/settings-store'
import { Mark } from '../../ui/badge'
import { Button, LinkButton } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { TextArea, TextField } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { showError, showToast } from '../../ui/toast'
import { Switch } from '../../ui/toggle'
import { useLeftText } from '../text-editor/use-left-text'

/** The summaries other chats get to read: edit, write anew, delete, and what is sent of them. */
export function SummariesPanel() {
  const { t } = useTranslation('profile')
  const { summaries, error } = useSummaries()
  const settings = useSettings((state) => state.settings?.recentConversations)
  // A first try that failed has a reason and no words yet.
  const written = summaries?.filter((summary) => summary.text !== '') ?? []
  const sent = settings?.enabled ? written.slice(0, settings.inject) : []
  return (
    <>
      <header className="head one">
        <div className="row">
          <h1>{t('summaries.title')}</h1>
          <span className="small dim num">{summaries && t('summaries.count', { count: written.length })}</span>
          <span className="grow" />
          {settings && (
            <>
              <span className="small mid">{t('summaries.use')}</span>
              <Switch
                label={t('summaries.use')}
                checked={settings.enabled}
                onValue={(enabled) => change({ enabled })}
              />
            </>
          )}
        </div>
      </header>
      <div className="sheet">
        <div className="sheet-in">
          {settings && (
            <p className="small dim">
              {settings.enabled
                ? t('summaries.help', {
                    inject: settings.inject,
                    turns: settings.minUserTurns,
                    minutes: settings.minIntervalMinutes,
                  })
                : t('summaries.off')}
            </p>
          )}
          <SummarySettings />
          {error && <p className="danger-t small">{error}</p>}
          {summaries?.length === 0 && (
            <EmptyState icon="chat" title={t('summaries.none')}>
              {t('summaries.noneHelp', { turns: settings?.minUserTurns ?? 6 })}
            </EmptyState>
          )}
          {summaries?.map((summary) => (
            <SummaryView key={summary.sessionId} summary={summary} sent={sent.includes(summary)} />
          ))}
        </div>
      </div>
    </>
  )
}

const change = (patch: Record<string, unknown>) => void updateSettings({ recentConversations: patch }).catch(showError)

function useSummaries() {
  const [state, setState] = useState<{ summaries: readonly ConversationSummary[] | null; error: string }>({
    summaries: null,
    error: '',
  })
  const read = useCallback(() => {
    call('recent-conversations.list', {}).then(
      (summaries) =>
        setState({ summaries: [...summaries].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)), error: '' }),
      (error: Error) => setState({ summaries: [], error: error.message }),
    )
  }, [])
  useEffect(() => {
    read()
    const ends = (['recent-conversations.changed', 'sessions.changed', 'resync'] as const).map((name) => on(name, read))
    return () => {
      for (const end of ends) end()
    }
  }, [read])
  return state
}

function SummarySettings() {
  const { t } = useTranslation('profile')
  const settings = useSettings((state) => state.settings?.recentConversations)
  if (!settings) return null
  return (
    <div className="row sum-set small">
      <Figure field="inject" label={t('summaries.inject')} value={settings.inject} most={50} />
      <Figure
        field="minUserTurns"
        label={t('summaries.minTurns')}
        value={settings.minUserTurns}
        least={1}
        most={1000}
      />
      <Figure
        field="minIntervalMinutes"
        label={t('summaries.interval')}
        value={settings.minIntervalMinutes}
        most={100_000}
      />
    </div>
  )
}

interface FigureProps {
  field: 'inject' | 'minUserTurns' | 'minIntervalMinutes'
  label: string
  value: number
  least?: number
  most: number
}

function Figure({ field, label, value, least = 0, most }: FigureProps) {
  const id = useId()
  const read = (text: string) => (text.trim() === '' ? Number.NaN : Math.round(Number(text)))
  const typed = useLeftText({
    id: `setting:recentConversations.${field}`,
    name: label,
    stored: String(value),
    fits: (text) => read(text) >= least && read(text) <= most,
    save: (text) => updateSettings({ recentConversations: { [field]: read(text) } }),
  })
  return (
    <span className="row">
      <label className="dim" htmlFor={id}>
        {label}
      </label>
      <TextField
        id={id}
        className="top-k"
        figures
        inputMode="numeric"
        value={typed.value}
        onChange={(event) => typed.change(event.target.value)}
        onBlur={typed.leave}
        onKeyDown={(event) => event.key === 'Enter' && typed.leave()}
      />
    </span>
  )
}

function SummaryView({ summary, sent }: { summary: ConversationSummary; sent: boolean }) {
  const { t } = useTranslation(['profile', 'common'])
  const { sessionId, sessionTitle, source, userTurns, updatedAt, lastError } = summary
  const [edit, setEdit] = useKeptEdit<string>(`summary:${sessionId}`)
  const job = useJobs((state) =>
    state.jobs.find((each) => each.kind === 'summary' && each.state === 'running' && each.label.includes(sessionTitle)),
  )
  const run = (act: () => Promise<unknown>) => void act().catch(showError)
  const text = edit ?? summary.text
  return (
    <article className="summary" aria-label={sessionTitle}>
      <div className="row small">
        <LinkButton onClick={() => openSession(sessionId)}>
          <b className="strong" lang={langOf(sessionTitle)}>
            {sessionTitle}
          </b>
        </LinkButton>
        {sent && <Mark tone="ok">{t('summaries.sent')}</Mark>}
        {source === 'user' && <Mark tone="set">{t('summaries.edited')}</Mark>}
        <span className="grow" />
        <span className="dim num">
          {t('summaries.turns', { count: userTurns })} · {formatStamp(updatedAt)}
        </span>
      </div>
      {edit === null ? (
        text !== '' && (
          <p className="read" lang={langOf(text)}>
            {text}
          </p>
        )
      ) : (
        <TextArea
          className="read"
          rows={4}
          growTo={320}
          aria-label={t('summaries.text')}
          lang={langOf(text)}
          value={text}
          onChange={(event) => setEdit(event.target.value)}
        />
      )}
      {lastError && (
        <p className="small warn-t row">
          <Icon name="warn" size={14} />
          <span>
            {t(summary.text === '' ? 'summaries.firstError' : 'summaries.lastError', {
              error: inWords(lastError, summary.lastErrorWords),
            })}
          </span>
        </p>
      )}
      <div className="row">
        {edit === null ? (
          <Button small tone="ghost" icon="edit" onClick={() => setEdit(summary.text)}>
            {t('common:edit')}
          </Button>
        ) : (
          <>
            <Button
              small
              tone="primary"
              disabled={!edit.trim()}
              onClick={() =>
                run(async () => {
                  await call('recent-conversations.save', { sessionId, text: edit.trim() })
                  // what was typed on since is not stored
                  setEdit((now) => (now === edit ? null : now))
                })
              }
            >
              {t('common:save')}
            </Button>
            <Button small tone="ghost" onClick={() => setEdit(null)}>
              {t('common:cancel')}
            </Button>
          </>
        )}
        <Button
          small
          tone="ghost"
          icon="redo"
          disabled={Boolean(job)}
          onClick={() =>
            run(async () => {
              await call('recent-conversations.generate', { sessionId })
              showToast(t('summaries.queued'), { lasts: 2500 })
            })
          }
        >
          {t('summaries.again')}
        </Button>
        <Button
          small
          tone="danger"
          className="ghost"
          icon="trash"
          onClick={() => run(() => call('recent-conversations.remove', { sessionId }))}
        >
          {t('common:delete')}
        </Button>
      </div>
    </article>
  )
}
