import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Span } from '../../../src-main/context/contract'
import type { Preview, TurnRecord } from '../../../src-main/turns/contract'
import { showSent, useNavigation } from '../../app/navigation'
import { copyText, saveRecord } from '../../chat/chat-actions'
import { useTranscript } from '../../chat/transcript-store'
import { formatBytes, formatTime } from '../../i18n/format'
import { Button, IconButton } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { Select } from '../../ui/field'
import { saveText } from '../../ui/save-file'
import { Segmented } from '../../ui/toggle'
import { shownPreview, usePreview } from '../context-bar/preview-store'
import { UsageBar } from '../context-bar/usage-bar'
import { shortHash } from '../context-tab/context-tab'
import { DiffView } from './diff-view'
import { RawBody } from './raw-body'
import { Readable } from './readable'
import { loadRecord, recordKey, useRecords } from './record-store'
import { SentNotes } from './sent-notes'
import { SpanDetail } from './span-detail'

type View = 'readable' | 'raw' | 'diff'

/** The exact request: of an answer as it was sent, or of the draft as it would be. */
export function SentTab({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation('context')
  const messageId = useNavigation((state) => state.sentMessageId)
  const [view, setView] = useState<View>('readable')
  const [round, setRound] = useState<number | undefined>(undefined)
  const [span, setSpan] = useState<Span | null>(null)
  const shown = useShown(sessionId, messageId, round)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request has other spans
  useEffect(() => {
    setSpan(null)
    setRound(undefined)
  }, [messageId, sessionId])
  const preview = shown.preview
  const chosen = span && preview?.ledger.find((each) => each.id === span.id && each.text === span.text)
  return (
    <>
      <Top shown={shown} messageId={messageId} view={view} onView={setView} onRound={setRound} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape puts the detail away, wherever the focus is */}
      <div
        className="insp-body"
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !chosen) return
          event.preventDefault()
          setSpan(null)
        }}
      >
        {!preview && !messageId && !shown.error && <p className="inspector-note dim small">{t('usage.waiting')}</p>}
        {!preview && (messageId || shown.error) && (
          <EmptyState
            icon="eye"
            title={messageId ? t('sent.noRecord') : t('sent.none')}
            action={messageId && <Button onClick={() => showSent(null)}>{t('sent.showDraft')}</Button>}
          >
            {shown.error || t('sent.noneHelp')}
          </EmptyState>
        )}
        {preview && (
          <>
            <SentNotes shown={preview} record={shown.record} messageId={messageId} onDiff={() => setView('diff')} />
            {view === 'readable' && (
              <Readable ledger={preview.ledger} selectedId={chosen?.id ?? null} onSelect={setSpan} />
            )}
            {view === 'raw' && <RawBody preview={preview} />}
            {view === 'diff' && <DiffView shown={preview} messageId={messageId} />}
          </>
        )}
      </div>
      {chosen && view === 'readable' && (
        <SpanDetail
          span={chosen}
          sessionId={sessionId}
          exact={preview?.usage.quality === 'reported'}
          onClose={() => {
            setSpan(null)
            focusSpan(chosen.id)
          }}
        />
      )}
    </>
  )
}

const focusSpan = (id: string) => document.querySelector<HTMLElement>(`[data-span="${CSS.escape(id)}"]`)?.focus()

interface Shown {
  preview: Preview | null
  record: TurnRecord | null
  error: string
}

function useShown(sessionId: string | null, messageId: string | null, round: number | undefined): Shown {
  const draft = usePreview()
  const key = messageId ? recordKey(messageId, round) : ''
  const record = useRecords((state) => state.records[key]) ?? null
  const error = useRecords((state) => state.errors[key]) ?? ''
  useEffect(() => {
    if (messageId && !useRecords.getState().records[recordKey(messageId, round)]) void loadRecord(messageId, round)
  }, [messageId, round])
  if (messageId) return { preview: record, record, error }
  return { preview: draft.sessionId === sessionId ? shownPreview(draft) : null, record: null, error: draft.error }
}

interface TopProps {
  shown: Shown
  messageId: string | null
  view: View
  onView(view: View): void
  onRound(round: number): void
}

function Top({ shown, messageId, view, onView, onRound }: TopProps) {
  const { t } = useTranslation('context')
  const { preview, record } = shown
  const answers = useTranscript((state) => state.current?.messages)
  const last = answers?.findLast((message) => message.role === 'assistant')
  const sent = answers?.find((message) => message.id === messageId) ?? last
  const parts = preview ? new Set(preview.ledger.map((span) => span.message)).size : 0
  return (
    <div className="req-top">
      <div className="row">
        <Segmented
          label={t('sent.which')}
          value={messageId ? 'sent' : 'draft'}
          onValue={(which) => showSent(which === 'sent' ? (sent?.id ?? null) : null)}
          options={[
            {
              value: 'sent',
              label: t('sent.sentAt', { time: sent ? formatTime(record?.sentAt ?? sent.createdAt) : '' }),
              disabled: !sent,
            },
            { value: 'draft', label: t('sent.draft') },
          ]}
        />
        <span className="grow" />
        {preview && (
          <>
            <IconButton icon="copy" label={t('sent.copy')} onClick={() => void copyText(preview.wire.body)} />
            <IconButton
              icon="down2"
              label={messageId ? t('sent.export') : t('sent.exportPreview')}
              onClick={() =>
                messageId
                  ? void saveRecord(messageId)
                  : saveText('request-preview.json', JSON.stringify(preview, null, 2))
              }
            />
          </>
        )}
      </div>
      <div className="row">
        <Segmented
          label={t('sent.view')}
          value={view}
          onValue={onView}
          options={[
            { value: 'readable', label: t('sent.readable') },
            { value: 'raw', label: t('sent.raw') },
            { value: 'diff', label: t('sent.diff') },
          ]}
        />
        <span className="grow" />
        {preview && (
          <span className="tiny dim num sent-meta">
            <span className="sent-parts">{t('sent.parts', { count: parts })} · </span>
            {formatBytes(new Blob([preview.wire.body]).size)} ·{' '}
            <span className="mono" title={preview.sha256}>
              {shortHash(preview.sha256)}
            </span>
          </span>
        )}
      </div>
      {record && record.rounds > 1 && (
        <Select
          aria-label={t('sent.roundPick')}
          value={String(record.round)}
          onValue={(value) => onRound(Number(value))}
          options={Array.from({ length: record.rounds }, (_, at) => ({
            value: String(at + 1),
            label: t('sent.round', { round: at + 1, rounds: record.rounds }),
          }))}
        />
      )}
      {preview && <UsageBar usage={preview.usage} />}
    </div>
  )
}
