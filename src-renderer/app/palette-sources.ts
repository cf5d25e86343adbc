import type { ParseKeys } from 'i18next'
import { findSessions } from '../sessions/session-search'
import type { IconName } from '../ui/icon'
import { findBooks, findMemories, findPrompts, findSettings, findSnippets } from './palette-rooms'

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
  { id: 'prompts', headingKey: 'palette.prompts', find: findPrompts },
  { id: 'snippets', headingKey: 'palette.snippets', find: findSnippets },
  { id: 'worldbooks', headingKey: 'palette.worldbooks', find: findBooks },
  { id: 'memories', headingKey: 'palette.memories', find: findMemories },
  { id: 'settings', headingKey: 'palette.settings', find: findSettings },
]
