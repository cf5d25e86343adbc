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

function segmentUsage(segment: Segment, sources: Iterable<UsageContributor>, whole: number): SegmentUsage {
  const all = [...sources].filter((one) => one.tokens > 0).sort((a, b) => b.tokens - a.tokens)
  const tokens = all.reduce((sum, one) => sum + one.tokens, 0)
  const share = whole > 0 ? tokens / whole : 0
  return { segment, tokens, share, top: all.slice(0, TOP), more: Math.max(0, all.length - TOP) }
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
