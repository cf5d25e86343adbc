import { create } from 'zustand'
import type { Entry } from '../../../../src-main/context/worldbook/entry-contract'

export const SORTS = ['book', 'name', 'keys', 'place', 'order', 'tokens'] as const
export type SortBy = (typeof SORTS)[number]

interface TableView {
  query: string
  sort: SortBy
  /** Only entries the linter has something to say about. */
  onlyFlagged: boolean
  /** The entry in the form. */
  currentId: string | null
  /** Rows picked for what the bar offers; the current one is among them. */
  selected: ReadonlySet<string>
  /** Where a range begins that Shift extends. */
  anchorId: string | null
  dockOpen: boolean
}

const DOCK_KEY = 'strata.worldbook-dock'

export const useTableView = create<TableView>(() => ({
  query: '',
  sort: 'book',
  onlyFlagged: false,
  currentId: null,
  selected: new Set(),
  anchorId: null,
  dockOpen: localStorage.getItem(DOCK_KEY) !== 'closed',
}))
const set = useTableView.setState

export function resetView(currentId: string | null = null): void {
  set({
    query: '',
    onlyFlagged: false,
    currentId,
    anchorId: currentId,
    selected: currentId === null ? new Set() : new Set([currentId]),
  })
}

export function toggleDock(): void {
  const dockOpen = !useTableView.getState().dockOpen
  localStorage.setItem(DOCK_KEY, dockOpen ? 'open' : 'closed')
  set({ dockOpen })
}

export const pickOnly = (id: string | null): void =>
  set({ currentId: id, anchorId: id, selected: id === null ? new Set() : new Set([id]) })

/** Adds or drops one row, keeping the others. */
export function pickMore(id: string): void {
  const selected = new Set(useTableView.getState().selected)
  if (!selected.delete(id)) selected.add(id)
  set({ selected, currentId: id, anchorId: id })
}

/** Everything from the anchor to this row, in the order shown. */
export function pickRange(id: string, shown: readonly { id: string }[]): void {
  const { anchorId } = useTableView.getState()
  const from = shown.findIndex((entry) => entry.id === (anchorId ?? id))
  const to = shown.findIndex((entry) => entry.id === id)
  if (from < 0 || to < 0) {
    pickOnly(id)
    return
  }
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  set({ selected: new Set(range.map((entry) => entry.id)), currentId: id })
}

export const pickAll = (shown: readonly { id: string }[]): void =>
  set({ selected: new Set(shown.map((entry) => entry.id)) })

/** What a row shows as its name: the title, else its first key, else its number. */
export const titleOf = (entry: Pick<Entry, 'id' | 'comment' | 'keys'>): string =>
  entry.comment.trim() || entry.keys.find((key) => key.trim() !== '') || `#${entry.id}`

export interface RowOptions {
  query: string
  sort: SortBy
  tokens: Readonly<Record<string, number>>
  /** Set = only these. */
  only?: ReadonlySet<string> | undefined
}

const compareText = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare

function comparison(sort: SortBy, tokens: RowOptions['tokens']): ((a: Entry, b: Entry) => number) | null {
  switch (sort) {
    case 'book':
      return null
    case 'name':
      return (a, b) => compareText(titleOf(a), titleOf(b))
    case 'keys':
      return (a, b) => compareText(a.keys.join(), b.keys.join())
    case 'place':
      return (a, b) => compareText(a.position, b.position) || a.depth - b.depth
    case 'order':
      return (a, b) => b.order - a.order
    case 'tokens':
      return (a, b) => (tokens[b.id] ?? 0) - (tokens[a.id] ?? 0)
  }
}

/** The rows to show: those that hold every word asked for, sorted. Ties keep the order of the book. */
export function shownEntries(entries: readonly Entry[], { query, sort, tokens, only }: RowOptions): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = (entry: Entry) => {
    const text = [entry.comment, ...entry.keys, ...entry.secondaryKeys, entry.content, entry.group].join('\n')
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
  const found =
    words.length > 0 || only
      ? entries.filter((entry) => (!only || only.has(entry.id)) && (words.length === 0 || holds(entry)))
      : entries
  const compare = comparison(sort, tokens)
  return compare ? found.toSorted(compare) : found
}

/** The order after moving some rows to stand before `beforeId` (null = at the end). */
export function movedOrder(entries: readonly { id: string }[], moved: ReadonlySet<string>, beforeId: string | null) {
  const ids = entries.map((entry) => entry.id)
  const moving = ids.filter((id) => moved.has(id))
  // a row dropped on one of the rows that move goes to the next that stays
  const from = beforeId === null ? ids.length : ids.indexOf(beforeId)
  const target = ids.slice(from).find((id) => !moved.has(id))
  const rest = ids.filter((id) => !moved.has(id))
  const at = target === undefined ? rest.length : rest.indexOf(target)
  return [...rest.slice(0, at), ...moving, ...rest.slice(at)]
}
