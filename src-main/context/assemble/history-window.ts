/** How many messages of a request one of the branch makes. */
type Count = (index: number) => number

export interface WindowStarts {
  now: number
  next: number
}

/** A turn starts at a user message whose predecessor is no user message. */
export function startsTurn(branch: readonly { role: string }[], index: number): boolean {
  return branch[index]?.role === 'user' && branch[index - 1]?.role !== 'user'
}

/** From the newest turn backward, whole turns as long as they fit; the newest stays whatever it counts. */
function slidingStart(branch: readonly { role: string }[], limit: number, count: Count): number {
  let start = branch.length
  let total = 0
  for (let index = branch.length - 1; index >= 0; index--) {
    total += count(index)
    const newest = start === branch.length
    if (total > limit && !newest) return start
    if (startsTurn(branch, index) || index === 0) start = index
  }
  return start
}

/**
 * Replays the session: whenever a new user message brings the count past the limit, the oldest turns go until two
 * thirds are left. The start depends on finished turns only, so it moves once in many turns and never inside one.
 * Also tells where it stood before the message at `mark`.
 */
function blockStarts(branch: readonly { role: string }[], mark: number, limit: number, countOf: Count): WindowStarts {
  const floor = Math.ceil((2 * limit) / 3)
  const counts = branch.map((_, index) => countOf(index))
  const at = (index: number) => counts[index] ?? 0
  let start = 0
  let total = 0
  let now = 0
  for (let index = 0; index < branch.length; index++) {
    if (index === mark) now = start
    if (startsTurn(branch, index)) {
      let asked = 0
      for (let next = index; branch[next]?.role === 'user'; next++) asked += at(next)
      if (total + asked > limit) {
        while (start < index && (total + asked > floor || !startsTurn(branch, start))) total -= at(start++)
      }
    }
    total += at(index)
  }
  return { now, next: start }
}

/** The least the next turn adds: the answer, where it is not under way already, and a message. */
const NEXT_TURN = [{ role: 'assistant' }, { role: 'user' }] as const

/**
 * Index of the first message that is sent now, and of the first in the next turn if that adds one message each way.
 * `limit` counts request messages, 0 = unlimited. `count` gives those of one message of the branch.
 * `[u1 a1] + u2`, limit 2 → only u2. `[u1, a1, image, image, text]`, limit 2 → the last three, which are one turn.
 */
export function windowStarts(
  branch: readonly { role: string }[],
  limit: number,
  shape: 'sliding' | 'blocks',
  count: Count,
): WindowStarts {
  if (limit <= 0) return { now: 0, next: 0 }
  const newest = branch.length - 1
  const isAnswered = branch[newest]?.role === 'assistant'
  const later = [...branch, ...NEXT_TURN.slice(isAnswered ? 1 : 0)]
  // an answer under way counts nothing yet and one message then
  const countThen: Count = (index) => {
    if (index > newest) return 1
    return index === newest && isAnswered ? Math.max(count(index), 1) : count(index)
  }
  // a block's start depends on finished turns only: what the newest answer counts does not move it
  if (shape === 'blocks') return blockStarts(later, branch.length, limit, countThen)
  return { now: slidingStart(branch, limit, count), next: slidingStart(later, limit, countThen) }
}
