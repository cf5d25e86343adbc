import { useEffect, useState } from 'react'
import type { BookSummary } from '../../../src-main/context/worldbook/contract'
import { call, on } from '../../api/client'

/** All worldbooks by name, kept current while something shows them. */
export function useBooks(): BookSummary[] {
  const [books, setBooks] = useState<BookSummary[]>([])
  useEffect(() => {
    const load = () => void call('worldbook.list', {}).then(setBooks, () => setBooks([])) // no room, no books
    load()
    const stops = [on('worldbook.changed', load), on('resync', load)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return books
}
