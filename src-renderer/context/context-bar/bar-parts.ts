import type { ContextUsage, Segment } from '../../../src-main/context/contract'

export interface BarPart {
  kind: 'segment' | 'excess' | 'free' | 'reserved'
  segment?: Segment
  /** Flex growth: tokens. */
  grow: number
}

export interface BarParts {
  parts: BarPart[]
  /** Where the budget ends, in percent of the bar; only when over it. */
  mark?: number
}

/**
 * The widths of the bar, in request order, and nothing else: every number comes from `usage`. Over budget the bar's
 * whole width is what is used, and what lies past the budget is marked as excess.
 */
export function barParts(usage: ContextUsage): BarParts {
  const segments = usage.segments.filter((each) => each.tokens > 0)
  if (usage.over > 0 && usage.budget !== undefined) return overParts(segments, usage.budget, usage.used)
  const parts: BarPart[] = segments.map(({ segment, tokens }) => ({ kind: 'segment', segment, grow: tokens }))
  if (usage.free !== undefined) {
    parts.push({ kind: 'free', grow: usage.free }, { kind: 'reserved', grow: usage.reserved })
  }
  return { parts }
}

function overParts(segments: ContextUsage['segments'], budget: number, used: number): BarParts {
  const parts: BarPart[] = []
  let left = budget
  for (const { segment, tokens } of segments) {
    const inside = Math.min(tokens, left)
    left -= inside
    if (inside > 0) parts.push({ kind: 'segment', segment, grow: inside })
    if (tokens > inside) parts.push({ kind: 'excess', segment, grow: tokens - inside })
  }
  return { parts, mark: (budget / used) * 100 }
}
