import { useSyncExternalStore } from 'react'
import type { MessagePart, ToolCallState } from '../../src-main/sessions/contract'

/**
 * Answers being streamed, by message id. Kept outside the transcript so that a delta re-renders one message; what came
 * in since the last frame is applied at once, so a burst of deltas costs one render.
 */
const shown = new Map<string, readonly MessagePart[]>()
const building = new Map<string, MessagePart[]>()
const listeners = new Map<string, Set<() => void>>()
const dirty = new Set<string>()
let frame = 0

const MOST_WAIT_MS = 250
let fallback: ReturnType<typeof setTimeout> | undefined

function flush(): void {
  cancelAnimationFrame(frame)
  clearTimeout(fallback)
  frame = 0
  for (const id of dirty) {
    const parts = building.get(id)
    if (!parts) continue
    shown.set(id, [...parts])
    for (const listener of listeners.get(id) ?? []) listener()
  }
  dirty.clear()
}

function touch(messageId: string): MessagePart[] {
  const parts = building.get(messageId) ?? []
  building.set(messageId, parts)
  dirty.add(messageId)
  if (!frame) {
    frame = requestAnimationFrame(flush)
    // a hidden window gets no frames
    fallback = setTimeout(flush, MOST_WAIT_MS)
  }
  return parts
}

/** Begins with what an answer already holds (a continued one), or nothing. */
export function beginLive(messageId: string, parts: readonly MessagePart[] = []): void {
  building.set(messageId, [...parts])
  shown.set(messageId, [...parts])
  for (const listener of listeners.get(messageId) ?? []) listener()
}

export function appendLive(messageId: string, type: 'text' | 'reasoning', text: string): void {
  const parts = touch(messageId)
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
}

export function setLiveTool(messageId: string, call: LiveToolCall): void {
  const parts = touch(messageId)
  const at = parts.findIndex((part) => part.type === 'tool' && part.callId === call.callId)
  const part: MessagePart = { type: 'tool', ...call }
  if (at < 0) parts.push(part)
  else parts[at] = { ...parts[at], ...part }
}

export function endLive(messageId: string): void {
  building.delete(messageId)
  dirty.delete(messageId)
  if (!shown.delete(messageId)) return
  for (const listener of listeners.get(messageId) ?? []) listener()
}

export const livePartsOf = (messageId: string): readonly MessagePart[] | null => shown.get(messageId) ?? null
export const liveIds = (): string[] => [...building.keys()]

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
