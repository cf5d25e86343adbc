import type { Session, SessionChange, SessionPatch } from '../../src-main/sessions/contract'
import { call } from '../api/client'
import { openSession, useNavigation } from '../app/navigation'
import { focusComposer } from '../composer/composer-focus'
import { i18n } from '../i18n/i18n'
import { saveFile } from '../ui/save-file'
import { showError, showToast } from '../ui/toast'
import { listRows } from './list-rows'
import { keepSession, loadSessions, useSessions } from './session-store'

/** The chat is made with its first message; until then there is only a screen. */
export function newChat(): void {
  openSession(null)
  focusComposer()
}

/** Leaves nothing on disk once it is closed. */
export async function newTemporaryChat(): Promise<void> {
  try {
    const session = await call('sessions.create', { temporary: true })
    keepSession(session)
    openSession(session.id)
    focusComposer()
  } catch (error) {
    showError(error)
  }
}

/** Makes the chat the first message goes into. */
export async function createSession(): Promise<Session> {
  const session = await call('sessions.create', {})
  keepSession(session)
  return session
}

/** Changes the list at once; when the change is refused, the list is read as it is by then. */
export async function patchSession(sessionId: string, patch: SessionPatch, change?: SessionChange): Promise<void> {
  const shown = useSessions.getState().sessions.find((session) => session.id === sessionId)
  if (shown) keepSession({ ...shown, ...(patch as Partial<Session>) })
  try {
    keepSession(await call('sessions.update', { sessionId, patch, ...(change ? { change } : {}) }))
  } catch (error) {
    showError(error)
    await loadSessions().catch(showError)
  }
}

export async function patchSessions(ids: readonly string[], patch: SessionPatch): Promise<void> {
  await Promise.all(ids.map((id) => patchSession(id, patch)))
}

/** Rejects when it is refused. */
export async function renameSession(sessionId: string, title: string): Promise<void> {
  keepSession(await call('sessions.update', { sessionId, patch: { title } }))
}

function leaveIfOpen(ids: readonly string[]): void {
  const { sessionId } = useNavigation.getState()
  if (sessionId && ids.includes(sessionId)) useNavigation.setState({ sessionId: null, jumpTo: null })
}

function dropFromList(ids: readonly string[]): void {
  useSessions.setState(({ sessions, selected }) => ({
    sessions: sessions.filter((session) => !ids.includes(session.id)),
    selected: new Set([...selected].filter((id) => !ids.includes(id))),
  }))
}

/** Into the bin, with a way back in the same breath. */
export async function removeSessions(ids: readonly string[]): Promise<void> {
  try {
    const { removed } = await call('sessions.remove', { sessionIds: [...ids] })
    leaveIfOpen(ids)
    dropFromList(ids)
    showToast(i18n.t('sessions:removed', { count: removed }), {
      action: { label: i18n.t('undo'), run: () => void restoreSessions(ids) },
    })
  } catch (error) {
    showError(error)
  }
}

export async function restoreSessions(ids: readonly string[]): Promise<void> {
  try {
    await call('sessions.restore', { sessionIds: [...ids] })
    await loadSessions()
  } catch (error) {
    showError(error)
  }
}

/** For good. */
export async function purgeSessions(ids: readonly string[]): Promise<void> {
  try {
    await call('sessions.purge', { sessionIds: [...ids] })
    leaveIfOpen(ids)
    dropFromList(ids)
  } catch (error) {
    showError(error)
  }
}

/** Opens the copy. With a message, the branch up to and including it. */
export async function forkSession(sessionId: string, messageId?: string): Promise<void> {
  try {
    const fork = await call('sessions.fork', { sessionId, ...(messageId ? { messageId } : {}) })
    keepSession(fork)
    openSession(fork.id)
  } catch (error) {
    showError(error)
  }
}

export async function exportSessions(ids: readonly string[], format: 'json' | 'markdown'): Promise<void> {
  try {
    const { fileName, dataBase64 } = await call('transfer.export', { sessionIds: [...ids], format })
    saveFile(fileName, dataBase64)
  } catch (error) {
    showError(error)
  }
}

export async function saveFolder(folder: { id?: string; name: string; parentId?: string | null }): Promise<void> {
  try {
    await call('folders.save', folder)
    await loadSessions()
  } catch (error) {
    showError(error)
  }
}

/** Into another folder, or null: to the top. The host refuses circles with its own words. */
export async function moveFolder(id: string, parentId: string | null): Promise<void> {
  const folder = useSessions.getState().folders.find((each) => each.id === id)
  if (folder && folder.parentId !== parentId) await saveFolder({ id, name: folder.name, parentId })
}

export async function saveTag(tag: { id: string; name: string; colour?: string }): Promise<void> {
  try {
    await call('tags.save', tag)
    await loadSessions()
  } catch (error) {
    showError(error)
  }
}

/** Off every chat that carries it. */
export async function removeTag(id: string): Promise<void> {
  try {
    await call('tags.remove', { id })
    if (useSessions.getState().tagId === id) useSessions.setState({ tagId: null })
    await loadSessions()
  } catch (error) {
    showError(error)
  }
}

export async function removeFolder(id: string): Promise<void> {
  try {
    await call('folders.remove', { id })
    await loadSessions()
  } catch (error) {
    showError(error)
  }
}

/** Makes the tag when nobody has it yet, then puts it on the chats. */
export async function tagSessions(ids: readonly string[], name: string): Promise<void> {
  try {
    const known = useSessions.getState().tags.find((each) => each.name === name)
    const tag = known ?? (await call('tags.save', { name }))
    const chosen = useSessions.getState().sessions.filter((session) => ids.includes(session.id))
    const bare = chosen.filter((session) => !session.tagIds.includes(tag.id))
    await Promise.all(bare.map((session) => patchSession(session.id, {}, { tagIds: { add: [tag.id] } })))
    await loadSessions()
  } catch (error) {
    showError(error)
  }
}

/** The next or previous chat in the order of the list; false when there is none. */
export function openNeighbour(step: 1 | -1): boolean {
  const rows = listRows({ ...useSessions.getState(), view: 'active', tagId: null, now: new Date() })
  const ids = rows.flatMap((row) => (row.kind === 'session' ? [row.session.id] : []))
  if (ids.length === 0) return false
  const at = ids.indexOf(useNavigation.getState().sessionId ?? '')
  const next = at < 0 ? (step > 0 ? 0 : ids.length - 1) : (at + step + ids.length) % ids.length
  openSession(ids[next] ?? null)
  return true
}
