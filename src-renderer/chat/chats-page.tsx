import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from '../app/navigation'
import { PageFrame } from '../app/page-frame'
import { RightPane } from '../app/right-pane'
import { SLOTS } from '../app/slots'
import { useNeedsFirstRun } from '../first-run/first-run-store'
import { SessionList } from '../sessions/session-list'
import { ChatView } from './chat-view'
import { openTranscript, useTranscript } from './transcript-store'

/** The window's name follows the chat, for task switchers and screen readers. */
function useWindowTitle(sessionId: string | null): void {
  const title = useTranscript((state) => (state.current?.sessionId === sessionId ? state.current.session.title : ''))
  useEffect(() => {
    document.title = title ? `${title} · Strata` : 'Strata'
  }, [title])
}

/** The chats: list, the chat on screen, the inspector. While no model is connected, the first run instead of a new chat. */
export function ChatsPage() {
  const { t } = useTranslation('app')
  const sessionId = useNavigation((state) => state.sessionId)
  const needsFirstRun = useNeedsFirstRun()
  const FirstRun = needsFirstRun && !sessionId ? SLOTS.firstRun : null
  useEffect(() => {
    void openTranscript(sessionId)
  }, [sessionId])
  useWindowTitle(sessionId)
  return (
    <PageFrame list={<SessionList />} listLabel={t('place.chats')} end={FirstRun ? null : <RightPane />}>
      {FirstRun ? (
        <Suspense fallback={null}>
          <FirstRun />
        </Suspense>
      ) : (
        <ChatView sessionId={sessionId} />
      )}
    </PageFrame>
  )
}
