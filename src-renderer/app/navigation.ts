import { create } from 'zustand'

/** What the rail can lead to. Which of them exist is written in `places.ts`. */
export type PlaceId = 'chats' | 'worldbooks' | 'memory' | 'prompts' | 'tools' | 'settings'
export type PaneTab = 'context' | 'sent' | 'worldbook' | 'memory' | 'tools'

export interface Navigation {
  place: PlaceId
  /** A thing inside a place to open: a settings section, a worldbook's id, a prompt's id. */
  placeTarget: string | null
  /** The chat on screen; null = a chat that does not exist yet. */
  sessionId: string | null
  /** A message to bring into view, once. */
  jumpTo: { messageId: string; at: number } | null
  listOpen: boolean
  paneOpen: boolean
  paneTab: PaneTab
  /** Pixels. */
  paneWidth: number
  /** Pixels: a request reads better in longer lines, so its tab keeps a width of its own. */
  sentWidth: number
  /** The answer whose record the tab Sent shows; null = the draft's preview. */
  sentMessageId: string | null
  /** The session drawer, and the row to put the focus on. */
  sessionSettings: { open: boolean; field: string | null }
  /** Which picker of the chat header is open. */
  headerMenu: 'model' | 'prompt' | null
  layer: 'palette' | 'shortcuts' | null
  findOpen: boolean
  /** The message whose versions stand side by side. */
  comparing: string | null
  /** The message whose text is being edited in place. */
  editing: string | null
}

const KEPT = ['place', 'sessionId', 'listOpen', 'paneOpen', 'paneTab', 'paneWidth', 'sentWidth'] as const
const STORAGE_KEY = 'strata.navigation'
/** Pixels, until somebody drags the edge. */
export const PANE_WIDTHS = { paneWidth: 376, sentWidth: 452 } as const
/** Where the width of a tab is kept. */
export const widthKeyOf = (tab: PaneTab): keyof typeof PANE_WIDTHS => (tab === 'sent' ? 'sentWidth' : 'paneWidth')
export const NARROW_LIST_PX = 720
export const NARROW_PANE_PX = 1024

function remembered(): Partial<Navigation> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {} // a broken memory of window positions is worth nothing
  }
}

const width = () => (typeof window === 'undefined' ? 1280 : window.innerWidth)

export const useNavigation = create<Navigation>(() => ({
  place: 'chats',
  placeTarget: null,
  sessionId: null,
  jumpTo: null,
  paneTab: 'context',
  paneWidth: PANE_WIDTHS.paneWidth,
  sentWidth: PANE_WIDTHS.sentWidth,
  sentMessageId: null,
  sessionSettings: { open: false, field: null },
  headerMenu: null,
  layer: null,
  findOpen: false,
  editing: null,
  comparing: null,
  ...remembered(),
  listOpen: width() >= NARROW_LIST_PX && (remembered().listOpen ?? true),
  paneOpen: width() >= NARROW_PANE_PX && (remembered().paneOpen ?? true),
}))

/** What closes in a narrow window, and below how many pixels. */
const CLOSES = [
  ['listOpen', NARROW_LIST_PX],
  ['paneOpen', NARROW_PANE_PX],
] as const

useNavigation.subscribe((state) => {
  // a narrow window says nothing about what a wide one should show
  const wide = remembered()
  const narrow = CLOSES.filter(([, below]) => width() < below).map(([part]) => [part, wide[part]])
  const kept = [...KEPT.map((key) => [key, state[key]]), ...narrow]
  localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(kept)))
})

const set = useNavigation.setState

/** A window that becomes narrow puts list and pane away; one that becomes wide again brings back what was open. */
export function wireWidth(): void {
  for (const [part, below] of CLOSES) {
    window.matchMedia(`(max-width: ${below - 1}px)`).addEventListener('change', ({ matches }) => {
      set({ [part]: !matches && (remembered()[part] ?? true) })
    })
  }
}

export function openPlace(place: PlaceId, target: string | null = null): void {
  set({ place, placeTarget: target, layer: null, headerMenu: null })
}

/** A section of the settings, such as `context` or `connections`. */
export const openSettings = (section: string | null = null) => openPlace('settings', section)

/** null opens the screen of a chat that begins with its first message. */
export function openSession(sessionId: string | null, messageId?: string): void {
  const same = useNavigation.getState().sessionId === sessionId
  set({
    place: 'chats',
    sessionId,
    layer: null,
    jumpTo: messageId ? { messageId, at: Date.now() } : null,
    ...(same ? {} : { sentMessageId: null, findOpen: false, editing: null, comparing: null, headerMenu: null }),
    ...(width() < NARROW_LIST_PX ? { listOpen: false } : {}),
  })
}

export function openPane(tab: PaneTab): void {
  set({ paneOpen: true, paneTab: tab })
}

/** The record of what was sent for an answer; null = the preview of the draft. */
export function showSent(messageId: string | null): void {
  set({ sentMessageId: messageId, paneOpen: true, paneTab: 'sent' })
}

/** Where the list lies over the page, choosing something in it puts it away. */
export function closeNarrowList(): void {
  if (width() < NARROW_LIST_PX) set({ listOpen: false })
}

export const togglePane = () => set((state) => ({ paneOpen: !state.paneOpen }))
export const toggleList = () => set((state) => ({ listOpen: !state.listOpen }))

/** The drawer of the session on screen; `field` names the row that gets the focus. */
export function openSessionSettings(field: string | null = null): void {
  set({ sessionSettings: { open: true, field } })
}
export const closeSessionSettings = () => set({ sessionSettings: { open: false, field: null } })
