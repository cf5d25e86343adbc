import { create } from 'zustand'
import type { Book, BookSettings } from '../../../../src-main/context/worldbook/book-contract'
import type { LintFinding } from '../../../../src-main/context/worldbook/contract'
import type { Entry, EntryInput } from '../../../../src-main/context/worldbook/entry-contract'
import { call } from '../../../api/client'
import { showError } from '../../../ui/toast'
import { loadBooks, useBooks } from '../book-store'
import { addEdits, type EntryPatch, flushBook, isSaving, whenSaved, withEdits } from './book-edits'

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
  if (book && shownId() === worldbookId) show(book)
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
  const { book } = useOpenBook.getState()
  if (book?.id !== worldbookId) return
  const byId = new Map(withEdits(worldbookId, saved).map((entry) => [entry.id, entry]))
  const known = new Set(book.entries.map((entry) => entry.id))
  const entries = book.entries.map((entry) => byId.get(entry.id) ?? entry)
  for (const entry of saved) if (!known.has(entry.id)) entries.push(entry)
  set({ book: { ...book, version, entries } })
  // somebody else saved in between: their change is not in what came back
  if (version > book.version + 1) void readAgain(worldbookId)
  checkSoon()
}

/** Adds an entry at the end. Resolves to its id. */
export async function addEntry(entry: EntryInput): Promise<string | null> {
  const worldbookId = shownId()
  if (!worldbookId) return null
  await flushBook(worldbookId)
  try {
    const { version, saved } = await call('worldbook.save-entries', { worldbookId, entries: [entry] })
    keepSaved(worldbookId, version, saved)
    if (shownId() === worldbookId) set({ shownVersion: null })
    return saved[0]?.id ?? null
  } catch (error) {
    showError(error)
    return null
  }
}

export async function removeEntries(ids: readonly string[]): Promise<boolean> {
  const worldbookId = shownId()
  if (!worldbookId || ids.length === 0) return false
  await flushBook(worldbookId)
  try {
    const { version, removed } = await call('worldbook.save-entries', { worldbookId, remove: [...ids] })
    const gone = new Set(removed)
    const { book } = useOpenBook.getState()
    if (book?.id === worldbookId) {
      set({ book: { ...book, version, entries: book.entries.filter(({ id }) => !gone.has(id)) }, shownVersion: null })
      checkSoon()
    }
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

/** Puts the entries into this order, which settles ties and is the order of the file. */
export async function orderEntries(ids: readonly string[]): Promise<void> {
  const { book } = useOpenBook.getState()
  if (!book) return
  const byId = new Map(book.entries.map((entry) => [entry.id, entry]))
  set({ book: { ...book, entries: ids.flatMap((id) => byId.get(id) ?? []) }, shownVersion: null })
  await flushBook(book.id)
  try {
    const { version } = await call('worldbook.save-entries', { worldbookId: book.id, order: [...ids] })
    const now = useOpenBook.getState().book
    if (now?.id === book.id) set({ book: { ...now, version } })
    checkSoon()
  } catch (error) {
    showError(error)
    await readAgain(book.id)
  }
}

/** Name, description and rules of the book. */
export async function saveHead(
  patch: { name?: string; description?: string; settings?: Partial<BookSettings> },
  worldbookId = shownId(),
): Promise<boolean> {
  if (!worldbookId) return false
  await flushBook(worldbookId)
  try {
    const { version } = await call('worldbook.save-entries', { worldbookId, head: patch })
    const now = useOpenBook.getState().book
    if (now?.id !== worldbookId) return true
    set({ book: { ...now, ...patch, settings: { ...now.settings, ...patch.settings }, version }, shownVersion: null })
    checkSoon()
    return true
  } catch (error) {
    showError(error)
    return false
  }
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

export async function createBook(name: string): Promise<string | null> {
  try {
    const { id } = await call('worldbook.save', { book: { name } })
    await loadBooks()
    return id
  } catch (error) {
    showError(error)
    return null
  }
}

/** Keeps a copy of a book under a name of its own, once everything typed into it is stored. */
export async function copyBook(worldbookId: string, name: string): Promise<string | null> {
  if (!(await flushBook(worldbookId))) return null
  try {
    const { description, settings, entries, extra, origin } = await call('worldbook.get', { worldbookId })
    const { id } = await call('worldbook.save', { book: { name, description, settings, entries, extra, origin } })
    await loadBooks()
    return id
  } catch (error) {
    showError(error)
    return null
  }
}
