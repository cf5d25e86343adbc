import { call } from '../api/client'
import { openSession } from '../app/navigation'
import type { PaletteItem } from '../app/palette-sources'
import { formatWhen } from '../i18n/format'
import { useSessions } from './session-store'

/** For the palette: the newest chats while nothing is typed, else chats and messages that match. */
export async function findSessions(query: string): Promise<PaletteItem[]> {
  if (!query.trim()) {
    return useSessions
      .getState()
      .sessions.slice(0, 8)
      .map((session) => ({
        id: session.id,
        title: session.title,
        note: formatWhen(session.updatedAt),
        icon: 'chat' as const,
        run: () => openSession(session.id),
      }))
  }
  const { hits } = await call('sessions.search', { query: query.trim(), limit: 30 })
  // prompts have a group of their own
  const inChats = hits.filter((hit) => hit.promptId === undefined)
  return inChats.map((hit, index) => ({
    id: `${hit.sessionId}:${hit.messageId ?? hit.field}:${index}`,
    title: hit.title,
    note: hit.snippet,
    found: true,
    icon: hit.messageId ? ('search' as const) : ('chat' as const),
    run: () => openSession(hit.sessionId, hit.messageId),
  }))
}
