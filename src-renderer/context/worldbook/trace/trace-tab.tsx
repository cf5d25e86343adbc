import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Trace } from '../../../../src-main/context/worldbook/trace-contract'
import { call } from '../../../api/client'
import { openSessionSettings, useNavigation } from '../../../app/navigation'
import { useTranscript } from '../../../chat/transcript-store'
import { useDraft } from '../../../composer/draft-store'
import { Button } from '../../../ui/button'
import { EmptyState } from '../../../ui/empty-state'
import { usePreview } from '../../context-bar/preview-store'
import { TraceSource } from './trace-source'
import { TraceView } from './trace-view'

interface Recorded {
  messageId: string
  trace: Trace | null
  error: string
}

/** The trace kept with an answer; read once per answer. */
function useRecorded(messageId: string | null): Recorded | null {
  const [recorded, setRecorded] = useState<Recorded | null>(null)
  useEffect(() => {
    if (messageId === null) return
    let current = true
    call('turns.record', { messageId })
      .then((record) => current && setRecorded({ messageId, trace: record.worldbook as Trace | null, error: '' }))
      .catch((error) => {
        if (current)
          setRecorded({ messageId, trace: null, error: error instanceof Error ? error.message : String(error) })
      })
    return () => {
      current = false
    }
  }, [messageId])
  return recorded?.messageId === messageId ? recorded : null
}

/** The messages the scan saw, oldest first, as far as they are on screen. */
function useScanned(sessionId: string | null, answerId: string | null): readonly string[] {
  const current = useTranscript((state) => (state.current?.sessionId === sessionId ? state.current : null))
  const draft = useDraft(sessionId).text
  return useMemo(() => {
    const messages = current?.messages ?? []
    if (answerId === null) return [...messages.map(({ text }) => text), ...(draft.trim() ? [draft] : [])]
    const at = messages.findIndex(({ id }) => id === answerId)
    return messages.slice(0, Math.max(at, 0)).map(({ text }) => text)
  }, [current, draft, answerId])
}

/** Which entries fire for the draft, or fired for an answer, and why the others did not. */
export function WorldbookTab({ sessionId }: { sessionId: string | null }) {
  const answerId = useNavigation((state) => state.sentMessageId)
  const recorded = useRecorded(answerId)
  const preview = usePreview((state) => (state.sessionId === sessionId ? state.preview : null))
  const draft = useDraft(sessionId).text
  const texts = useScanned(sessionId, answerId)
  const bound = useTranscript((state) => state.current?.session.worldbookIds.length ?? 0)
  const trace = answerId === null ? (preview?.worldbook as Trace | null | undefined) : recorded?.trace
  const failed = answerId === null ? '' : (recorded?.error ?? '')
  return (
    <>
      <TraceSource answerId={answerId} />
      {trace ? (
        <TraceView
          key={answerId ?? 'draft'}
          trace={trace}
          texts={texts}
          draft={answerId === null && draft.trim() !== ''}
        />
      ) : (
        <div className="insp-body">
          <NothingToShow
            sessionId={sessionId}
            bound={bound}
            answer={answerId !== null}
            failed={failed}
            waiting={trace === undefined}
          />
        </div>
      )}
    </>
  )
}

interface NothingProps {
  sessionId: string | null
  bound: number
  answer: boolean
  failed: string
  waiting: boolean
}

function NothingToShow({ sessionId, bound, answer, failed, waiting }: NothingProps) {
  const { t } = useTranslation('worldbook')
  if (failed) {
    return (
      <EmptyState icon="warn" title={t('trace.noRecord')}>
        {failed}
      </EmptyState>
    )
  }
  if (waiting && (answer || bound > 0)) return null
  const bind = sessionId && !answer && (
    <Button onClick={() => openSessionSettings('worldbookIds')}>{t('binding.bind')}</Button>
  )
  return (
    <EmptyState icon="book" title={answer ? t('trace.noneThen') : t('trace.none')} action={bind || undefined}>
      {t('trace.noneHelp')}
    </EmptyState>
  )
}
