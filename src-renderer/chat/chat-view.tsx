import { useTranslation } from 'react-i18next'
import { SLOTS } from '../app/slots'
import { Composer } from '../composer/composer'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { ChatHeader } from './chat-header'
import { CompareDialog } from './compare-dialog'
import { FindBar } from './find-bar'
import { Transcript } from './transcript'
import { openTranscript, useTranscript } from './transcript-store'
import { useSeen } from './use-seen'

/** One chat: header, transcript, composer. */
export function ChatView({ sessionId }: { sessionId: string | null }) {
  useSeen(useTranscript((state) => (state.current?.sessionId === sessionId ? state.current.session : null)))
  return (
    <>
      <ChatHeader sessionId={sessionId} />
      <FindBar sessionId={sessionId} />
      <ChatBody sessionId={sessionId} />
      <div className="comp">
        {SLOTS.aboveComposer.map((Part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is a constant
          <Part key={index} sessionId={sessionId} />
        ))}
        <Composer sessionId={sessionId} />
      </div>
      <CompareDialog />
    </>
  )
}

function ChatBody({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const { current, state, error } = useTranscript()
  if (!sessionId || (current?.sessionId === sessionId && current.messages.length === 0)) {
    return (
      <div className="log">
        <EmptyState icon="strata" title={current?.session.temporary ? t('emptyTemporary') : t('empty')}>
          {current?.session.temporary ? t('emptyTemporaryHelp') : t('emptyHelp')}
        </EmptyState>
      </div>
    )
  }
  if (state === 'failed') {
    return (
      <div className="log">
        <EmptyState
          icon="warn"
          title={t('unreadable')}
          action={<Button onClick={() => void openTranscript(sessionId)}>{t('common:retry')}</Button>}
        >
          {error}
        </EmptyState>
      </div>
    )
  }
  if (current?.sessionId !== sessionId) return <div className="log" aria-busy="true" />
  return <Transcript key={sessionId} transcript={current} />
}
