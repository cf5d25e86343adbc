/** A turn starts at a user message whose predecessor is no user message. */
export function startsTurn(branch: readonly { role: string }[], index: number): boolean {
  return branch[index]?.role === 'user' && branch[index - 1]?.role !== 'user'
}

/** From the newest turn backward, whole turns as long as they fit; the newest stays whatever it counts. */
function slidingStart(branch: readonly { role: string }[], limit: number, count: (index: number) => number): number {
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
 */
function blockStart(branch: readonly { role: string }[], limit: number, count: (index: number) => number): number {
  const floor = Math.ceil((2 * limit) / 3)
  const counts = branch.map((_, index) => count(index))
  const countOf = (index: number) => counts[index] ?? 0
  let start = 0
  let total = 0
  for (let index = 0; index < branch.length; index++) {
    if (startsTurn(branch, index)) {
      let asked = 0
      for (let next = index; branch[next]?.role === 'user'; next++) asked += countOf(next)
      if (total + asked > limit) {
        while (start < index && (total + asked > floor || !startsTurn(branch, start))) total -= countOf(start++)
      }
    }
    total += countOf(index)
  }
  return start
}

/**
 * Index of the first message that is sent. `limit` counts request messages, 0 = unlimited.
 * `[u1 a1] + u2`, limit 2 → only u2. `[u1, a1, image, image, text]`, limit 2 → the last three, which are one turn.
 */
export function windowStartIndex(
  branch: readonly { role: string }[],
  limit: number,
  shape: 'sliding' | 'blocks',
  count: (index: number) => number,
): number {
  if (limit <= 0) return 0
  return shape === 'sliding' ? slidingStart(branch, limit, count) : blockStart(branch, limit, count)
}
