import { percentOf } from '../context/assemble/usage'
import type { ContextUsage, SegmentUsage } from '../context/contract'
import type { ReportedUsage } from './contract'

/** Shares out `total` over parts in proportion, in integers that add up exactly (largest remainders first). */
export function shareOut(parts: readonly number[], total: number): number[] {
  const sum = parts.reduce((a, b) => a + b, 0)
  if (sum === 0) return parts.map(() => 0)
  const exact = parts.map((part) => (part / sum) * total)
  const whole = exact.map(Math.floor)
  let left = total - whole.reduce((a, b) => a + b, 0)
  const byRemainder = exact
    .map((value, index) => ({ index, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest)
  for (const { index } of byRemainder) {
    if (left <= 0) break
    whole[index] = (whole[index] ?? 0) + 1
    left -= 1
  }
  return whole
}

/**
 * The usage of an answered turn: the headline is what the server reported, the segments keep their proportions and add
 * up to it. A server that says it read far less than was sent is told apart by `truncatedByServer`.
 */
export function withReported(usage: ContextUsage, reported: ReportedUsage, truncated: boolean): ContextUsage {
  const cached = { tokens: reported.cachedInputTokens, of: reported.inputTokens }
  if (reported.inputTokens <= 0) return usage
  if (truncated) {
    const front = usage.segments.slice(0, 3).map((segment) => segment.segment)
    return { ...usage, cached, truncatedByServer: { sent: usage.used, reported: reported.inputTokens, front } }
  }
  const used = reported.inputTokens
  const tokens = shareOut(
    usage.segments.map((segment) => segment.tokens),
    used,
  )
  const base = usage.budget ?? used
  const segments = usage.segments.map((segment, index): SegmentUsage => {
    const scaled = tokens[index] ?? 0
    const factor = segment.tokens === 0 ? 0 : scaled / segment.tokens
    return {
      ...segment,
      tokens: scaled,
      share: base === 0 ? 0 : scaled / base,
      top: segment.top.map((entry) => ({ ...entry, tokens: Math.round(entry.tokens * factor) })),
    }
  })
  const whole: ContextUsage = { ...usage, used, segments, quality: 'reported', over: 0, cached }
  if (usage.budget === undefined) return whole
  return {
    ...whole,
    free: Math.max(0, usage.budget - used),
    over: Math.max(0, used - usage.budget),
    percent: percentOf(used, usage.budget),
  }
}
