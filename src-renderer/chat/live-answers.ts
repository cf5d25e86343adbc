import { useSyncExternalStore } from 'react'
import type { MessagePart, ToolCallState } from '../../src-main/sessions/contract'

/**
 * Answers being streamed, by message id. Kept outside the transcript so that a delta re-renders one message. What came
 * in since the last frame is applied at once, but only as much of it as a frame can draw: a burst is spread over frames.
 */
interface Live {
  /** What the server has sent. */
  parts: MessagePart[]
  /** What is on screen: the same parts, the last text possibly shorter. */
  shown: readonly MessagePart[]
  /** Characters of `parts` that are on screen. */
  shownChars: number
  /** The answer is complete; it goes once everything is on screen. */
  ended: boolean
  /** The number of the last event that is in `parts`; null = nobody has said yet what the answer began with. */
  seq: number | null
  /** Events that came before that was known, in their order. */
  early: LiveEvent[]
}

/** A piece of an answer. `seq` counts the pieces of one turn. */
export type LiveEvent = { seq: number } & (
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool'; call: LiveToolCall }
  /** The whole answer so far: some of it was told as another kind. */
  | { type: 'rewritten'; parts: readonly MessagePart[] }
)

const LEAST_CHARS = 160
const MOST_CHARS = 6000
const GOOD_FRAME_MS = 22
const HIDDEN_WAIT_MS = 250

const answers = new Map<string, Live>()
const listeners = new Map<string, Set<() => void>>()
const dirty = new Set<string>()
let frame = 0
let fallback: ReturnType<typeof setTimeout> | undefined
/** Characters per frame and answer; follows what the last frames cost. */
let pace = 600

const lengthOf = (part: MessagePart) => (part.type === 'text' || part.type === 'reasoning' ? part.text.length : 1)
const tell = (messageId: string) => {
  for (const listener of listeners.get(messageId) ?? []) listener()
}

function schedule(): void {
  if (frame) return
  frame = requestAnimationFrame(flush)
  // a hidden window gets no frames
  fallback = setTimeout(flush, HIDDEN_WAIT_MS)
}

/** The first `chars` characters of an answer. */
function cutParts(parts: readonly MessagePart[], chars: number): MessagePart[] {
  const cut: MessagePart[] = []
  let left = chars
  for (const part of parts) {
    if (left <= 0) break
    const length = lengthOf(part)
    if (length <= left) cut.push(part)
    else if (part.type === 'text' || part.type === 'reasoning') cut.push({ ...part, text: part.text.slice(0, left) })
    left -= length
  }
  return cut
}

function advance(messageId: string, live: Live): void {
  const total = live.parts.reduce((sum, part) => sum + lengthOf(part), 0)
  const next = Math.min(total, live.shownChars + pace)
  live.shown = next === total ? [...live.parts] : cutParts(live.parts, next)
  live.shownChars = next
  if (next < total) dirty.add(messageId)
  else if (live.ended) answers.delete(messageId)
  tell(messageId)
}

function flush(): void {
  cancelAnimationFrame(frame)
  clearTimeout(fallback)
  frame = 0
  const now = [...dirty]
  dirty.clear()
  const began = performance.now()
  for (const messageId of now) {
    const live = answers.get(messageId)
    if (live) advance(messageId, live)
  }
  if (dirty.size > 0) schedule()
  measure(began)
}

/** After the frame was drawn: slower frames draw less the next time, quick ones more. */
function measure(began: number): void {
  const channel = new MessageChannel()
  channel.port1.onmessage = () => {
    channel.port1.close()
    const cost = performance.now() - began
    pace = cost > GOOD_FRAME_MS ? Math.max(LEAST_CHARS, pace * 0.6) : Math.min(MOST_CHARS, pace * 1.2)
    pace = Math.round(pace)
  }
  requestAnimationFrame(() => channel.port2.postMessage(null))
}

function touch(messageId: string, live: Live): void {
  dirty.add(messageId)
  answers.set(messageId, live)
  schedule()
}

