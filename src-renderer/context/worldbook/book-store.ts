import { create } from 'zustand'
import type { BookSummary } from '../../../src-main/context/worldbook/book-contract'
import { call, on } from '../../api/client'

interface BookState {
  books: BookSummary[]
  loaded: boolean
  /** Why reading failed, in words. */
  error: string
  /** Books whose index is being built. */
  building: ReadonlySet<string>
}

/** Every worldbook's line: for the list, the session's binding and the header badges. */
export const useBooks = create<BookState>(() => ({ books: [], loaded: false, error: '', building: new Set() }))

let readings = 0

export async function loadBooks(): Promise<void> {
  const mine = ++readings
  try {
    const books = await call('worldbook.list', {})
    if (mine === readings) useBooks.setState({ books, loaded: true, error: '' })
  } catch (error) {
    if (mine === readings) useBooks.setState({ error: error instanceof Error ? error.message : String(error) })
  }
}

export const bookName = (id: string): string | undefined =>
  useBooks.getState().books.find((book) => book.id === id)?.name

let planned = false
/** Events come in bursts; one reading serves them all. */
function loadSoon(): void {
  if (planned) return
  planned = true
  setTimeout(() => {
    planned = false
    void loadBooks()
  }, 80)
}

export function wireBooks(): void {
  for (const name of ['worldbook.changed', 'sessions.changed', 'resync'] as const) on(name, loadSoon)
  on('worldbook.building', ({ worldbookId, building }) =>
    useBooks.setState((state) => {
      const next = new Set(state.building)
      if (building) next.add(worldbookId)
      else next.delete(worldbookId)
      return { building: next }
    }),
  )
  void loadBooks()
}

/** `name`, or `name (2)` and so on when that is taken. */
export function freeName(name: string, books: readonly Pick<BookSummary, 'name'>[]): string {
  const taken = new Set(books.map((book) => book.name))
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name} (${number})`)) number += 1
  return `${name} (${number})`
}
