import type { Message } from '../../sessions/contract'
import type { ReminderSource } from '../reminders-contract'
import type { RequestEntry } from '../request-contract'
import { rememberPerMessage } from './remember'
import { renderSection, textPiece } from './render-block'
import { type LocalClock, timeText } from './time-text'

/** Milliseconds, NaN when the stored time cannot be read. */
function epochOf(message: Message): number {
  return Date.parse(message.createdAt)
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
    if (last !== undefined && message.role !== 'user') return
    const epoch = epochOf(message)
    if (Number.isNaN(epoch) || (last !== undefined && epoch - last < interval)) return
    anchors.add(index)
    last = epoch
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

const remembered = rememberPerMessage<RequestEntry | undefined>()

/** Makes the `<time>` message before a message; undefined where the user's template says nothing. */
export function timeTeller(
  source: Extract<ReminderSource, 'time' | 'time_landmark'>,
  clock: LocalClock,
): (message: Message) => RequestEntry | undefined {
  const way = `${source} ${clock.zone} ${clock.language} ${clock.templates.time ?? ''}`
  const tell = (message: Message): RequestEntry | undefined => {
    const text = timeText(epochOf(message), clock)
    const items = text === '' ? [] : [[textPiece('time', `landmark:${message.id}`, text, text, { code: 'landmark' })]]
    const pieces = renderSection({ block: 'time', tag: 'time', border: 'any', items })
    return pieces && { kind: 'reminder', source, role: 'system', parts: [{ type: 'text', pieces }] }
  }
  return (message) => remembered(message, way, tell)
}
