import type { KeyboardEvent } from 'react'
import { useNavigation } from '../app/navigation'
import { useTranscript } from '../chat/transcript-store'
import { useSettings } from '../settings/settings-store'
import { leafHistory } from './composer-history'
import { draftOf } from './draft-store'
import { queueOf, takeQueued } from './queue-store'
import { appendDraft, sendDraft } from './send-message'

interface ComposerKeys {
  sessionId: string | null
  snippetsOpen: boolean
  openSnippets(): void
}

/** An input method is at work: its Enter picks a word and must send nothing. Safari reports it by key code only. */
const composing = (event: KeyboardEvent) => event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229

/** Opens the editor of the newest message of one's own; false when there is none. */
function editLastMessage(): boolean {
  const last = useTranscript.getState().current?.messages.findLast((message) => message.role === 'user')
  if (!last) return false
  useNavigation.setState({ editing: last.id, jumpTo: { messageId: last.id, at: Date.now() } })
  return true
}

/** Enter sends, Shift+Enter breaks, Alt+Enter adds without a reply, Up in an empty field edits, Alt+Up leafs back, `/` opens snippets. */
export function useComposerKeys({ sessionId, openSnippets, snippetsOpen }: ComposerKeys) {
  const enterSends = useSettings((state) => state.settings?.general.enterSends ?? true)
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (composing(event) || snippetsOpen) return
    const empty = draftOf(sessionId).text === ''
    if (event.key === 'Enter') {
      const chord = event.ctrlKey || event.metaKey
      if (event.altKey) void appendDraft(sessionId)
      else if (event.shiftKey || (!enterSends && !chord)) return
      else void sendDraft(sessionId)
    } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && event.altKey && !event.shiftKey) {
      leafHistory(sessionId, event.key === 'ArrowUp' ? 1 : -1)
    } else if (event.key === 'ArrowUp' && empty && !event.shiftKey && !event.altKey) {
      if (recallQueued(sessionId)) event.preventDefault()
      else if (!editLastMessage()) return
    } else if (event.key === '/' && empty && !event.ctrlKey && !event.metaKey) openSnippets()
    else return
    event.preventDefault()
  }
}

/** The last queued message comes back into the field first; false when nothing waits. */
function recallQueued(sessionId: string | null): boolean {
  const last = queueOf(sessionId).at(-1)
  if (!last) return false
  void takeQueued(last.id)
  return true
}
