import type { Book } from './book-contract'
import { type Breathe, newBreathing } from './breathing'
import { type CompiledBook, compileBookInSteps } from './engine/compile'
import type { Scanner } from './scanner'

/** Entries kept compiled in all; beyond it the books used longest ago go. */
const MOST_ENTRIES = 150_000

/** Reads a book, pausing when `breathe` says so. */
type Load = (breathe: Breathe) => Book | Promise<Book>

export interface CompiledBooks {
  /** The compiled form of one version of a book, built at most once. `load` is asked only when it has to be built. */
  get(id: string, version: number, load: Load): Promise<CompiledBook>
  forget(id: string): void
}

interface Kept {
  version: number
  compiled: Promise<CompiledBook>
  entries: number
}

/** `onBuilding` hears of books being built, for a progress display: true at the start, false at the end. */
export function createCompiledBooks(
  scanner: Pick<Scanner, 'build'>,
  onBuilding: (worldbookId: string, building: boolean) => void = () => {},
): CompiledBooks {
  const kept = new Map<string, Kept>()

  const trim = () => {
    let entries = [...kept.values()].reduce((sum, book) => sum + book.entries, 0)
    for (const [id, book] of kept) {
      if (entries <= MOST_ENTRIES || kept.size === 1) return
      kept.delete(id)
      entries -= book.entries
    }
  }

  const build = async (id: string, load: Load, onLoaded: (entries: number) => void): Promise<CompiledBook> => {
    onBuilding(id, true)
    try {
      const breathe = newBreathing()
      const book = await load(breathe)
      onLoaded(book.entries.length)
      return await compileBookInSteps(book, { build: scanner.build, breathe })
    } finally {
      onBuilding(id, false)
    }
  }

  return {
    get(id, version, load) {
      const known = kept.get(id)
      kept.delete(id)
      if (known?.version === version) {
        kept.set(id, known)
        return known.compiled
      }
      const onLoaded = (entries: number) => {
        entry.entries = entries
        trim()
      }
      const entry: Kept = { version, entries: 0, compiled: build(id, load, onLoaded) }
      kept.set(id, entry)
      // A build that failed is tried again at the next look; the caller hears of this one.
      entry.compiled.catch(() => {
        if (kept.get(id) === entry) kept.delete(id)
      })
      return entry.compiled
    },
    forget: (id) => void kept.delete(id),
  }
}
