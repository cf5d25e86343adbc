import type { ParseKeys } from 'i18next'
import { usePrompts } from '../context/system-prompt/prompt-store'
import { useBooks } from '../context/worldbook/book-store'
import { findSessions } from '../sessions/session-search'
import type { IconName } from '../ui/icon'
import { openPlace } from './navigation'

export interface PaletteItem {
  id: string
  title: string
  note?: string
  icon: IconName
  /** A search of its own found it: it stays whatever its words are. */
  found?: boolean
  run(): void
}

export interface PaletteSource {
  id: string
  /** In `app.json`. */
  headingKey: ParseKeys<'app'>
  /** Items for what is typed; the palette ranks and cuts them. Called 120 ms after the last key. */
  find(query: string): Promise<PaletteItem[]> | PaletteItem[]
}

/** What the palette searches besides commands, in this order. A room adds its own with one entry. */
export const PALETTE_SOURCES: readonly PaletteSource[] = [
  { id: 'sessions', headingKey: 'palette.sessions', find: findSessions },
  {
    id: 'prompts',
    headingKey: 'palette.prompts',
    find: () =>
      usePrompts.getState().prompts.map((prompt) => ({
        id: prompt.id,
        title: prompt.name,
        icon: 'prompt' as const,
        run: () => openPlace('prompts', prompt.id),
      })),
  },
  {
    id: 'worldbooks',
    headingKey: 'place.worldbooks',
    find: () =>
      useBooks.getState().books.map((book) => ({
        id: book.id,
        title: book.name,
        icon: 'book' as const,
        run: () => openPlace('worldbooks', book.id),
      })),
  },
]
