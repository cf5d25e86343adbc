import type { Message } from '../../sessions/contract'
import type { ReminderSource } from '../reminders-contract'
import type { RequestEntry } from '../request-contract'
import { type LocalClock, timeText } from '../time-format'
import { renderSection, textPiece } from './render-block'

const epochs = new WeakMap<Message, number>()

/** Milliseconds, NaN when the stored time cannot be read. */
function epochOf(message: Message): number {
  let epoch = epochs.get(message)
  if (epoch === undefined) {
    epoch = Date.parse(message.createdAt)
    epochs.set(message, epoch)
  }
  return epoch
}

/**
 * Indices of the messages that get a landmark: the first message, then the first user message at least the interval
 * later, over the whole branch. Nothing depends on now or on the window, so the same history gives the same bytes.
 */
export function landmarkAnchors(branch: readonly Message[], intervalMinutes: number): Set<number> {
  const anchors = new Set<number>()
  const interval = intervalMinutes * 60_000
  let last: number | undefined
  branch.forEach((message, index) => {
    const epoch = epochOf(message)
    if (Number.isNaN(epoch)) return
    if (last === undefined || (message.role === 'user' && epoch - last >= interval)) {
      anchors.add(index)
      last = epoch
    }
  })
  return anchors
}

/** Indices of the last user message of every turn: each keeps the time it was sent with. */
export function turnAnchors(branch: readonly Message[]): Set<number> {
  const anchors = new Set<number>()
  branch.forEach((message, index) => {
    if (message.role === 'user' && branch[index + 1]?.role !== 'user' && !Number.isNaN(epochOf(message)))
      anchors.add(index)
  })
  return anchors
}

const rendered = new WeakMap<Message, { key: string; entry: RequestEntry }>()

/** The `<time>` message before a message; undefined where the user's template says nothing. */
export function timeEntry(
  message: Message,
  source: Extract<ReminderSource, 'time' | 'time_landmark'>,
  clock: LocalClock,
): RequestEntry | undefined {
  const key = `${source} ${clock.zone} ${clock.language} ${clock.templates.time ?? ''}`
  const known = rendered.get(message)
  if (known?.key === key) return known.entry
  const text = timeText(epochOf(message), clock)
  if (text === '') return undefined
  const items = [[textPiece('time', `landmark:${message.id}`, text, text, { code: 'landmark' })]]
  const pieces = renderSection({ block: 'time', tag: 'time', border: 'any', items })
  if (!pieces) return undefined
  const entry: RequestEntry = { kind: 'reminder', source, role: 'system', parts: [{ type: 'text', pieces }] }
  rendered.set(message, { key, entry })
  return entry
}
