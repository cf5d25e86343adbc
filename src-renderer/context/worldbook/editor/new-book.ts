import { call } from '../../../api/client'
import { showError } from '../../../ui/toast'
import { loadBooks } from '../book-store'
import { flushBook } from './book-edits'

export async function createBook(name: string): Promise<string | null> {
  try {
    const { id } = await call('worldbook.save', { book: { name } })
    await loadBooks()
    return id
  } catch (error) {
    showError(error)
    return null
  }
}

/** Keeps a copy of a book under a name of its own, once everything typed into it is stored. */
export async function copyBook(worldbookId: string, name: string): Promise<string | null> {
  if (!(await flushBook(worldbookId))) return null
  try {
    const { description, settings, entries, extra, origin } = await call('worldbook.get', { worldbookId })
    const { id } = await call('worldbook.save', { book: { name, description, settings, entries, extra, origin } })
    await loadBooks()
    return id
  } catch (error) {
    showError(error)
    return null
  }
}
