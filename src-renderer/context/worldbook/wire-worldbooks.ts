import { useBooks, wireBooks } from './book-store'
import { followList } from './editor/open-book'

/** From now on the list follows the main process, and the open book follows the list. */
export function wireWorldbooks(): void {
  wireBooks()
  useBooks.subscribe(followList)
}
