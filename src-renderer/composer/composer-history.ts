import { useTranscript } from '../chat/transcript-store'
import { changeDraft, draftOf } from './draft-store'

/** How far back a chat's composer has been leafed, and what stood in it before. */
const leafing = new Map<string, { at: number; draft: string; shown: string }>()

/** What was written in the chat on screen, newest first, each text once. */
function written(sessionId: string | null): string[] {
  const { current } = useTranscript.getState()
  if (!current || current.sessionId !== sessionId) return []
  const texts = current.messages.flatMap((message) => (message.role === 'user' && message.text ? [message.text] : []))
  return [...new Set(texts.toReversed())]
}

/** One message further back (1) or forward (-1); past the newest stands what was being typed. False: nothing there. */
export function leafHistory(sessionId: string | null, step: 1 | -1): boolean {
  const key = sessionId ?? ''
  const { text } = draftOf(sessionId)
  const before = leafing.get(key)
  // whoever changed a recalled text has begun a new draft
  const now = before?.shown === text ? before : { at: -1, draft: text, shown: text }
  const texts = written(sessionId)
  const at = now.at + step
  if (at < -1 || at >= texts.length) return false
  const shown = at === -1 ? now.draft : (texts[at] ?? '')
  leafing.set(key, { at, draft: now.draft, shown })
  changeDraft(sessionId, { text: shown })
  return true
}
