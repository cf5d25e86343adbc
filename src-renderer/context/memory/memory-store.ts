import { create } from 'zustand'
import {
  MEMORY_KINDS,
  type Memory,
  type MemoryStatus,
  type MemorySuggestion,
} from '../../../src-main/context/memory/contract'
import { type CallInput, call, on } from '../../api/client'
import { closeNarrowList } from '../../app/navigation'
import { showError } from '../../ui/toast'
import { isListView, type ListView, type MemoryView } from './memory-views'

export const SORTS = ['newest', 'oldest', 'used', 'uses', 'changed', 'text'] as const
export type MemorySort = (typeof SORTS)[number]

interface MemoryState {
  view: MemoryView
  query: string
  sort: MemorySort
  memories: readonly Memory[]
  /** How many the view holds in the store; more than `memories` where the list stops. */
  total: number
  loaded: boolean
  /** Why reading failed, in words. */
  error: string
  counts: Partial<Record<ListView, number>>
  status: MemoryStatus | null
  suggestions: readonly MemorySuggestion[]
  /** The memory whose details are open. */
  currentId: string | null
  checked: ReadonlySet<string>
}

export const useMemories = create<MemoryState>(() => ({
  view: 'active',
  query: '',
  sort: 'newest',
  memories: [],
  total: 0,
  loaded: false,
  error: '',
  counts: {},
  status: null,
  suggestions: [],
  currentId: null,
  checked: new Set(),
}))
const set = useMemories.setState
const get = useMemories.getState

const PAGE = 1000
/** The list reads no further than this; the search finds the rest. */
export const MOST_LISTED = 5000

function filterOf(view: ListView): CallInput<'memory.list'> {
  const kind = MEMORY_KINDS.find((each) => each === view)
  if (kind) return { status: 'active', kind }
  return { status: view === 'past' || view === 'archived' ? view : 'active' }
}

let readings = 0

/** Reads the view on screen page by page; a newer reading drops an older one. */
export async function loadMemories(): Promise<void> {
  const mine = ++readings
  const { view, query } = get()
  if (!isListView(view)) return
  const wanted = query.trim()
  const filter = { ...filterOf(view), limit: PAGE, ...(wanted ? { query: wanted } : {}) }
  try {
    const all: Memory[] = []
    let cursor: string | null = null
    do {
      const page: { memories: Memory[]; nextCursor: string | null; total: number } = await call('memory.list', {
        ...filter,
        ...(cursor ? { cursor } : {}),
      })
      if (mine !== readings) return
      all.push(...page.memories)
      cursor = page.nextCursor
      set({ memories: [...all], total: page.total, loaded: true, error: '' })
    } while (cursor && all.length < MOST_LISTED)
    dropGone(all)
  } catch (error) {
    if (mine === readings) set({ error: error instanceof Error ? error.message : String(error), loaded: true })
  }
}

function dropGone(all: readonly Memory[]): void {
  const known = new Set(all.map((memory) => memory.id))
  const checked = new Set([...get().checked].filter((id) => known.has(id)))
  if (checked.size !== get().checked.size) set({ checked })
}

const COUNTED: readonly ListView[] = ['active', ...MEMORY_KINDS, 'past', 'archived']

/** What the page shows beside the list: numbers per view, the index, suggestions. */
export async function loadMemoryFacts(): Promise<void> {
  try {
    const [status, { suggestions }, ...totals] = await Promise.all([
      call('memory.status', {}),
      call('memory.suggestions', {}),
      ...COUNTED.map(async (view) => (await call('memory.list', { ...filterOf(view), limit: 1 })).total),
    ])
    set({ status, suggestions, counts: Object.fromEntries(COUNTED.map((view, at) => [view, totals[at] ?? 0])) })
  } catch (error) {
    set({ error: error instanceof Error ? error.message : String(error) })
  }
}

export function openMemoryView(view: MemoryView): void {
  closeNarrowList()
  if (view === get().view) return
  set({ view, checked: new Set(), currentId: null, memories: [], loaded: false })
  void loadMemories()
}

/** Shows one memory with its details, in a view that holds it. */
export async function openMemory(id: string): Promise<void> {
  try {
    const memory = await call('memory.get', { id })
    const view = memory.standing === 'active' ? 'active' : memory.standing
    set({ view, query: '', currentId: id, checked: new Set() })
    await loadMemories()
  } catch (error) {
    showError(error)
  }
}

let typing: ReturnType<typeof setTimeout> | undefined
const TYPING_MS = 150

export function searchMemories(query: string): void {
  set({ query })
  clearTimeout(typing)
  typing = setTimeout(() => void loadMemories(), TYPING_MS)
}

export function checkMemory(id: string, on: boolean): void {
  const checked = new Set(get().checked)
  if (on) checked.add(id)
  else checked.delete(id)
  set({ checked })
}

/** A hundred thousand ids in one message are no use to anybody: what is listed is what is checked. */
export const checkAll = (on: boolean) => set({ checked: new Set(on ? get().memories.map((memory) => memory.id) : []) })

export async function archiveMemories(ids: readonly string[], archived: boolean): Promise<boolean> {
  return act(() => call('memory.archive', { ids: [...ids], archived }))
}

export async function removeMemories(ids: readonly string[]): Promise<boolean> {
  const { currentId } = get()
  const done = await act(() => call('memory.remove', { ids: [...ids] }))
  if (done && currentId && ids.includes(currentId)) set({ currentId: null })
  return done
}

/** Runs one change, shows why it was refused, and reads again. */
export async function act(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    await Promise.all([loadMemories(), loadMemoryFacts()])
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

const compareText = new Intl.Collator(undefined, { numeric: true }).compare
const COMPARE: Record<Exclude<MemorySort, 'newest'>, (a: Memory, b: Memory) => number> = {
  oldest: (a, b) => a.createdAt.localeCompare(b.createdAt),
  used: (a, b) => (b.lastAccessAt ?? '').localeCompare(a.lastAccessAt ?? ''),
  uses: (a, b) => b.accessCount - a.accessCount,
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
  text: (a, b) => compareText(a.text, b.text),
}

/** The order on screen; equals keep the store's order, newest first. */
export function sortMemories(memories: readonly Memory[], sort: MemorySort): readonly Memory[] {
  return sort === 'newest' ? memories : [...memories].sort(COMPARE[sort])
}

let planned: ReturnType<typeof setTimeout> | undefined
/** Events come in bursts; one reading serves them all. */
function loadSoon(): void {
  clearTimeout(planned)
  planned = setTimeout(() => {
    void loadMemories()
    void loadMemoryFacts()
  }, 120)
}

/** Follows the store while the page is open. Returns the way to stop. */
export function followMemories(): () => void {
  const ends = (['memory.changed', 'settings.changed', 'resync'] as const).map((name) => on(name, loadSoon))
  ends.push(
    on('job.progress', ({ state }) => {
      if (state !== 'running') loadSoon()
    }),
  )
  void loadMemories()
  void loadMemoryFacts()
  return () => {
    clearTimeout(planned)
    for (const end of ends) end()
  }
}
