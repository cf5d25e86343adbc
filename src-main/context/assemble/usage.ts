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

/** Tokens by source id, segment by segment. */
function tokensBySource(ledger: Ledger): Map<Segment, Map<string, number>> {
  const segments = new Map(SEGMENTS.map((segment) => [segment, new Map<string, number>()]))
  for (const { segment, sourceId, tokens } of ledger) {
    const sources = segments.get(segment)
    if (tokens > 0) sources?.set(sourceId, (sources.get(sourceId) ?? 0) + tokens)
  }
  return segments
}

/** One pass instead of a sort: a long history has thousands of contributors. */
function biggest(sources: ReadonlyMap<string, number>): { sourceId: string; tokens: number }[] {
  const top: { sourceId: string; tokens: number }[] = []
  for (const [sourceId, tokens] of sources) {
    const last = top[TOP - 1]
    if (last && last.tokens >= tokens) continue
    const place = top.findIndex((other) => other.tokens < tokens)
    top.splice(place < 0 ? top.length : place, 0, { sourceId, tokens })
    if (top.length > TOP) top.pop()
  }
  return top
}

function segmentsOf(ledger: Ledger, whole: number): SegmentUsage[] {
  const bySource = tokensBySource(ledger)
  const tops = new Map(SEGMENTS.map((segment) => [segment, biggest(bySource.get(segment) ?? new Map())]))
  const labels = new Map([...tops.values()].flat().map(({ sourceId }) => [sourceId, sourceId]))
  for (const { sourceId, label } of ledger) if (labels.get(sourceId) === sourceId) labels.set(sourceId, label)
  return SEGMENTS.flatMap((segment): SegmentUsage[] => {
    const sources = bySource.get(segment) ?? new Map<string, number>()
    if (sources.size === 0) return []
    const top: UsageContributor[] = (tops.get(segment) ?? []).map(({ sourceId, tokens }) => ({
      sourceId,
      label: labels.get(sourceId) ?? sourceId,
      tokens,
    }))
    let tokens = 0
    for (const part of sources.values()) tokens += part
    return [{ segment, tokens, share: whole > 0 ? tokens / whole : 0, top, more: sources.size - top.length }]
  })
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
    usage.percent = budget > 0 ? (used / budget) * 100 : used > 0 ? 100 : 0
  }
  if (notCounted.length > 0) usage.notCounted = [...notCounted]
  return usage
}
