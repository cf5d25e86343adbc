import { create } from 'zustand'
import type { QueuedMessage } from '../../src-main/sessions/queue-contract'
import { call, on } from '../api/client'
import { showError } from '../ui/toast'

/** What waits to be sent, by chat: a picture of the main process's list, which sends it. */
export const useQueues = create<{ queues: Readonly<Record<string, readonly QueuedMessage[]>> }>(() => ({ queues: {} }))

const NONE: readonly QueuedMessage[] = []
export const queueOf = (sessionId: string | null): readonly QueuedMessage[] =>
  useQueues.getState().queues[sessionId ?? ''] ?? NONE
export const useQueue = (sessionId: string | null): readonly QueuedMessage[] =>
  useQueues((state) => state.queues[sessionId ?? ''] ?? NONE)

const followed = new Set<string>()
const readings = new Map<string, number>()

/** Reads what waits in a chat, and follows it from now on. The reading asked for last is the one shown. */
export async function loadQueue(sessionId: string): Promise<void> {
  followed.add(sessionId)
  const mine = (readings.get(sessionId) ?? 0) + 1
  readings.set(sessionId, mine)
  const rows = await call('queue.list', { sessionId }).catch(() => null)
  if (rows && readings.get(sessionId) === mine)
    useQueues.setState(({ queues }) => ({ queues: { ...queues, [sessionId]: rows } }))
}

/** One change of the list. What it became is told by the event that every window gets. */
async function change(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

export const removeQueued = (id: string) => change(() => call('queue.remove', { id }))
/** Back into the field, before what is being written. */
export const takeQueued = (id: string) => change(() => call('queue.take', { id }))
export const moveQueued = (id: string, before: string | null) => change(() => call('queue.move', { id, before }))

export function wireQueues(): void {
  on('queue.changed', ({ ids }) => {
    for (const id of ids) if (followed.has(id)) void loadQueue(id)
  })
  on('resync', () => {
    for (const id of followed) void loadQueue(id)
  })
}
