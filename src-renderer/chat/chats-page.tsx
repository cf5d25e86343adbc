import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from '../app/navigation'
import { PageFrame } from '../app/page-frame'
import { RightPane } from '../app/right-pane'
import { SessionList } from '../sessions/session-list'
import { ChatView } from './chat-view'
import { openTranscript } from './transcript-store'

/** The chats: list, the chat on screen, the inspector. */
export function ChatsPage() {
  const { t } = useTranslation('app')
  const sessionId = useNavigation((state) => state.sessionId)
  useEffect(() => {
    void openTranscript(sessionId)
  }, [sessionId])
  return (
    <PageFrame list={<SessionList />} listLabel={t('place.chats')} end={<RightPane />}>
      <ChatView sessionId={sessionId} />
    </PageFrame>
  )
}
