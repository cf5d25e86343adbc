import { create } from 'zustand'
import type { Book, BookSettings } from '../../../../src-main/context/worldbook/book-contract'
import type { LintFinding } from '../../../../src-main/context/worldbook/contract'
import type { Entry, EntryInput } from '../../../../src-main/context/worldbook/entry-contract'
import { type CallInput, type CallOutput, call } from '../../../api/client'
import { showError } from '../../../ui/toast'
import { loadBooks, useBooks } from '../book-store'
import { addEdits, dropEdits, type EntryPatch, flushBook, isSaving, whenSaved, withEdits } from './book-edits'

interface OpenBookState {
  /** The book that is or will be on screen, also while it is read. */
  wantedId: string | null
  /** The book on screen as it stands here, edits included; null = none. */
  book: Book | null
  state: 'empty' | 'loading' | 'ready' | 'failed'
  error: string
  /** Tokens by entry id, as the main process counts them. */
  tokens: Readonly<Record<string, number>>
  /** null while the linter looks. */
  findings: readonly LintFinding[] | null
  /** The version whose content is shown after going back; null = the newest. */
  shownVersion: { at: number; newest: number } | null
}

export const useOpenBook = create<OpenBookState>(() => ({
  wantedId: null,
  book: null,
  state: 'empty',
  error: '',
  tokens: {},
  findings: null,
  shownVersion: null,
}))
const set = useOpenBook.setState
const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const CHECK_AFTER_MS = 350

let openings = 0
const shownId = (): string | undefined => useOpenBook.getState().book?.id

export async function openBook(worldbookId: string | null): Promise<void> {
  if (useOpenBook.getState().wantedId === worldbookId) return
  const mine = ++openings
  const left = shownId()
  set({ wantedId: worldbookId })
  // what is refused stays with the book it was typed into
  if (left) await flushBook(left)
  if (mine !== openings) return
  if (worldbookId === null) {
    set({ book: null, state: 'empty', tokens: {}, findings: null, shownVersion: null })
    return
  }
  set({ book: null, state: 'loading', error: '', tokens: {}, findings: null, shownVersion: null })
  try {
    const book = await call('worldbook.get', { worldbookId })
    if (mine === openings) show(book)
  } catch (error) {
    if (mine === openings) set({ wantedId: null, state: 'failed', error: wordsOf(error) })
  }
}

function show(book: Book): void {
  set({ book: { ...book, entries: withEdits(book.id, book.entries) }, state: 'ready', error: '' })
  checkSoon(0)
}

/** Another window or an import changed it: it is read again, and what is not stored yet stays on top. */
export function followList(): void {
  const { book } = useOpenBook.getState()
  if (!book || isSaving(book.id)) return
  const line = useBooks.getState().books.find((each) => each.id === book.id)
  if (!line) {
    if (useBooks.getState().loaded) void openBook(null)
    return
  }
  if (line.version > book.version) void readAgain(book.id)
}

async function readAgain(worldbookId: string): Promise<void> {
  const book = await call('worldbook.get', { worldbookId }).catch(() => null)
  const { book: shown } = useOpenBook.getState()
  // what was read before the newest change came back knows nothing of it
  if (!book || shown?.id !== worldbookId || book.version < shown.version) return
  if (book.version > shown.version) set({ shownVersion: null })
  show(book)
}

let checkTimer: ReturnType<typeof setTimeout> | null = null
let checks = 0

/** Counts and lints what is stored, a moment after the last change. */
function checkSoon(delay = CHECK_AFTER_MS): void {
  if (checkTimer) clearTimeout(checkTimer)
  checkTimer = setTimeout(() => void check(), delay)
}

async function check(): Promise<void> {
  const mine = ++checks
  const worldbookId = useOpenBook.getState().book?.id
  if (!worldbookId) return
  const current = () => mine === checks && useOpenBook.getState().book?.id === worldbookId
  try {
    const tokens = await call('worldbook.entry-tokens', { worldbookId })
    if (!current()) return
    set({ tokens })
    void loadBooks()
    const findings = await call('worldbook.lint', { worldbookId })
    if (current()) set({ findings })
  } catch (error) {
    if (current()) showError(error)
  }
}

/** Shows an edit at once and stores it a moment after the last one, in the book it was typed into. */
export function editEntry(id: string, patch: EntryPatch, worldbookId = shownId()): void {
  editEntries([id], patch, worldbookId)
}

export function editEntries(ids: readonly string[], patch: EntryPatch, worldbookId = shownId()): void {
  if (!worldbookId || ids.length === 0) return
  addEdits(worldbookId, ids, patch)
  const { book } = useOpenBook.getState()
  if (book?.id === worldbookId)
    set({ book: { ...book, entries: withEdits(book.id, book.entries) }, shownVersion: null })
}

whenSaved(({ worldbookId, version, saved }) => {
  // given up: the stored words come back
  if (version === Number.POSITIVE_INFINITY) void readAgain(worldbookId)
  else keepSaved(worldbookId, version, saved)
})

function keepSaved(worldbookId: string, version: number, saved: readonly Entry[]): void {
  const byId = new Map(withEdits(worldbookId, saved).map((entry) => [entry.id, entry]))
  keepChange(worldbookId, version, (book) => {
    const known = new Set(book.entries.map((entry) => entry.id))
    const entries = book.entries.map((entry) => byId.get(entry.id) ?? entry)
    for (const entry of saved) if (!known.has(entry.id)) entries.push(entry)
    return { entries }
  })
}

