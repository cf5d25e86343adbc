import type { TurnInput } from '../block-source'
import type { RequestEntry } from '../request-contract'
import { type DepthMessage, depthIndex } from './at-depth'
import { groupBy } from './group-by'
import { landmarkAnchors, timeTeller, turnAnchors } from './landmarks'
import type { Layout } from './layouts'
import type { HistoryPlan } from './plan-history'

interface HistoryInput {
  turn: TurnInput
  layout: Layout
  plan: HistoryPlan
  depths: readonly DepthMessage[]
  /** Goes right before the newest user message. */
  tail: readonly RequestEntry[]
  /** The time block is part of this request. */
  timeSent: boolean
}

/** The time message that stands before a message of the branch, if any. */
function timeBefore({ turn, layout, plan, timeSent }: HistoryInput): (index: number) => RequestEntry | undefined {
  const { branch, settings, overrides, language, now } = turn
  const withheld = overrides.blocksOff?.includes('time') || (turn.isolated && !settings.isolation.sendTime)
  const { enabled, intervalMinutes } = settings.context.landmarks
  const byTurn = layout.timeStaysWithTurn && timeSent
  if (withheld || !(byTurn || enabled)) return () => undefined
  const anchors = byTurn ? turnAnchors(branch) : landmarkAnchors(branch, intervalMinutes)
  const clock = { zone: now.timeZone, language, templates: settings.context.templates }
  const tell = timeTeller(byTurn ? 'time' : 'time_landmark', clock)
  return (index) => {
    const message = branch[index]
    // In the layout that keeps the time with its turn, the newest message gets it from the time block itself.
    if (!message || !anchors.has(index) || (byTurn && index === plan.draftIndex)) return undefined
    return tell(message)
  }
}

/** History with landmarks, at-depth entries and the tail, all placed against the original history, then put in. */
export function historyEntries(input: HistoryInput): RequestEntry[] {
  const { layout, plan, depths, tail } = input
  const { history, owners } = plan
  const before = timeBefore(input)
  const newestAt = owners.lastIndexOf(plan.draftIndex)
  const tailAt = newestAt < 0 ? history.length : newestAt
  const stays = (depth: number) => layout.depths === 'in_place' || depth === 0
  const placed = groupBy(
    [
      ...depths.map(({ depth, entry }) => ({ at: stays(depth) ? depthIndex(history, depth) : tailAt, entry })),
      ...tail.map((entry) => ({ at: tailAt, entry })),
    ],
    ({ at }) => at,
  )

  const entries: RequestEntry[] = []
  for (let at = 0; at <= history.length; at++) {
    const here = placed.get(at)
    if (here) for (const { entry } of here) entries.push(entry)
    const message = history[at]
    const owner = owners[at]
    if (!message || owner === undefined) continue
    const time = owner === owners[at - 1] ? undefined : before(owner)
    if (time) entries.push(time)
    entries.push(message)
  }
  return entries
}
