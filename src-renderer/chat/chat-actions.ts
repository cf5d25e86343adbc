import type { Message, Session, SessionChange, SessionPatch } from '../../src-main/sessions/contract'
import { call } from '../api/client'
import { changeKeptEdit } from '../app/kept-edits'
import { useNavigation } from '../app/navigation'
import { focusComposer } from '../composer/composer-focus'
import { addToDraft } from '../composer/draft-store'
import { i18n } from '../i18n/i18n'
import { keepSession } from '../sessions/session-store'
import { announce } from '../ui/announcer'
import { saveFile } from '../ui/save-file'
import { showError, showToast } from '../ui/toast'
import { useRunning } from './running-store'
import { keepOpenSession, refreshTranscript, useTranscript } from './transcript-store'

/** Runs one act on the open chat, shows why it was refused, and reads the tail again. */
async function act(run: (sessionId: string) => Promise<unknown>): Promise<void> {
  const sessionId = useTranscript.getState().current?.sessionId
  if (!sessionId) return
  try {
    await run(sessionId)
  } catch (error) {
    showError(error)
  }
  refreshTranscript(sessionId, 0)
}

export const regenerate = (messageId: string, modelId?: string) =>
  act((sessionId) => call('turns.regenerate', { sessionId, messageId, ...(modelId ? { modelId } : {}) }))

export const continueAnswer = (messageId: string) =>
  act((sessionId) => call('turns.continue', { sessionId, messageId }))

/** The words an editor of a message begins with again: of an edit that was refused, or that was left undecided. */
export const editKey = (messageId: string): string => `message:${messageId}`

/** Closes the editor at once; it comes back with the words when they are refused. */
async function edit(messageId: string, text: string, run: (sessionId: string) => Promise<unknown>): Promise<void> {
  const sessionId = useTranscript.getState().current?.sessionId
  await act(async (id) => {
    try {
      await run(id)
    } catch (error) {
      changeKeptEdit<string>(editKey(messageId), (now) => now ?? text)
      // whoever edits another message by now finds these words when this one is edited again
      const { sessionId: shown, editing } = useNavigation.getState()
      if (shown === sessionId && editing === null) useNavigation.setState({ editing: messageId })
      throw error
    }
  })
}

export const editAndResend = (messageId: string, text: string) =>
  edit(messageId, text, (sessionId) => call('turns.edit-and-resend', { sessionId, messageId, text }))

/** A sibling with the new text; nothing is sent. */
export const editOnly = (messageId: string, text: string) =>
  edit(messageId, text, () => call('messages.edit', { messageId, text }))

export const selectVersion = (messageId: string) => act(() => call('messages.select', { messageId }))

export const removeMessage = (messageId: string) => act(() => call('messages.remove', { messageId }))

/** Answers the last message anew; false when there is nothing to answer or an answer is running. */
export function regenerateLast(): boolean {
  const { current } = useTranscript.getState()
  const last = current?.messages.at(-1)
  if (!current || !last || useRunning.getState().bySession[current.sessionId]) return false
  void regenerate(last.id)
  return true
}

/** Stops the answer of the chat on screen; false when none is running. */
export function stopRunning(): boolean {
  const { sessionId } = useNavigation.getState()
  const turn = sessionId ? useRunning.getState().bySession[sessionId] : undefined
  if (!turn) return false
  void call('turns.stop', { turnId: turn.turnId }).catch(showError)
  return true
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(i18n.t('copied'), { tone: 'ok', lasts: 1500 })
    announce(i18n.t('copied'))
  } catch {
    showToast(i18n.t('chat:copyRefused'), { tone: 'bad' })
  }
}

/** Puts the selected words of a message, or all of it, into the composer as a quotation. */
export function quoteMessage(message: Message): void {
  const selection = window.getSelection()?.toString().trim()
  const text = selection || message.text
  const quoted = text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  addToDraft(message.sessionId, `${quoted}\n\n`)
  // after the menu has given the focus back to its button
  setTimeout(focusComposer, 60)
}

export async function saveRecord(messageId: string): Promise<void> {
  try {
    const { fileName, dataBase64 } = await call('transfer.record', { messageId })
    saveFile(fileName, dataBase64, 'application/json')
  } catch (error) {
    showError(error)
  }
}

/** From now on what was written under isolation counts like everything else of the chat. */
export async function releaseIsolated(sessionId: string): Promise<void> {
  try {
    const { session } = await call('sessions.release-isolated', { sessionId })
    keepOpenSession(session)
    keepSession(session)
  } catch (error) {
    showError(error)
  }
}

/** Changes settings of a chat. Rejects when it is refused. */
export async function saveOpenSession(
  sessionId: string,
  patch: SessionPatch,
  change?: SessionChange,
): Promise<Session> {
  const session = await call('sessions.update', { sessionId, patch, ...(change ? { change } : {}) })
  keepOpenSession(session)
  keepSession(session)
  return session
}

/** Changes settings of a chat, lists by what is added and taken away, and says why it was refused. */
export async function patchOpenSession(
  sessionId: string,
  patch: SessionPatch,
  change?: SessionChange,
): Promise<Session | null> {
  try {
    return await saveOpenSession(sessionId, patch, change)
  } catch (error) {
    showError(error)
    return null
  }
}
