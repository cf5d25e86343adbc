import type { ReadDatabase } from '../../storage/database'
import type { LanceIndex } from './lance-index'
import { servingSpace, vectorOf } from './spaces'

/** Enough that taking the middle away can still reorder what matters. */
const HITS = 50
const CENTRING = 0.75

/**
 * Nearest memories from the on-disk index, scored as the scan in memory would score them: with the space's middle
 * taken from both sides. Undefined when the index cannot answer; the search then goes by words.
 */
export async function outsideCosines(
  database: ReadDatabase,
  lance: LanceIndex,
  vector: Float32Array,
  channel: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  const middle = servingSpace(database)?.middle
  const shift = middle ? vectorOf(middle) : new Float32Array(vector.length)
  const centre = (row: Float32Array): Float32Array => {
    const moved = row.map((value, at) => value - CENTRING * (shift[at] ?? 0))
    const length = Math.sqrt(moved.reduce((sum, value) => sum + value * value, 0))
    return length > 0 ? moved.map((value) => value / length) : moved
  }
  const asked = centre(vector)
  const best = new Map<string, number>()
  for (const hit of await lance.search(vector, channel, HITS)) {
    const cosine = centre(hit.vector).reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0)
    best.set(hit.memory, Math.max(best.get(hit.memory) ?? -1, cosine))
  }
  return best
}
