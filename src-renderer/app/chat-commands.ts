import { useTranscript } from '../chat/transcript-store'
import { focusListSearch } from '../sessions/list-search-focus'
import { exportSessions, forkSession, patchSession, removeSessions } from '../sessions/session-actions'
import { updateSettings, useSettings } from '../settings/settings-store'
import { showError } from '../ui/toast'
import { useNavigation } from './navigation'

/** Runs on the chat on screen; false where there is none. */
const onChat = (run: (sessionId: string) => unknown) => (): boolean => {
  const { place, sessionId } = useNavigation.getState()
  if (place !== 'chats' || !sessionId) return false
  run(sessionId)
  return true
}

const sessionNow = () => useTranscript.getState().current?.session

export const forkChat = onChat((id) => forkSession(id))
export const pinChat = onChat((id) => patchSession(id, { pinned: !sessionNow()?.pinned }))
export const archiveChat = onChat((id) => patchSession(id, { archived: !sessionNow()?.archived }))
export const binChat = onChat((id) => removeSessions([id]))
export const exportMarkdown = onChat((id) => exportSessions([id], 'markdown'))
export const exportJson = onChat((id) => exportSessions([id], 'json'))

export function searchChats(): void {
  useNavigation.setState({ place: 'chats', listOpen: true })
  focusListSearch()
}

/** Light, dark, as the system, and around again. */
export function nextTheme(): void {
  const order = ['system', 'light', 'dark'] as const
  const now = useSettings.getState().settings?.general.theme ?? 'system'
  const theme = order[(order.indexOf(now) + 1) % order.length] ?? 'system'
  void updateSettings({ general: { theme } }).catch(showError)
}
