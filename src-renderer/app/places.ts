import type { ParseKeys } from 'i18next'
import type { ComponentType } from 'react'
import { ChatsPage } from '../chat/chats-page'
import type { IconName } from '../ui/icon'
import { lazyPart } from './lazy-part'
import type { PlaceId } from './navigation'

export interface Place {
  id: PlaceId
  icon: IconName
  /** In `app.json`. */
  titleKey: ParseKeys<'app'>
  /** Everything right of the rail; build it with `PageFrame`. */
  Page: ComponentType
  /** Stands at the bottom of the rail. */
  last?: boolean
}

/** The rail, top to bottom. A room puts its page here with one line; heavy ones through `lazyPart`. */
export const PLACES: readonly Place[] = [
  { id: 'chats', icon: 'chat', titleKey: 'place.chats', Page: ChatsPage },
  {
    id: 'worldbooks',
    icon: 'book',
    titleKey: 'place.worldbooks',
    Page: lazyPart(() => import('../context/worldbook/worldbooks-page'), 'WorldbooksPage'),
  },
  {
    id: 'memory',
    icon: 'memory',
    titleKey: 'place.memory',
    Page: lazyPart(() => import('../context/memory/memory-page'), 'MemoryPage'),
  },
  {
    id: 'prompts',
    icon: 'prompt',
    titleKey: 'place.prompts',
    Page: lazyPart(() => import('../context/system-prompt/prompts-page'), 'PromptsPage'),
  },
  {
    id: 'tools',
    icon: 'tool',
    titleKey: 'place.tools',
    Page: lazyPart(() => import('../tools/tools-page'), 'ToolsPage'),
  },
  {
    id: 'settings',
    icon: 'sliders',
    titleKey: 'place.settings',
    Page: lazyPart(() => import('../settings/settings-page'), 'SettingsPage'),
    last: true,
  },
]
