import { MEMORY_KINDS, type MemoryKind } from '../../../src-main/context/memory/contract'

/** Views that list memories, and the pages beside them. */
export type ListView = 'active' | MemoryKind | 'past' | 'archived'
export type MemoryView = ListView | 'proposals' | 'recent-conversations' | 'user-profile' | 'search' | 'jobs'

const LISTS: readonly string[] = ['active', ...MEMORY_KINDS, 'past', 'archived']
const PAGES: readonly string[] = ['proposals', 'recent-conversations', 'user-profile', 'search', 'jobs']

export const isListView = (view: string): view is ListView => LISTS.includes(view)
export const isMemoryView = (view: string): view is MemoryView => LISTS.includes(view) || PAGES.includes(view)
