import type { ContextUsage } from '../../../src-main/context/contract'

/** 0 neutral, 1 notice, 2 warning, 3 over. */
export type Level = 0 | 1 | 2 | 3
const STARTS = [0, 75, 90] as const
/** Percent below a threshold before it counts as left, so that typing at its edge says nothing twice. */
const SLACK = 3

export function levelOf(usage: Pick<ContextUsage, 'percent' | 'over'>): Level {
  if (usage.over > 0) return 3
  const percent = usage.percent ?? 0
  return percent >= STARTS[2] ? 2 : percent >= STARTS[1] ? 1 : 0
}

/** The level to go on from: rises at once, falls only once the figure is clearly below. */
export function settleLevel(before: Level, usage: Pick<ContextUsage, 'percent' | 'over'>): Level {
  const now = levelOf(usage)
  if (now >= before) return now
  const percent = usage.percent ?? 0
  const start = before === 3 ? 100 : (STARTS[before] ?? 0)
  return percent < start - SLACK ? now : before
}