const blank = (): Live => ({ parts: [], shown: [], shownChars: 0, ended: false, seq: null, early: [] })

/** A turn begins to write this answer, on top of what it holds already where it is a continued one. */
export function startLive(messageId: string, parts: readonly MessagePart[] = []): void {
  answers.delete(messageId)
  beginLive(messageId, parts)
}

/**
 * Begins with what an answer holds at event number `seq`, read in its middle. What came since goes on top; an answer
 * that is further on here already stays.
 */
export function beginLive(messageId: string, parts: readonly MessagePart[] = [], seq = 0): void {
  const before = answers.get(messageId)
  if (before && before.seq !== null && before.seq > seq) return
  const early = before?.early ?? []
  const shownChars = parts.reduce((sum, part) => sum + lengthOf(part), 0)
  answers.set(messageId, { ...blank(), parts: [...parts], shown: [...parts], shownChars, seq })
  for (const event of early) takeLive(messageId, event)
  tell(messageId)
}

/**
 * Puts one event on top. False when pieces before it are missing, or when it is unknown what the answer began with: the
 * answer has to be read, and this event is kept until then.
 */
export function takeLive(messageId: string, event: LiveEvent): boolean {
  if (event.type === 'rewritten') {
    beginLive(messageId, event.parts, event.seq)
    return true
  }
  const live = answers.get(messageId) ?? blank()
  if (live.seq === null || event.seq > live.seq + 1) {
    answers.set(messageId, { ...live, seq: null, early: [...live.early, event] })
    return false
  }
  if (event.seq <= live.seq) return true
  live.seq = event.seq
  if (event.type === 'tool') putTool(live.parts, event.call)
  else putText(live.parts, event.type, event.text)
  touch(messageId, live)
  return true
}

function putText(parts: MessagePart[], type: 'text' | 'reasoning', text: string): void {
  const last = parts.at(-1)
  if (last?.type === type) parts[parts.length - 1] = { ...last, text: last.text + text }
  else parts.push({ type, text })
}

export interface LiveToolCall {
  callId: string
  toolId: string
  name: string
  arguments: unknown
  state: ToolCallState
  result?: string
  /** What a running call says of itself; only while it is streamed, never stored. */
  progress?: string
}

type ToolPart = Extract<MessagePart, { type: 'tool' }>
/** A tool call as it is shown: a stored one, or a running one with its progress. */
export type LiveToolPart = ToolPart & { progress?: string }

function putTool(parts: MessagePart[], call: LiveToolCall): void {
  const at = parts.findIndex((part) => part.type === 'tool' && part.callId === call.callId)
  const part: LiveToolPart = { type: 'tool', ...call }
  if (at < 0) parts.push(part)
  else parts[at] = { ...parts[at], ...part }
}

/** The stored answer takes over once the last words are on screen; at once where nothing waits or nobody looks. */
export function endLive(messageId: string): void {
  const live = answers.get(messageId)
  if (!live) return
  live.ended = true
  if (dirty.has(messageId) && listeners.has(messageId)) return
  answers.delete(messageId)
  dirty.delete(messageId)
  tell(messageId)
}

export function livePartsOf(messageId: string): readonly MessagePart[] | null {
  const live = answers.get(messageId)
  // until it is known what it began with, the stored answer is the better picture
  return live && (live.seq !== null || live.parts.length > 0) ? live.shown : null
}
export const liveIds = (): string[] => [...answers.keys()]

function subscribe(messageId: string, listener: () => void): () => void {
  const set = listeners.get(messageId) ?? new Set()
  listeners.set(messageId, set)
  set.add(listener)
  return () => {
    set.delete(listener)
    if (set.size === 0) listeners.delete(messageId)
  }
}

/** The parts so far while this message is being streamed, else null. */
export function useLiveParts(messageId: string): readonly MessagePart[] | null {
  return useSyncExternalStore(
    (listener) => subscribe(messageId, listener),
    () => livePartsOf(messageId),
  )
}
