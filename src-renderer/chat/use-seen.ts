import { useEffect } from 'react'
import type { Session } from '../../src-main/sessions/contract'
import { patchSession } from '../sessions/session-actions'

/** Tells the host that what came has been shown: at once, or when somebody looks at the window again. */
export function useSeen(session: Session | null): void {
  const id = session?.unread ? session.id : null
  useEffect(() => {
    if (id === null) return
    const say = () => {
      if (document.visibilityState === 'visible') void patchSession(id, { unread: false })
    }
    say()
    document.addEventListener('visibilitychange', say)
    return () => document.removeEventListener('visibilitychange', say)
  }, [id])
}