/**
 * What a change of a book answered. Only the version that follows the one on screen can be taken as it is: with any
 * other, somebody else changed the book in between, and their change is not in what came back.
 */
function keepChange(worldbookId: string, version: number, patchOf: (book: Book) => Partial<Book>): void {
  const { book } = useOpenBook.getState()
  if (book?.id !== worldbookId) return
  const follows = version === book.version || version === book.version + 1
  set({ book: { ...book, ...patchOf(book), version: Math.max(version, book.version) } })
  if (!follows) void readAgain(worldbookId)
  checkSoon()
}

/** Sends one change of the entries or the head, once everything typed into the book is stored. */
async function change(
  worldbookId: string,
  input: Omit<CallInput<'worldbook.save-entries'>, 'worldbookId'>,
  patchOf: (book: Book) => Partial<Book>,
): Promise<CallOutput<'worldbook.save-entries'>> {
  await flushBook(worldbookId)
  const answer = await call('worldbook.save-entries', { worldbookId, ...input })
  keepChange(worldbookId, answer.version, patchOf)
  if (shownId() === worldbookId) set({ shownVersion: null })
  return answer
}

/** Adds an entry at the end. Resolves to its id; null when it was refused or another book is on screen by then. */
export async function addEntry(entry: EntryInput): Promise<string | null> {
  const worldbookId = shownId()
  if (!worldbookId) return null
  try {
    const { version, saved } = await change(worldbookId, { entries: [entry] }, () => ({}))
    keepSaved(worldbookId, version, saved)
    return shownId() === worldbookId ? (saved[0]?.id ?? null) : null
  } catch (error) {
    showError(error)
    return null
  }
}

/** An entry that was removed, and the one it stood behind; null = it was the first. */
export interface RemovedEntry {
  entry: Entry
  after: string | null
}

/** Resolves to what is needed to put them back; null = nothing was removed. */
export async function removeEntries(
  ids: readonly string[],
): Promise<{ worldbookId: string; removed: RemovedEntry[] } | null> {
  const { book: before } = useOpenBook.getState()
  if (!before || ids.length === 0) return null
  const { id: worldbookId } = before
  const removed = before.entries.flatMap((entry, at) =>
    ids.includes(entry.id) ? [{ entry, after: before.entries[at - 1]?.id ?? null }] : [],
  )
  const gone = new Set(ids)
  try {
    await change(worldbookId, { remove: [...ids] }, ({ entries }) => ({
      entries: entries.filter(({ id }) => !gone.has(id)),
    }))
    // stored later, what was typed into them would bring them back without everything else
    dropEdits(worldbookId, ids)
    return { worldbookId, removed }
  } catch (error) {
    showError(error)
    return null
  }
}

/** Puts removed entries back where they stood. What was changed since in the book stays. */
export async function putBack(worldbookId: string, removed: readonly RemovedEntry[]): Promise<void> {
  try {
    const { entries } = await call('worldbook.get', { worldbookId })
    const order = entries.map(({ id }) => id)
    for (const { entry, after } of removed) {
      const behind = order.indexOf(after ?? '')
      order.splice(after === null ? 0 : behind < 0 ? order.length : behind + 1, 0, entry.id)
    }
    await call('worldbook.save-entries', { worldbookId, entries: removed.map(({ entry }) => entry), order })
    await readAgain(worldbookId)
  } catch (error) {
    showError(error)
  }
}

/** Puts the entries into this order, which settles ties and is the order of the file. */
export async function orderEntries(ids: readonly string[]): Promise<void> {
  const { book } = useOpenBook.getState()
  if (!book) return
  const byId = new Map(book.entries.map((entry) => [entry.id, entry]))
  set({ book: { ...book, entries: ids.flatMap((id) => byId.get(id) ?? []) } })
  try {
    await change(book.id, { order: [...ids] }, () => ({}))
  } catch (error) {
    showError(error)
    await readAgain(book.id)
  }
}

/** Name, description and rules of the book. Rejects when it is refused. */
export async function changeHead(
  patch: { name?: string; description?: string; settings?: Partial<BookSettings> },
  worldbookId: string,
): Promise<void> {
  await change(worldbookId, { head: patch }, (book) => ({
    ...patch,
    settings: { ...book.settings, ...patch.settings },
  }))
}

/** One step back (−1) or forward (1) through the versions; false at either end. */
export async function stepVersion(step: 1 | -1): Promise<boolean> {
  const worldbookId = shownId()
  // an older version under words that are not stored would be neither of the two
  if (!worldbookId || !(await flushBook(worldbookId))) return false
  const { book, shownVersion } = useOpenBook.getState()
  if (book?.id !== worldbookId) return false
  const place = shownVersion ?? { at: book.version, newest: book.version }
  const target = place.at + step
  if (target < 1 || target > place.newest) return false
  return restoreVersion(target, place.newest)
}

export async function restoreVersion(version: number, newest?: number): Promise<boolean> {
  const worldbookId = shownId()
  if (!worldbookId || !(await flushBook(worldbookId))) return false
  try {
    const before = useOpenBook.getState().book
    const book = await call('worldbook.undo', { worldbookId, version })
    if (shownId() !== worldbookId) return true
    show(book)
    set({ shownVersion: { at: version, newest: newest ?? (before?.id === worldbookId ? before.version : version) } })
    return true
  } catch (error) {
    showError(error)
    return false
  }
}
