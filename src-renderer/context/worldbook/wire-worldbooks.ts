import { useBooks, wireBooks } from './book-store'
import { wireEdits } from './editor/book-edits'
import { followList } from './editor/open-book'

/** From now on the list follows the main process, and the open book follows the list. */
export function wireWorldbooks(): void {
  wireBooks()
  wireEdits()
  useBooks.subscribe(followList)
}
