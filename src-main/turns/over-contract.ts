import type { ContextUsage } from '../context/contract'

/** How far over counts as clearly over, by how far the numbers can be trusted: shares of the budget. */
const DOUBT = { reported: 0, calibrated: 0.02, estimated: 0.05 } as const

/** Whether a request is so far over its budget that a person has to choose what to leave out. */
export function isClearlyOver({ over, budget, quality }: ContextUsage): boolean {
  return budget !== undefined && over > budget * DOUBT[quality]
}
