import type { Asked } from './ask'
import type { RetrievalQuery } from './model'
import type { Rankable, Spread } from './ranking'

/** A cosine nobody has. */
export const NO_VECTOR = -2
const BEST_COSINES = 8

/** By slot; undefined where no dense channel can vote. */
export function cosinesOf(engine: Rankable, query: RetrievalQuery, asked: Asked): Float32Array | undefined {
  if (query.outsideHits !== undefined) {
    const cosines = new Float32Array(engine.width).fill(NO_VECTOR)
    for (const [id, cosine] of query.outsideHits) {
      const slot = engine.slotOf(id)
      if (slot !== undefined) cosines[slot] = cosine
    }
    return cosines
  }
  if (asked.vector === undefined || query.reading === undefined) return undefined
  return engine.block(query.reading.channel)?.best(asked.vector, engine.width)
}

/** Takes one cosine after another and says how they lie. */
export class SpreadMeter {
  #count = 0
  #sum = 0
  #squares = 0
  #low = Number.POSITIVE_INFINITY
  readonly #best: number[] = []

  add(cosine: number): void {
    this.#count += 1
    this.#sum += cosine
    this.#squares += cosine * cosine
    if (cosine < this.#low) this.#low = cosine
    this.#keepIfBest(cosine)
  }

  spread(): Spread {
    const count = this.#count
    const mean = count > 0 ? this.#sum / count : 0
    const deviation = count > 0 ? Math.sqrt(Math.max(0, this.#squares / count - mean * mean)) : 0
    return { count, mean, deviation, low: count > 0 ? this.#low : 0, best: this.#best }
  }

  #keepIfBest(cosine: number): void {
    const best = this.#best
    if (best.length === BEST_COSINES && cosine <= (best[BEST_COSINES - 1] as number)) return
    let at = best.length
    while (at > 0 && (best[at - 1] as number) < cosine) at -= 1
    best.splice(at, 0, cosine)
    if (best.length > BEST_COSINES) best.pop()
  }
}
