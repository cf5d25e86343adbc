import { openSession, useNavigation } from '../app/navigation'
import { openTranscript } from '../chat/transcript-store'
import { createSession } from '../sessions/session-actions'
import { moveDraft } from './draft-store'

/** Makes the chat the first message goes into, and shows it to whoever still waits for it. */
export async function makeSession(): Promise<string> {
  const { id } = await createSession()
  moveDraft(null, id)
  const { place, sessionId } = useNavigation.getState()
  if (sessionId !== null) return id
  if (place !== 'chats') useNavigation.setState({ sessionId: id })
  else {
    openSession(id)
    await openTranscript(id)
  }
  return id
}
