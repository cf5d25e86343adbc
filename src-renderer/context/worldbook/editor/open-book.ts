import { create } from 'zustand'
import type { Book, BookSettings } from '../../../../src-main/context/worldbook/book-contract'
import type { LintFinding } from '../../../../src-main/context/worldbook/contract'
import type { Entry, EntryInput } from '../../../../src-main/context/worldbook/entry-contract'
import { call } from '../../../api/client'
import { showError } from '../../../ui/toast'
import { loadBooks, useBooks } from '../book-store'

export type EntryPatch = Partial<Omit<Entry, 'id'>>

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
  /** Edits that have not been stored yet. */
  unsaved: boolean
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
  unsaved: false,
  shownVersion: null,
}))
const set = useOpenBook.setState
const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const SAVE_AFTER_MS = 500
const CHECK_AFTER_MS = 350

let openings = 0
let pending = new Map<string, EntryPatch>()
let saveTimer: ReturnType<typeof setTimeout> | null = null
let saving: Promise<void> | null = null

export async function openBook(worldbookId: string | null): Promise<void> {
  if (useOpenBook.getState().wantedId === worldbookId) return
  const mine = ++openings
  set({ wantedId: worldbookId })
  await flushEdits()
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
  set({ book, state: 'ready', error: '' })
  checkSoon(0)
}

/** Another window or an import changed it: read it again, unless edits of our own are on their way. */
export function followList(): void {
  const { book } = useOpenBook.getState()
  if (!book || pending.size > 0 || saving) return
  const line = useBooks.getState().books.find((each) => each.id === book.id)
  if (!line) {
    if (useBooks.getState().loaded) void openBook(null)
    return
  }
  if (line.version > book.version) void readAgain(book.id)
}

async function readAgain(worldbookId: string): Promise<void> {
  const book = await call('worldbook.get', { worldbookId }).catch(() => null)
  if (book && useOpenBook.getState().book?.id === worldbookId && pending.size === 0) show(book)
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

/** Shows an edit at once and stores it a moment after the last one. */
export function editEntry(id: string, patch: EntryPatch): void {
  editEntries([id], patch)
}

export function editEntries(ids: readonly string[], patch: EntryPatch): void {
  const { book } = useOpenBook.getState()
  if (!book || ids.length === 0) return
  const wanted = new Set(ids)
  set({
    book: { ...book, entries: book.entries.map((entry) => (wanted.has(entry.id) ? { ...entry, ...patch } : entry)) },
    unsaved: true,
    shownVersion: null,
  })
  for (const id of ids) pending.set(id, { ...pending.get(id), ...patch })
  if (saveTimer) clearTimeout(saveTimer)
  saveTimer = setTimeout(() => void flushEdits(), SAVE_AFTER_MS)
}

/** Stores what has been typed so far. Called when the form is left, too. */
export async function flushEdits(): Promise<void> {
  if (saveTimer) clearTimeout(saveTimer)
  saveTimer = null
  if (saving) await saving
  const { book } = useOpenBook.getState()
  if (!book || pending.size === 0) return
  const edits = pending
  pending = new Map()
  saving = store(book.id, edits).finally(() => {
    saving = null
    followList()
  })
  await saving
}

async function store(worldbookId: string, edits: ReadonlyMap<string, EntryPatch>): Promise<void> {
  try {
    const entries: EntryInput[] = [...edits].map(([id, patch]) => ({ id, ...patch }))
    const { version, saved } = await call('worldbook.save-entries', { worldbookId, entries })
    keepSaved(worldbookId, version, saved)
  } catch (error) {
    // what was typed stays on screen and goes along with the next try
    for (const [id, patch] of edits) pending.set(id, { ...patch, ...pending.get(id) })
    showError(error)
  }
}

function keepSaved(worldbookId: string, version: number, saved: readonly Entry[]): void {
  const { book } = useOpenBook.getState()
  if (book?.id !== worldbookId) return
  const byId = new Map(saved.map((entry) => [entry.id, { ...entry, ...pending.get(entry.id) }]))
  const known = new Set(book.entries.map((entry) => entry.id))
  const entries = book.entries.map((entry) => byId.get(entry.id) ?? entry)
  for (const entry of saved) if (!known.has(entry.id)) entries.push(entry)
  set({ book: { ...book, version, entries }, unsaved: pending.size > 0 })
  checkSoon()
}

/** Adds an entry at the end. Resolves to its id. */
export async function addEntry(entry: EntryInput): Promise<string | null> {
  await flushEdits()
  const { book } = useOpenBook.getState()
  if (!book) return null
  try {
    const { version, saved } = await call('worldbook.save-entries', { worldbookId: book.id, entries: [entry] })
    keepSaved(book.id, version, saved)
    set({ shownVersion: null })
    return saved[0]?.id ?? null
  } catch (error) {
    showError(error)
    return null
  }
}

export async function removeEntries(ids: readonly string[]): Promise<boolean> {
  await flushEdits()
  const { book } = useOpenBook.getState()
  if (!book || ids.length === 0) return false
  try {
    const { version, removed } = await call('worldbook.save-entries', { worldbookId: book.id, remove: [...ids] })
    const gone = new Set(removed)
    set({ book: { ...book, version, entries: book.entries.filter(({ id }) => !gone.has(id)) }, shownVersion: null })
    checkSoon()
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

/** Puts the entries into this order, which settles ties and is the order of the file. */
export async function orderEntries(ids: readonly string[]): Promise<void> {
  await flushEdits()
  const { book } = useOpenBook.getState()
  if (!book) return
  const byId = new Map(book.entries.map((entry) => [entry.id, entry]))
  set({ book: { ...book, entries: ids.flatMap((id) => byId.get(id) ?? []) }, shownVersion: null })
  try {
    const { version } = await call('worldbook.save-entries', { worldbookId: book.id, order: [...ids] })
    const now = useOpenBook.getState().book
    if (now?.id === book.id) set({ book: { ...now, version } })
    checkSoon()
  } catch (error) {
    set({ book })
    showError(error)
  }
}

/** Name, description and rules of the book. */
export async function saveHead(patch: {
  name?: string
  description?: string
  settings?: Partial<BookSettings>
}): Promise<void> {
  await flushEdits()
  const { book } = useOpenBook.getState()
  if (!book) return
  try {
    const { version } = await call('worldbook.save-entries', { worldbookId: book.id, head: patch })
    const now = useOpenBook.getState().book
    if (now?.id !== book.id) return
    set({ book: { ...now, ...patch, settings: { ...now.settings, ...patch.settings }, version }, shownVersion: null })
    checkSoon()
  } catch (error) {
    showError(error)
  }
}

/** One step back (−1) or forward (1) through the versions; false at either end. */
export async function stepVersion(step: 1 | -1): Promise<boolean> {
  await flushEdits()
  const { book, shownVersion } = useOpenBook.getState()
  if (!book) return false
  const place = shownVersion ?? { at: book.version, newest: book.version }
  const target = place.at + step
  if (target < 1 || target > place.newest) return false
  return restoreVersion(target, place.newest)
}

export async function restoreVersion(version: number, newest?: number): Promise<boolean> {
  await flushEdits()
  const { book } = useOpenBook.getState()
  if (!book) return false
  try {
    show(await call('worldbook.undo', { worldbookId: book.id, version }))
    set({ shownVersion: { at: version, newest: newest ?? book.version } })
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

/** Keeps a copy of a book under a name of its own. */
export async function copyBook(worldbookId: string, name: string): Promise<string | null> {
  await flushEdits()
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
