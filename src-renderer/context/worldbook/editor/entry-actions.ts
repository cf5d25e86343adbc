import type { Entry } from '../../../../src-main/context/worldbook/entry-contract'
import { i18n } from '../../../i18n/i18n'
import { showToast } from '../../../ui/toast'
import { addEntry, orderEntries, putBack, removeEntries, useOpenBook } from './open-book'
import { movedOrder, pickOnly, useTableView } from './table-view'

/** A new entry at the end, opened in the form with the focus in its name. */
export async function newEntry(): Promise<void> {
  const { entries } = useOpenBook.getState().book ?? { entries: [] }
  const id = await addEntry({ order: 100, ...(entries.length > 0 ? {} : { comment: '' }) })
  if (!id) return
  useTableView.setState({ query: '', onlyFlagged: false })
  pickOnly(id)
  focusForm()
}

/** Puts the focus into the form, once it is drawn. */
export function focusForm(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.form-pane .title-in')?.focus())
}

export const focusTable = (): void => document.querySelector<HTMLElement>('.wb-rows')?.focus()

export async function duplicateEntry({ id: _id, ...entry }: Entry): Promise<void> {
  const id = await addEntry({ ...structuredClone(entry), comment: entry.comment ? `${entry.comment} (2)` : '' })
  if (id) pickOnly(id)
}

/** Removes rows, moves on to the next one, and offers the way back. */
export async function removeWithUndo(ids: readonly string[], shown: readonly { id: string }[] = []): Promise<void> {
  const gone = new Set(ids)
  const last = shown.findLastIndex((entry) => gone.has(entry.id))
  const next =
    shown.slice(last + 1).find((entry) => !gone.has(entry.id)) ?? shown.findLast((entry) => !gone.has(entry.id))
  const done = await removeEntries(ids)
  if (!done) return
  const { worldbookId, removed } = done
  if (useOpenBook.getState().book?.id === worldbookId) pickOnly(next?.id ?? null)
  showToast(i18n.t('worldbook:entries.removed', { count: ids.length }), {
    action: { label: i18n.t('undo'), run: () => void putBack(worldbookId, removed) },
  })
}

/** Moves the picked rows one place up or down in the order of the book. */
export async function moveBy(step: 1 | -1): Promise<void> {
  const { book } = useOpenBook.getState()
  const { selected } = useTableView.getState()
  if (!book || selected.size === 0) return
  const ids = book.entries.map((entry) => entry.id)
  const first = ids.findIndex((id) => selected.has(id))
  const last = ids.findLastIndex((id) => selected.has(id))
  if (step < 0 && first <= 0) return
  if (step > 0 && last >= ids.length - 1) return
  const before = step < 0 ? ids[first - 1] : ids[last + 2]
  await orderEntries(movedOrder(book.entries, selected, before ?? null))
}

export async function moveBefore(moved: ReadonlySet<string>, beforeId: string | null): Promise<void> {
  const { book } = useOpenBook.getState()
  if (!book) return
  const next = movedOrder(book.entries, moved, beforeId)
  if (next.some((id, index) => id !== book.entries[index]?.id)) await orderEntries(next)
}
