import { create } from 'zustand'
import type { Preview } from '../../src-main/turns/contract'

interface SentWindow {
  sessionId: string | null
  /** Of the newest preview of this chat; null = everything is sent. */
  start: Preview['windowStart']
}

/** Where the window that would be sent begins. Whoever reads a preview puts it here; the transcript draws the line. */
export const useSentWindow = create<SentWindow>(() => ({ sessionId: null, start: null }))

export function setSentWindow(sessionId: string, start: Preview['windowStart']): void {
  const before = useSentWindow.getState()
  if (before.sessionId === sessionId && before.start?.messageId === start?.messageId) {
    if (before.start?.dropped === start?.dropped && before.start?.limit === start?.limit) return
  }
  useSentWindow.setState({ sessionId, start })
}
