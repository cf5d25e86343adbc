import type { IndexedMemory } from './model'

export type Standing = 'holds' | 'past' | 'superseded' | 'expired' | 'not_yet_valid' | 'archived'

/** Whether a memory may be used at this moment, and if not, why. Archived wins over everything. */
export function standingOf(
  memory: Pick<IndexedMemory, 'archived' | 'superseded' | 'validFrom' | 'validUntil'>,
  now: number,
  asksPast: boolean,
): Standing {
  if (memory.archived) return 'archived'
  if (memory.validFrom !== undefined && memory.validFrom > now) return 'not_yet_valid'
  const ended = memory.validUntil !== undefined && memory.validUntil <= now
  if (!memory.superseded && !ended) return 'holds'
  if (asksPast) return 'past'
  return memory.superseded ? 'superseded' : 'expired'
}
