import { openPlace } from '../../app/navigation'

/** Shows a book in the editor, and one of its entries when named. */
export function openBookPage(worldbookId: string, entryId?: string): void {
  openPlace('worldbooks', entryId === undefined ? worldbookId : `${worldbookId}/${entryId}`)
}
