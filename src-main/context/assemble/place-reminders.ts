import { REMINDERS } from '../reminders-contract'
import type { RequestEntry } from '../request-contract'

type Reminder = Extract<RequestEntry, { kind: 'reminder' }>

/** A registered source that may leave its place. @throws Error for a source nobody registered. */
export function mayMove(reminder: Reminder): boolean {
  const rule = REMINDERS[reminder.source]
  if (!rule) throw new Error(`Reminder source “${reminder.source}” is not registered.`)
  return rule.mayBubble
}

/**
 * What a bubbling reminder comes to rest behind: assistant, tool, system (with
 * the references attached to it), or an input typed in mid-turn.
 */
function stopsBubble(entry: RequestEntry): boolean {
  if (entry.kind === 'leading') return true
  if (entry.kind === 'message') return entry.role !== 'user' || entry.midTurn === true
  return entry.role === 'assistant' || entry.source === 'reference'
}

/**
 * For profiles without mid-conversation systems: each movable reminder goes to just after the nearest assistant, tool,
 * system or mid-turn input above it, and so stands before the trailing user message. The landed order is what is to be
 * stored, so that the next turn replays the same bytes; doing it twice changes nothing.
 */
export function bubbleReminders(entries: readonly RequestEntry[]): { entries: RequestEntry[]; moved: string[] } {
  const out: RequestEntry[] = []
  const moved: string[] = []
  let landing = 0
  for (const entry of entries) {
    if (entry.kind === 'reminder' && !stopsBubble(entry) && mayMove(entry)) {
      if (landing < out.length) moved.push(entry.source)
      out.splice(landing, 0, entry)
      landing += 1
      continue
    }
    out.push(entry)
    if (stopsBubble(entry)) landing = out.length
  }
  return { entries: out, moved }
}

/** What a reminder that waits for its place may pass: ordinary user messages and tool results. */
function letsPass(entry: RequestEntry): boolean {
  if (entry.kind === 'message') return entry.role === 'tool' || (entry.role === 'user' && entry.midTurn !== true)
  return entry.kind === 'reminder' && entry.role === 'user'
}

/**
 * For profiles with mid-conversation systems: a movable reminder waits for the next assistant or system or the end, so
 * that it follows a user or tool message. An input typed in mid-turn is a border it does not cross.
 */
export function delayReminders(entries: readonly RequestEntry[]): { entries: RequestEntry[]; moved: string[] } {
  const out: RequestEntry[] = []
  const moved: string[] = []
  let pending: Reminder[] = []
  const passed = new Set<string>()
  const flush = () => {
    if (pending.length === 0) return
    out.push(...pending)
    moved.push(...passed)
    pending = []
    passed.clear()
  }
  for (const entry of entries) {
    if (entry.kind === 'reminder' && mayMove(entry)) {
      pending.push(entry)
      continue
    }
    if (!letsPass(entry)) flush()
    else for (const reminder of pending) passed.add(reminder.source)
    out.push(entry)
  }
  flush()
  return { entries: out, moved }
}
