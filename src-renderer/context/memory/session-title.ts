import { call } from '../../api/client'
import { useSessions } from '../../sessions/session-store'

/** A chat's title; '' when it is gone. */
export async function sessionTitle(sessionId: string): Promise<string> {
  const known = useSessions.getState().sessions.find((session) => session.id === sessionId)
  if (known) return known.title
  return call('sessions.get', { sessionId, limit: 1 }).then(
    ({ session }) => session.title,
    () => '',
  )
}
