import { openSession } from '../app/navigation'
import { openTranscript } from '../chat/transcript-store'
import { createSession } from '../sessions/session-actions'
import { moveDraft } from './draft-store'

/** The chat the composer writes into, made now if it does not exist yet. */
export async function ensureSession(sessionId: string | null): Promise<string> {
  if (sessionId) return sessionId
  const session = await createSession()
  moveDraft(null, session.id)
  openSession(session.id)
  await openTranscript(session.id)
  return session.id
}
