import {
  type ContextUsage,
  type Ledger,
  SEGMENTS,
  type Segment,
  type SegmentUsage,
  type UsageContributor,
  type UsageQuality,
} from '../contract'

/** All in tokens. */
export interface UsageLimits {
  window?: number
  /** The model's own input limit, where it is below the window. */
  maxInput?: number
  reserved: number
}

const TOP = 5

/** What each source adds to each segment, in ledger order. */
function contributors(ledger: Ledger): Map<Segment, Map<string, UsageContributor>> {
  const segments = new Map(SEGMENTS.map((segment) => [segment, new Map<string, UsageContributor>()]))
  ledger.forEach(({ segment, sourceId, label, tokens }) => {
    if (tokens <= 0) return
    const sources = segments.get(segment)
    const known = sources?.get(sourceId)
    if (known) known.tokens += tokens
    else sources?.set(sourceId, { sourceId, label, tokens })
  })
  return segments
}

/** One pass instead of a sort: a long history has thousands of contributors. */
function biggest(sources: ReadonlyMap<string, UsageContributor>): UsageContributor[] {
  const top: UsageContributor[] = []
  sources.forEach((source) => {
    const last = top[TOP - 1]
    if (last && last.tokens >= source.tokens) return
    const place = top.findIndex((other) => other.tokens < source.tokens)
    top.splice(place < 0 ? top.length : place, 0, source)
    if (top.length > TOP) top.pop()
  })
  return top
}

function segmentsOf(ledger: Ledger, whole: number): SegmentUsage[] {
  const segments: SegmentUsage[] = []
  for (const [segment, sources] of contributors(ledger)) {
    if (sources.size === 0) continue
    let tokens = 0
    sources.forEach((source) => {
      tokens += source.tokens
    })
    const top = biggest(sources)
    segments.push({ segment, tokens, share: whole > 0 ? tokens / whole : 0, top, more: sources.size - top.length })
  }
  return segments
}

/** A budget of 0 counts as full as soon as anything is used. */
export function percentOf(used: number, budget: number): number {
  if (budget > 0) return (used / budget) * 100
  return used > 0 ? 100 : 0
}

/**
 * Adds up a ledger. `budget = min(maxInput, window − reserved)`; without a window there is no budget and no percentage.
 */
export function usageOf(
  ledger: Ledger,
  limits: UsageLimits,
  quality: UsageQuality,
  notCounted: readonly string[] = [],
): ContextUsage {
  const used = ledger.reduce((sum, span) => sum + span.tokens, 0)
  const { window, maxInput, reserved } = limits
  const limited = window !== undefined && maxInput !== undefined && maxInput < window - reserved
  const budget = window === undefined ? undefined : Math.max(0, limited ? maxInput : window - reserved)
  const segments = segmentsOf(ledger, budget ?? used)
  const usage: ContextUsage = {
    reserved,
    used,
    over: budget === undefined ? 0 : Math.max(0, used - budget),
    quality,
    segments,
  }
  if (window !== undefined && budget !== undefined) {
    usage.window = window
    usage.budget = budget
    if (limited) usage.maxInput = maxInput
    usage.free = Math.max(0, budget - used)
    usage.percent = percentOf(used, budget)
  }
  if (notCounted.length > 0) usage.notCounted = [...notCounted]
  return usage
}
