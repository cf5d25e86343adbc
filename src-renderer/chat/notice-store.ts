import { create } from 'zustand'

/** Lines a turn said once, such as a learned wire profile; gone with the window. */
export const useNotices = create<{ byMessage: Readonly<Record<string, readonly string[]>> }>(() => ({ byMessage: {} }))

export function addNotice(messageId: string, text: string): void {
  useNotices.setState(({ byMessage }) => ({
    byMessage: { ...byMessage, [messageId]: [...(byMessage[messageId] ?? []), text] },
  }))
}
