import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Memory } from '../../../src-main/context/memory/contract'
import type { Retrieval } from '../../../src-main/context/memory/retrieval-contract'
import type { Preview } from '../../../src-main/turns/contract'
import { call } from '../../api/client'
import { openPlace, useNavigation } from '../../app/navigation'
import { useTranscript } from '../../chat/transcript-store'
import { formatTime } from '../../i18n/format'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { Segmented } from '../../ui/toggle'
import { shownPreview, usePreview } from '../context-bar/preview-store'
import { AbsentWords } from '../context-bar/usage-table'
import { loadRecord, recordKey, useRecords } from '../request-inspector/record-store'
import { CandidateView } from './candidate-view'
import { RetrievalFoot, RetrievalHead } from './retrieval-view'

/** What was looked for among the memories, what was found, and why the rest stayed out: of the draft or of an answer. */
export function MemoryTab({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation('memory')
  const messageId = useNavigation((state) => state.sentMessageId)
  const draft = usePreview()
  const record = useRecords((state) => (messageId ? state.records[recordKey(messageId)] : undefined))
  const recordError = useRecords((state) => (messageId ? state.errors[recordKey(messageId)] : undefined))
  useEffect(() => {
    if (messageId && !useRecords.getState().records[recordKey(messageId)]) void loadRecord(messageId)
  }, [messageId])
  const preview = messageId ? record : draft.sessionId === sessionId ? shownPreview(draft) : null
  const error = messageId ? recordError : draft.error
  return (
    <>
      <Which messageId={messageId} />
      <div className="insp-body">
        {preview ? (
          <Story preview={preview} />
        ) : (
          <EmptyState icon="memory" title={t('tab.none')}>
            {error || t('tab.noneHelp')}
          </EmptyState>
        )}
      </div>
    </>
  )
}

/** Draft or answer: the same choice as in the tab Sent. */
function Which({ messageId }: { messageId: string | null }) {
  const { t } = useTranslation(['memory', 'context'])
  const messages = useTranscript((state) => state.current?.messages)
  const last = messages?.findLast((message) => message.role === 'assistant')
  const sent = messages?.find((message) => message.id === messageId) ?? last
  return (
    <div className="req-top">
      <div className="row">
        <Segmented
          label={t('context:sent.which')}
          value={messageId ? 'sent' : 'draft'}
          onValue={(which) => useNavigation.setState({ sentMessageId: which === 'sent' ? (sent?.id ?? null) : null })}
          options={[
            {
              value: 'sent',
              label: t('context:sent.sentAt', { time: sent ? formatTime(sent.createdAt) : '' }),
              disabled: !sent,
            },
            { value: 'draft', label: t('context:sent.draft') },
          ]}
        />
      </div>
    </div>
  )
}

function Story({ preview }: { preview: Preview }) {
  const { t } = useTranslation('memory')
  // the turn keeps the room's record uninterpreted; the room's two sides agree on its shape
  const retrieval = preview.memory as Retrieval | null
  const memories = useTexts(retrieval)
  if (!retrieval) {
    const absent = preview.absent.find((each) => each.block === 'memory')
    return (
      <EmptyState
        icon="memory"
        title={t('tab.notAsked')}
        action={<Button onClick={() => openPlace('memory')}>{t('tab.open')}</Button>}
      >
        {absent ? <AbsentWords absent={absent} /> : t('tab.noneHelp')}
      </EmptyState>
    )
  }
  return (
    <>
      <RetrievalHead retrieval={retrieval} />
      {retrieval.candidates.map((candidate) => (
        <CandidateView key={candidate.memoryId} candidate={candidate} memory={memories[candidate.memoryId]} />
      ))}
      <RetrievalFoot retrieval={retrieval} />
    </>
  )
}

/** The candidates' words as they are stored now; a deleted one has none. */
function useTexts(retrieval: Retrieval | null): Readonly<Record<string, Memory>> {
  const [memories, setMemories] = useState<Readonly<Record<string, Memory>>>({})
  const ids = retrieval?.candidates.map((candidate) => candidate.memoryId).join('\n') ?? ''
  useEffect(() => {
    let gone = false
    const wanted = ids === '' ? [] : ids.split('\n')
    void Promise.all(wanted.map((id) => call('memory.get', { id }).catch(() => null))).then((found) => {
      if (gone) return
      setMemories(Object.fromEntries(found.flatMap((memory) => (memory ? [[memory.id, memory]] : []))))
    })
    return () => {
      gone = true
    }
  }, [ids])
  return memories
}
