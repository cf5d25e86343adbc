import { create } from 'zustand'
import type { Events } from '../../../src-main/app-contract'
import type { Preview } from '../../../src-main/turns/contract'
import { call, on } from '../../api/client'
import { useNavigation } from '../../app/navigation'
import { useRunning } from '../../chat/running-store'
import { setSentWindow } from '../../chat/sent-window'
import { draftOf, useDrafts } from '../../composer/draft-store'
import { i18n } from '../../i18n/i18n'
import { announce } from '../../ui/announcer'
import type { Switchable } from '../segments'
import { type Level, settleLevel } from './thresholds'
import { spokenTokens } from './usage-words'

interface PreviewState {
  /** Of the chat on screen with its draft; the last complete one stays until the next is complete. */
  preview: Preview | null
  /** Which chat `preview` belongs to; undefined before the first. */
  sessionId: string | null | undefined
  /** Why the newest try failed, in words. */
  error: string
  /** Blocks switched off for this look only. */
  off: ReadonlySet<Switchable>
  /** The same turn without them; null while nothing is off. */
  whatIf: Preview | null
  popoverOpen: boolean
}

export const usePreview = create<PreviewState>(() => ({
  preview: null,
  sessionId: undefined,
  error: '',
  off: new Set(),
  whatIf: null,
  popoverOpen: false,
}))
const set = usePreview.setState

/** What the bar shows now: the what-if while one is on. */
export const shownPreview = (state: PreviewState): Preview | null => state.whatIf ?? state.preview

const TYPING_MS = 150
const EVENT_MS = 60
/** While an answer streams, its text changes with every token; the bar follows at the end. */
const RUNNING_MS = 1500

let timer: ReturnType<typeof setTimeout> | null = null
let due = 0
let busy = false
let again = false
/** By chat, so that coming back to a full one says nothing twice. */
const levels = new Map<string | null, Level>()

async function ask(sessionId: string | null, blocksOff?: readonly Switchable[]): Promise<Preview> {
  const { text, attachments } = draftOf(sessionId)
  return call('turns.preview', {
    sessionId,
    draft: text,
    attachments: attachments.map((each) => each.id),
    ...(blocksOff?.length ? { overrides: { blocksOff: [...blocksOff] } } : {}),
  })
}

/** One request at a time; whatever changed meanwhile is asked for once it is answered. */
async function refresh(): Promise<void> {
  if (busy) {
    again = true
    return
  }
  busy = true
  const { sessionId } = useNavigation.getState()
  try {
    const off = [...usePreview.getState().off]
    const preview = await ask(sessionId)
    const whatIf = off.length ? await ask(sessionId, off) : null
    if (useNavigation.getState().sessionId === sessionId) keep(sessionId, preview, whatIf)
  } catch (error) {
    if (useNavigation.getState().sessionId === sessionId) {
      const stale = usePreview.getState().sessionId !== sessionId
      set({
        error: error instanceof Error ? error.message : String(error),
        ...(stale ? { preview: null, sessionId } : {}),
      })
    }
  } finally {
    busy = false
    if (again) {
      again = false
      void refresh()
    }
  }
}

function keep(sessionId: string | null, preview: Preview, whatIf: Preview | null): void {
  const before = usePreview.getState().sessionId
  // a chat that has only just been stored goes on from the one that did not exist yet
  const level = levels.get(sessionId) ?? (before === null ? levels.get(null) : undefined) ?? 0
  set({ preview, sessionId, error: '', whatIf: usePreview.getState().off.size ? whatIf : null })
  if (sessionId) setSentWindow(sessionId, preview.windowStart)
  const next = settleLevel(level, preview.usage)
  if (next > level) announceLevel(next, preview)
  levels.set(sessionId, next)
  if (sessionId !== null) levels.delete(null)
}

function announceLevel(next: Level, { usage }: Preview): void {
  const key = ([null, 'crossed75', 'crossed90', 'crossed100'] as const)[next]
  if (key) announce(i18n.t(`context:usage.${key}`, { over: spokenTokens(usage.over) }))
}

/** Asks for a new preview after `delay` ms; a sooner wish wins, a later one while typing restarts the wait. */
function refreshSoon(delay: number, restart = false): void {
  const at = Date.now() + delay
  if (timer !== null && !restart && due <= at) return
  if (timer !== null) clearTimeout(timer)
  due = at
  timer = setTimeout(() => {
    timer = null
    void refresh()
  }, delay)
}

/** At once: after a change whose effect is being looked at. */
export const refreshPreview = (): void => refreshSoon(0)

export function switchBlock(block: Switchable, included: boolean): void {
  const off = new Set(usePreview.getState().off)
  if (included) off.delete(block)
  else off.add(block)
  set({ off, ...(off.size ? {} : { whatIf: null }) })
  refreshSoon(0)
}

/** The popover and its what-if end together. */
export function openUsage(open: boolean): void {
  set({ popoverOpen: open, ...(open ? {} : { off: new Set<Switchable>(), whatIf: null }) })
  if (open) refreshSoon(0)
}

const FOLLOWED = [
  'settings.changed',
  'sessions.changed',
  'messages.changed',
  'system-prompts.changed',
  'memory.changed',
  'recent-conversations.changed',
  'user-profile.changed',
  'worldbook.changed',
  'tools.changed',
  'mcp.changed',
  'models.changed',
  'connections.changed',
  'turn.done',
  'turn.failed',
  'resync',
] as const satisfies readonly (keyof Events)[]

function followEvent(): void {
  const { sessionId, place } = useNavigation.getState()
  if (place !== 'chats') return
  const running = sessionId ? useRunning.getState().bySession[sessionId] : undefined
  refreshSoon(running ? RUNNING_MS : EVENT_MS)
}

/** From now on the preview follows the chat on screen, its draft, and everything that goes into a request. */
export function wirePreview(): void {
  for (const name of FOLLOWED) on(name, followEvent)
  useDrafts.subscribe(({ drafts }, before) => {
    const key = useNavigation.getState().sessionId ?? ''
    const [now, then] = [drafts[key], before.drafts[key]]
    if (now?.text !== then?.text || now?.attachments !== then?.attachments) refreshSoon(TYPING_MS, true)
  })
  useNavigation.subscribe((state, before) => {
    if (state.sessionId !== before.sessionId) {
      openUsage(false)
      refreshSoon(0)
    } else if (state.place === 'chats' && before.place !== 'chats') refreshSoon(0)
  })
  refreshSoon(0)
}
