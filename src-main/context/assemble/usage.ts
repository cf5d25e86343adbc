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

function contributorsBySegment(ledger: Ledger): Map<Segment, Map<string, UsageContributor>> {
  const segments = new Map<Segment, Map<string, UsageContributor>>()
  for (const { segment, sourceId, label, tokens } of ledger) {
    let sources = segments.get(segment)
    if (!sources) {
      sources = new Map()
      segments.set(segment, sources)
    }
    const known = sources.get(sourceId)
    if (known) known.tokens += tokens
    else sources.set(sourceId, { sourceId, label, tokens })
  }
  return segments
}

/** One pass instead of a sort: a long history has thousands of contributors. */
function segmentUsage(segment: Segment, sources: Iterable<UsageContributor>, whole: number): SegmentUsage {
  const top: UsageContributor[] = []
  let tokens = 0
  let counted = 0
  for (const one of sources) {
    if (one.tokens === 0) continue
    tokens += one.tokens
    counted++
    const last = top[TOP - 1]
    if (last && last.tokens >= one.tokens) continue
    const place = top.findIndex((other) => other.tokens < one.tokens)
    top.splice(place < 0 ? top.length : place, 0, one)
    top.length = Math.min(top.length, TOP)
  }
  return { segment, tokens, share: whole > 0 ? tokens / whole : 0, top, more: counted - top.length }
}

/**
 * Adds up a ledger. `budget = min(maxInput, window − reserved)`; without a window there is no budget and no percentage.
 * A budget of 0 counts as full as soon as anything is used.
 */
export function usageOf(
  ledger: Ledger,
  limits: UsageLimits,
  quality: UsageQuality,
  notCounted: readonly string[] = [],
): ContextUsage {
  const used = ledger.reduce((sum, span) => sum + span.tokens, 0)
  const { window, maxInput, reserved } = limits
  const budget =
    window === undefined ? undefined : Math.max(0, Math.min(maxInput ?? Number.POSITIVE_INFINITY, window - reserved))
  const sources = contributorsBySegment(ledger)
  const segments = SEGMENTS.map((segment) =>
    segmentUsage(segment, sources.get(segment)?.values() ?? [], budget ?? used),
  ).filter((segment) => segment.tokens > 0)
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
    usage.free = Math.max(0, budget - used)
    usage.percent = budget > 0 ? (used / budget) * 100 : used > 0 ? 100 : 0
  }
  if (notCounted.length > 0) usage.notCounted = [...notCounted]
  return usage
}
