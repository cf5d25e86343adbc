import { create } from 'zustand'

/** Something a person wrote that the main process has refused so far. It stays until it is saved or given up. */
export interface Unsaved {
  id: string
  /** What it belongs to, such as a book's name. */
  name: string
  /** Why, in words. */
  why: string
  retry(): void
  /** Gives the words up. */
  discard(): void
}

/** Everything that could not be saved, oldest first: shown wherever one is, until it is saved. */
export const useUnsaved = create<{ unsaved: readonly Unsaved[] }>(() => ({ unsaved: [] }))

export function showUnsaved(entry: Unsaved): void {
  useUnsaved.setState(({ unsaved }) => ({
    unsaved: unsaved.some((each) => each.id === entry.id)
      ? unsaved.map((each) => (each.id === entry.id ? entry : each))
      : [...unsaved, entry],
  }))
}

export function dropUnsaved(id: string): void {
  if (!useUnsaved.getState().unsaved.some((each) => each.id === id)) return
  useUnsaved.setState(({ unsaved }) => ({ unsaved: unsaved.filter((each) => each.id !== id) }))
}

const RETRY_MS = [3000, 10_000, 30_000, 60_000]

/** Tries again by itself, less and less often. `stop` ends it. */
export function retryLater(run: () => void): { again(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  return {
    again() {
      clearTimeout(timer)
      timer = setTimeout(run, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)])
      tries += 1
    },
    stop() {
      clearTimeout(timer)
      tries = 0
    },
  }
}

/** A browser asks before a page with unsaved words goes. The desktop window would not close at all. */
export function wireUnsaved(): void {
  if (window.strata) return
  window.addEventListener('beforeunload', (event) => {
    if (useUnsaved.getState().unsaved.length > 0) event.preventDefault()
  })
}
