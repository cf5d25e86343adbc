import { useDeferredValue, useMemo } from 'react'
import type { Book } from '../../../../src-main/context/worldbook/book-contract'
import type { Entry } from '../../../../src-main/context/worldbook/entry-contract'
import { useOpenBook } from './open-book'
import { shownEntries, useTableView } from './table-view'

const LOUD = new Set(['error', 'warning'])

/** Entries the linter warns about. */
export function useFlagged(): ReadonlySet<string> {
  const findings = useOpenBook((state) => state.findings)
  return useMemo(
    () => new Set(findings?.filter(({ severity }) => LOUD.has(severity)).flatMap(({ entryIds }) => entryIds)),
    [findings],
  )
}

/** The rows on screen, in their order. */
export function useShownEntries(book: Book): readonly Entry[] {
  const { query, sort, onlyFlagged } = useTableView()
  const tokens = useOpenBook((state) => state.tokens)
  const flagged = useFlagged()
  const words = useDeferredValue(query)
  const only = onlyFlagged ? flagged : undefined
  return useMemo(
    () => shownEntries(book.entries, { query: words, sort, tokens: sort === 'tokens' ? tokens : {}, only }),
    [book.entries, words, sort, tokens, only],
  )
}
