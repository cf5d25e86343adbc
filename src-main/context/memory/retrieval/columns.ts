import type { IndexedMemory } from './model'

const PRESENT = 1
const ARCHIVED = 2
const SUPERSEDED = 4
const GLOSSED = 8
const RAW_TURN = 16
/** Begins or ends some day: only then are the times looked at. */
const BORDERED = 32

/** What the ranking asks of every memory, by slot, side by side in typed arrays: a pass over 100,000 stays in the cache. */
export class Columns {
  #flags = new Uint8Array(256)
  #from = new Float64Array(256)
  #until = new Float64Array(256)
  updated = new Float64Array(256)
  importance = new Float32Array(256)
  confidence = new Float32Array(256)

  set(slot: number, memory: IndexedMemory): void {
    if (slot >= this.#flags.length) this.#grow(slot + 1)
    this.#flags[slot] =
      PRESENT |
      (memory.archived ? ARCHIVED : 0) |
      (memory.superseded ? SUPERSEDED : 0) |
      (memory.reading?.gloss === undefined ? 0 : GLOSSED) |
      (memory.rawTurn ? RAW_TURN : 0) |
      (memory.validFrom === undefined && memory.validUntil === undefined ? 0 : BORDERED)
    this.#from[slot] = memory.validFrom ?? Number.NEGATIVE_INFINITY
    this.#until[slot] = memory.validUntil ?? Number.POSITIVE_INFINITY
    this.updated[slot] = memory.updatedAt
    this.importance[slot] = memory.importance
    this.confidence[slot] = memory.confidence
  }

  clear(slot: number): void {
    this.#flags[slot] = 0
  }

  isPresent(slot: number): boolean {
    return ((this.#flags[slot] as number) & PRESENT) !== 0
  }

  isGlossed(slot: number): boolean {
    return ((this.#flags[slot] as number) & GLOSSED) !== 0
  }

  isRawTurn(slot: number): boolean {
    return ((this.#flags[slot] as number) & RAW_TURN) !== 0
  }

  /** Whether it may be used at this moment; `standingOf` says the same with reasons. */
  isAdmissible(slot: number, now: number, asksPast: boolean): boolean {
    const flags = this.#flags[slot] as number
    if ((flags & (PRESENT | ARCHIVED | SUPERSEDED | BORDERED)) === PRESENT) return true
    if ((flags & (PRESENT | ARCHIVED)) !== PRESENT || (this.#from[slot] as number) > now) return false
    return asksPast || ((flags & SUPERSEDED) === 0 && (this.#until[slot] as number) > now)
  }

  #grow(least: number): void {
    const size = Math.max(least, this.#flags.length * 2)
    const wider = <T extends Uint8Array | Float64Array | Float32Array>(made: T, old: T): T => {
      made.set(old)
      return made
    }
    this.#flags = wider(new Uint8Array(size), this.#flags)
    this.#from = wider(new Float64Array(size), this.#from)
    this.#until = wider(new Float64Array(size), this.#until)
    this.updated = wider(new Float64Array(size), this.updated)
    this.importance = wider(new Float32Array(size), this.importance)
    this.confidence = wider(new Float32Array(size), this.confidence)
  }
}
