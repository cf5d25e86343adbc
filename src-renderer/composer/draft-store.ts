import { create } from 'zustand'
import type { Attachment } from '../../src-main/sessions/contract'
import { CallError, call } from '../api/client'
import { showError } from '../ui/toast'

export interface Draft {
  text: string
  attachments: readonly Attachment[]
  /** Messages that wait until the running answer ends. */
  queue: readonly string[]
}

const NOTHING: Draft = { text: '', attachments: [], queue: [] }
const SAVE_AFTER_MS = 400
const key = (sessionId: string | null) => sessionId ?? ''

/** What is being typed, by session id ('' = the chat that does not exist yet). */
export const useDrafts = create<{ drafts: Readonly<Record<string, Draft>> }>(() => ({ drafts: {} }))

export const draftOf = (sessionId: string | null): Draft => useDrafts.getState().drafts[key(sessionId)] ?? NOTHING
export const useDraft = (sessionId: string | null): Draft =>
  useDrafts((state) => state.drafts[key(sessionId)] ?? NOTHING)

const saving = new Map<string, ReturnType<typeof setTimeout>>()
/** Whether it was said that drafts cannot be kept; said again after they could. */
let told = false

async function save(sessionId: string | null): Promise<void> {
  clearTimeout(saving.get(key(sessionId)))
  saving.delete(key(sessionId))
  const { text, attachments, queue } = draftOf(sessionId)
  const fields = { sessionId, text, attachments: attachments.map((each) => each.id), queue: [...queue] }
  try {
    await call('drafts.save', fields)
    told = false
  } catch (error) {
    // a broken line is worth no message while the text still stands in the field; a full disk is, before it is lost
    const isStorage = error instanceof CallError && error.code.startsWith('storage.')
    if (isStorage && !told) showError(error)
    told ||= isStorage
  }
}

function put(sessionId: string | null, draft: Draft): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [key(sessionId)]: draft } }))
}

/** Changes a draft and keeps it, a moment later, where a restart finds it. */
export function changeDraft(sessionId: string | null, change: Partial<Draft>): void {
  put(sessionId, { ...draftOf(sessionId), ...change })
  clearTimeout(saving.get(key(sessionId)))
  saving.set(
    key(sessionId),
    setTimeout(() => void save(sessionId), SAVE_AFTER_MS),
  )
}

/** Reads a draft once a window; what was typed meanwhile wins. */
export async function loadDraft(sessionId: string | null): Promise<void> {
  if (useDrafts.getState().drafts[key(sessionId)]) return
  const kept = await call('drafts.get', { sessionId }).catch(() => NOTHING)
  if (!useDrafts.getState().drafts[key(sessionId)]) put(sessionId, kept)
}

/** Empties a draft after it was sent, at once. The queue stays. */
export function clearDraft(sessionId: string | null): void {
  put(sessionId, { ...draftOf(sessionId), text: '', attachments: [] })
  void save(sessionId)
}

/** Puts words at the end of a draft, on a line of their own. */
export function addToDraft(sessionId: string | null, text: string): void {
  const before = draftOf(sessionId).text
  changeDraft(sessionId, { text: before && !before.endsWith('\n') ? `${before}\n${text}` : before + text })
}

/** The draft of the unborn chat becomes that of the chat made for it. */
export function moveDraft(from: string | null, to: string): void {
  put(to, draftOf(from))
  put(from, NOTHING)
  void save(from)
}

/** Before the window closes: writes what still waits. */
export function flushDrafts(): void {
  for (const id of [...saving.keys()]) void save(id || null)
}
