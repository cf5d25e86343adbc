/** The best `size` slots seen so far, by score; ties go to whatever `isBefore` says. A min-heap with its worst on top. */
export class TopSlots {
  readonly #slots: number[] = []
  readonly #scores: number[] = []
  readonly #size: number
  readonly #isBefore: (a: number, b: number) => boolean

  constructor(size: number, isBefore: (a: number, b: number) => boolean) {
    this.#size = size
    this.#isBefore = isBefore
  }

  /** Nothing below this can still enter. */
  get floor(): number {
    return this.#slots.length < this.#size ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number)
  }

  add(slot: number, score: number): void {
    if (this.#slots.length < this.#size) {
      this.#slots.push(slot)
      this.#scores.push(score)
      this.#rise(this.#slots.length - 1)
      return
    }
    if (!this.#worse(this.#slots[0] as number, this.#scores[0] as number, slot, score)) return
    this.#slots[0] = slot
    this.#scores[0] = score
    this.#sink()
  }

  /** In no particular order. */
  slots(): readonly number[] {
    return this.#slots
  }

  #worse(slot: number, score: number, otherSlot: number, otherScore: number): boolean {
    return score < otherScore || (score === otherScore && this.#isBefore(otherSlot, slot))
  }

  #worseAt(a: number, b: number): boolean {
    return this.#worse(
      this.#slots[a] as number,
      this.#scores[a] as number,
      this.#slots[b] as number,
      this.#scores[b] as number,
    )
  }

  #swap(a: number, b: number): void {
    const slot = this.#slots[a] as number
    const score = this.#scores[a] as number
    this.#slots[a] = this.#slots[b] as number
    this.#scores[a] = this.#scores[b] as number
    this.#slots[b] = slot
    this.#scores[b] = score
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#worseAt(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const right = left + 1
      let worst = at
      if (left < this.#slots.length && this.#worseAt(left, worst)) worst = left
      if (right < this.#slots.length && this.#worseAt(right, worst)) worst = right
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }
}
