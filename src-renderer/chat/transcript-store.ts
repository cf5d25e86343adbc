import { create } from 'zustand'
import type { Message, Session } from '../../src-main/sessions/contract'
import { call } from '../api/client'
import { endLive, livePartsOf } from './live-answers'

export interface Transcript {
  sessionId: string
  session: Session
  /** The newest part of the visible branch, oldest first. */
  messages: readonly Message[]
  hasMore: boolean
  total: number
}

interface TranscriptState {
  current: Transcript | null
  /** Set while nothing can be shown yet, or when reading failed. */
  state: 'empty' | 'loading' | 'ready' | 'failed'
  error: string
  /** True for the one render in which older messages came in at the top. */
  prepending: boolean
}

/** Some screens of messages; more come as soon as somebody scrolls up. */
const FIRST_PAGE = 60
const OLDER_PAGE = 200
const REFRESH_AT_MOST = 400
/** Chats read lately, so that going back to one shows it at once. */
const recent = new Map<string, Transcript>()
const RECENT_AT_MOST = 12

export const useTranscript = create<TranscriptState>(() => ({
  current: null,
  state: 'empty',
  error: '',
  prepending: false,
}))
const set = useTranscript.setState

function remember(transcript: Transcript): void {
  recent.delete(transcript.sessionId)
  // only the newest page is worth keeping of a chat that was scrolled far up
  const tail = transcript.messages.slice(-OLDER_PAGE)
  recent.set(transcript.sessionId, {
    ...transcript,
    messages: tail,
    hasMore: transcript.hasMore || tail.length < transcript.messages.length,
  })
  const oldest = recent.keys().next().value
  if (recent.size > RECENT_AT_MOST && oldest) recent.delete(oldest)
}

function show(transcript: Transcript, prepending = false): void {
  remember(transcript)
  set({ current: transcript, state: 'ready', error: '', prepending })
  for (const message of transcript.messages) {
    if (message.state !== 'streaming' && livePartsOf(message.id)) endLive(message.id)
  }
}

type Read = Awaited<ReturnType<typeof readFirst>>
const readFirst = (sessionId: string) => call('sessions.get', { sessionId, limit: FIRST_PAGE })

/** One reading that a click may take over. */
let ahead: { sessionId: string; at: number; read: Promise<Read> } | null = null
const AHEAD_LASTS_MS = 1000

/** Begins to read a chat that is about to be opened. */
export function readAhead(sessionId: string): void {
  const read = readFirst(sessionId)
  // whoever opens the chat hears of a failure
  read.catch(() => undefined)
  ahead = { sessionId, at: performance.now(), read }
}

function firstPage(sessionId: string): Promise<Read> {
  const begun = ahead
  ahead = null
  const isFresh = begun?.sessionId === sessionId && performance.now() - begun.at < AHEAD_LASTS_MS
  return isFresh ? begun.read : readFirst(sessionId)
}

let opening = 0

/** Shows a chat: what was read before at once, then the newest state of it. */
export async function openTranscript(sessionId: string | null): Promise<void> {
  const mine = ++opening
  if (!sessionId) return set({ current: null, state: 'empty', error: '', prepending: false })
  const known = recent.get(sessionId)
  if (known) set({ current: known, state: 'ready', error: '', prepending: false })
  else set({ current: null, state: 'loading', error: '', prepending: false })
  try {
    const read = await firstPage(sessionId)
    if (mine === opening) show(merge(useTranscript.getState().current, { sessionId, ...read }))
  } catch (error) {
    if (mine !== opening) return
    recent.delete(sessionId)
    set({ current: null, state: 'failed', error: error instanceof Error ? error.message : String(error) })
  }
}

/** Puts a newly read tail behind the older messages that are already there, keeping objects that did not change. */
function merge(before: Transcript | null, read: Transcript): Transcript {
  if (before?.sessionId !== read.sessionId) return read
  const known = new Map(before.messages.map((message) => [message.id, message]))
  const tail = read.messages.map((message) => keepSame(known.get(message.id), message))
  const first = tail[0]
  const at = first ? before.messages.findIndex((message) => message.id === first.id) : -1
  if (at <= 0) return { ...read, messages: tail }
  return { ...read, messages: [...before.messages.slice(0, at), ...tail], hasMore: before.hasMore }
}

function keepSame(before: Message | undefined, after: Message): Message {
  return before && JSON.stringify(before) === JSON.stringify(after) ? before : after
}

let refreshing: ReturnType<typeof setTimeout> | null = null
let refreshes = 0

/** Reads the tail of the chat on screen again, soon and once. */
export function refreshTranscript(sessionId: string, delayMs = 60): void {
  if (useTranscript.getState().current?.sessionId !== sessionId) {
    recent.delete(sessionId)
    return
  }
  if (refreshing) return
  refreshing = setTimeout(async () => {
    refreshing = null
    const { current } = useTranscript.getState()
    if (!current) return
    const limit = Math.min(Math.max(current.messages.length + 10, FIRST_PAGE), REFRESH_AT_MOST)
    const mine = ++refreshes
    const read = await call('sessions.get', { sessionId: current.sessionId, limit }).catch(() => null)
    const now = useTranscript.getState().current
    // a later reading knows more, whichever comes back first
    if (mine === refreshes && read && now?.sessionId === read.session.id)
      show(merge(now, { sessionId: read.session.id, ...read }))
  }, delayMs)
}

let loadingOlder = false

/** Reads the page before the first message on screen. Returns how many came. */
export async function loadOlder(limit = OLDER_PAGE): Promise<number> {
  const { current } = useTranscript.getState()
  const first = current?.messages[0]
  if (!current?.hasMore || !first || loadingOlder) return 0
  loadingOlder = true
  try {
    const read = await call('sessions.get', { sessionId: current.sessionId, limit, before: first.id })
    const now = useTranscript.getState().current
    if (now?.messages[0]?.id !== first.id) return 0
    show({ ...now, messages: [...read.messages, ...now.messages], hasMore: read.hasMore }, true)
    return read.messages.length
  } finally {
    loadingOlder = false
  }
}

/**
 * Where a message stands, reading older pages as far as needed; -1 when it is not in the visible branch. With
 * `selectBranch` the branch it is in becomes the visible one.
 */
export async function findMessage(messageId: string, { selectBranch = false } = {}): Promise<number> {
  for (;;) {
    const { current } = useTranscript.getState()
    const at = current?.messages.findIndex((message) => message.id === messageId) ?? -1
    if (at >= 0) return at
    if (current?.hasMore && (await loadOlder(2000)) > 0) continue
    if (!current || !selectBranch) return -1
    await call('messages.select', { messageId })
    const read = await call('sessions.get', { sessionId: current.sessionId, limit: OLDER_PAGE })
    if (useTranscript.getState().current?.sessionId !== current.sessionId) return -1
    show({ sessionId: current.sessionId, ...read })
    return findMessage(messageId)
  }
}

/** Shows messages that were just sent, before they have been read back. */
export function addMessages(sessionId: string, messages: readonly Message[]): void {
  const { current } = useTranscript.getState()
  if (current?.sessionId !== sessionId) return
  const fresh = messages.filter((message) => !current.messages.some((each) => each.id === message.id))
  if (fresh.length) show({ ...current, messages: [...current.messages, ...fresh], total: current.total + fresh.length })
}

/** Changes the chat on screen without reading it again. */
export function keepOpenSession(session: Session): void {
  const { current } = useTranscript.getState()
  if (current?.sessionId === session.id) set({ current: { ...current, session } })
}
