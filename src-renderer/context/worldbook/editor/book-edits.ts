import { create } from 'zustand'
import type { Entry, EntryInput } from '../../../../src-main/context/worldbook/entry-contract'
import { call } from '../../../api/client'
import { dropUnsaved, retryLater, showUnsaved } from '../../../app/unsaved'
import { bookName } from '../book-store'

export type EntryPatch = Partial<Omit<Entry, 'id'>>
type Edits = ReadonlyMap<string, EntryPatch>

/** What was typed into the entries of one book and is not stored yet. It belongs to that book, whichever is on screen. */
interface BookEdits {
  /** Typed since the last try. */
  pending: Map<string, EntryPatch>
  /** On their way to the main process. */
  sending: Edits
  /** Resolves to whether all is stored. */
  saving: Promise<boolean> | null
  timer: ReturnType<typeof setTimeout> | null
  retry: ReturnType<typeof retryLater>
  failed: boolean
}

const SAVE_AFTER_MS = 500
const LEFT_KEY = 'strata.worldbook.unsaved'
const NONE: Edits = new Map()
const books = new Map<string, BookEdits>()

/** Books with edits that are not stored yet. */
export const useBookEdits = create<{ unsaved: ReadonlySet<string> }>(() => ({ unsaved: new Set() }))

export interface SavedEdits {
  worldbookId: string
  version: number
  saved: readonly Entry[]
}
let onSaved: (saved: SavedEdits) => void = () => undefined
/** Told of every save that went well. */
export const whenSaved = (tell: typeof onSaved): void => {
  onSaved = tell
}

function editsOf(worldbookId: string): BookEdits {
  const known = books.get(worldbookId)
  if (known) return known
  const made: BookEdits = {
    pending: new Map(),
    sending: NONE,
    saving: null,
    timer: null,
    retry: retryLater(() => void flushBook(worldbookId)),
    failed: false,
  }
  books.set(worldbookId, made)
  return made
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const unsavedId = (worldbookId: string) => `worldbook:${worldbookId}`

function tellState(worldbookId: string): void {
  const edits = books.get(worldbookId)
  const open = edits !== undefined && (edits.pending.size > 0 || edits.saving !== null)
  if (useBookEdits.getState().unsaved.has(worldbookId) === open) return
  useBookEdits.setState(({ unsaved }) => ({
    unsaved: new Set(open ? [...unsaved, worldbookId] : [...unsaved].filter((id) => id !== worldbookId)),
  }))
}

/** The entries as they were typed: what is stored, with what is not stored yet on top. */
export function withEdits(worldbookId: string, entries: readonly Entry[]): Entry[] {
  const edits = books.get(worldbookId)
  if (!edits) return [...entries]
  return entries.map((entry) => ({ ...entry, ...edits.sending.get(entry.id), ...edits.pending.get(entry.id) }))
}

/** Remembers what was typed and stores it a moment after the last key. */
export function addEdits(worldbookId: string, ids: readonly string[], patch: EntryPatch): void {
  const edits = editsOf(worldbookId)
  for (const id of ids) edits.pending.set(id, { ...edits.pending.get(id), ...patch })
  if (edits.timer) clearTimeout(edits.timer)
  edits.timer = setTimeout(() => void flushBook(worldbookId), SAVE_AFTER_MS)
  tellState(worldbookId)
}

/** Stores what was typed into one book so far. False = it was refused; it is kept, shown as unsaved and tried again. */
export async function flushBook(worldbookId: string): Promise<boolean> {
  const edits = books.get(worldbookId)
  if (!edits) return true
  if (edits.timer) clearTimeout(edits.timer)
  edits.timer = null
  if (edits.saving) await edits.saving
  if (edits.saving || edits.pending.size > 0) {
    edits.saving ??= store(worldbookId, edits).finally(() => {
      edits.saving = null
      tellState(worldbookId)
    })
    return edits.saving
  }
  return true
}

/** Stores everything typed so far, into whichever books it was typed. */
export async function flushEdits(): Promise<void> {
  await Promise.all([...books.keys()].map(flushBook))
}

const inputOf = (edits: Edits): EntryInput[] => [...edits].map(([id, patch]) => ({ id, ...patch }))

async function store(worldbookId: string, edits: BookEdits): Promise<boolean> {
  const sent: Edits = edits.pending
  edits.sending = sent
  edits.pending = new Map()
  try {
    const { version, saved } = await call('worldbook.save-entries', { worldbookId, entries: inputOf(sent) })
    edits.sending = NONE
    edits.failed = false
    edits.retry.stop()
    dropUnsaved(unsavedId(worldbookId))
    onSaved({ worldbookId, version, saved })
    return true
  } catch (error) {
    edits.sending = NONE
    // given up meanwhile
    if (books.get(worldbookId) !== edits) return false
    for (const [id, patch] of sent) edits.pending.set(id, { ...patch, ...edits.pending.get(id) })
    edits.failed = true
    edits.retry.again()
    showUnsaved({
      id: unsavedId(worldbookId),
      name: bookName(worldbookId) ?? '',
      why: wordsOf(error),
      retry: () => void flushBook(worldbookId),
      discard: () => {
        forgetEdits(worldbookId)
        onSaved({ worldbookId, version: Number.POSITIVE_INFINITY, saved: [] })
      },
    })
    return false
  }
}

/** Nobody wants what was typed into these entries any more. */
export function dropEdits(worldbookId: string, ids: readonly string[]): void {
  const edits = books.get(worldbookId)
  if (!edits) return
  for (const id of ids) edits.pending.delete(id)
  if (edits.pending.size === 0 && edits.saving === null) forgetEdits(worldbookId)
}

/** The book is gone, or its edits are given up. */
export function forgetEdits(worldbookId: string): void {
  const edits = books.get(worldbookId)
  if (!edits) return
  if (edits.timer) clearTimeout(edits.timer)
  edits.retry.stop()
  books.delete(worldbookId)
  dropUnsaved(unsavedId(worldbookId))
  tellState(worldbookId)
}

/** Whether a save of this book is under way. */
export const isSaving = (worldbookId: string): boolean => Boolean(books.get(worldbookId)?.saving)

type Left = Record<string, Record<string, EntryPatch>>
function readLeft(): Left {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(LEFT_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Left) : {}
  } catch {
    return {} // nothing that could be read was left
  }
}

/** Before the window goes: everything is sent, and what was refused until now is left for the next one. */
function leaveEdits(): void {
  const left = readLeft()
  for (const [worldbookId, { pending, sending, failed, saving }] of books) {
    if (failed) left[worldbookId] = { ...left[worldbookId], ...Object.fromEntries([...sending, ...pending]) }
    if (!saving) void flushBook(worldbookId)
    // nobody could send later what is newer than a save on its way
    else if (pending.size > 0)
      call('worldbook.save-entries', { worldbookId, entries: inputOf(pending) }).catch(() => undefined) // sent again if the page stays
  }
  if (Object.keys(left).length > 0) localStorage.setItem(LEFT_KEY, JSON.stringify(left))
}

/** At start: what the last window could not save is typed again. */
export function wireEdits(): void {
  const left = readLeft()
  localStorage.removeItem(LEFT_KEY)
  for (const [worldbookId, entries] of Object.entries(left)) {
    for (const [id, patch] of Object.entries(entries)) addEdits(worldbookId, [id], patch)
  }
  window.addEventListener('pagehide', leaveEdits)
}
