import { allocateFloats, type Scan } from './vector-kernel'

/** Taking the whole middle away overshoots; three quarters were best or near it on every set. */
const CENTRING = 0.75
const PRIOR_COUNT = 16
const SHRINK_COUNT = 8

/** Unit vectors of many documents in one block of memory, searched flat. A document may have several (its chunks). */
export class VectorBlock {
  readonly dims: number
  /** Dims rounded up to the kernel's step; the rest stays zero. */
  readonly #stride: number
  #capacity = 0
  #count = 0
  #scan: Scan
  #floats: Float32Array
  /** Row -> slot. */
  #slots = new Int32Array(0)
  readonly #rows = new Map<number, number[]>()
  /** Sum of all rows, and what is derived from it on the next search after a change. */
  readonly #sum: Float64Array
  readonly #middle: Float32Array
  #prior: Float32Array | undefined
  #scales = new Float32Array(0)
  #stale = true

  constructor(dims: number) {
    this.dims = dims
    this.#stride = Math.ceil(dims / 16) * 16
    this.#sum = new Float64Array(dims)
    this.#middle = new Float32Array(dims)
    const made = this.#allocate(64)
    this.#scan = made.scan
    this.#floats = made.floats
    this.#capacity = 64
    this.#slots = new Int32Array(64)
  }

  get count(): number {
    return this.#count
  }

  has(slot: number): boolean {
    return this.#rows.has(slot)
  }

  /** Replaces whatever the slot had. Vectors of another length are refused. */
  set(slot: number, vectors: readonly Float32Array[]): void {
    this.remove(slot)
    if (vectors.length === 0) return
    const rows: number[] = []
    for (const vector of vectors) {
      if (vector.length !== this.dims)
        throw new Error(`A vector of ${vector.length} dimensions in a block of ${this.dims}.`)
      if (this.#count === this.#capacity) this.#grow()
      this.#floats.set(vector, this.#rowAt(this.#count))
      this.#slots[this.#count] = slot
      rows.push(this.#count)
      this.#count += 1
      this.#addToSum(vector, 1)
    }
    this.#stale = true
    this.#rows.set(slot, rows)
  }

  remove(slot: number): void {
    const rows = this.#rows.get(slot)
    if (rows === undefined) return
    this.#rows.delete(slot)
    for (const row of rows.toSorted((a, b) => b - a)) this.#removeRow(row)
  }

  /**
   * What all texts of the space have in common, learned from everyday sentences: it counts like this many vectors when
   * the middle of the store is taken.
   */
  setPrior(middle: Float32Array | undefined): void {
    this.#prior = middle?.length === this.dims ? middle : undefined
    this.#stale = true
  }

  /**
   * Cosine of the best vector of each document after the store's middle is taken from both sides, by slot; −2 where a
   * document has none. Texts of one person share a large common part that says nothing; without it recall is a few
   * points higher in every language tried. `size`: one more than the highest slot.
   */
  best(query: Float32Array, size: number): Float32Array {
    const result = new Float32Array(size).fill(-2)
    if (query.length !== this.dims || this.#count === 0) return result
    if (this.#stale) this.#takeMiddle()
    const middle = this.#middle
    const asked = centred(query, middle)
    // asked · (d − m) = asked · d − asked · m, so the stored rows need not be changed.
    const shift = dot(asked, middle)
    const out = this.#scanFor(asked)
    for (let row = 0; row < this.#count; row += 1) {
      const slot = this.#slots[row] as number
      const cosine = ((this.#floats[out + row] as number) - shift) * (this.#scales[row] as number)
      if (cosine > (result[slot] as number)) result[slot] = cosine
    }
    return result
  }

  /** The middle of the store, shrunk, and for each row 1 ÷ |row − middle|. */
  #takeMiddle(): void {
    const middle = this.#middle
    const total = this.#count + (this.#prior ? PRIOR_COUNT : SHRINK_COUNT)
    for (let at = 0; at < this.dims; at += 1) {
      const prior = (this.#prior?.[at] ?? 0) * PRIOR_COUNT
      middle[at] = (CENTRING * ((this.#sum[at] as number) + prior)) / total
    }
    const square = dot(middle, middle)
    if (this.#scales.length < this.#capacity) this.#scales = new Float32Array(this.#capacity)
    const out = this.#scanFor(middle)
    for (let row = 0; row < this.#count; row += 1) {
      const length = Math.sqrt(Math.max(1e-6, 1 - 2 * (this.#floats[out + row] as number) + square))
      this.#scales[row] = 1 / length
    }
    this.#stale = false
  }

  /** Offset of one dot product a row. */
  #scanFor(vector: Float32Array): number {
    this.#floats.fill(0, 0, this.#stride)
    this.#floats.set(vector, 0)
    const out = this.#stride + this.#capacity * this.#stride
    this.#scan(0, this.#stride * 4, this.#count, this.#stride, out * 4)
    return out
  }

  #rowAt(row: number): number {
    return this.#stride + row * this.#stride
  }

  #addToSum(vector: Float32Array, sign: 1 | -1): void {
    for (let at = 0; at < this.dims; at += 1) this.#sum[at] = (this.#sum[at] ?? 0) + sign * (vector[at] ?? 0)
  }

  #removeRow(row: number): void {
    this.#addToSum(this.#floats.subarray(this.#rowAt(row), this.#rowAt(row) + this.dims), -1)
    this.#stale = true
    const last = this.#count - 1
    if (row !== last) {
      this.#floats.copyWithin(this.#rowAt(row), this.#rowAt(last), this.#rowAt(last) + this.#stride)
      const slot = this.#slots[last] as number
      this.#slots[row] = slot
      const rows = this.#rows.get(slot)
      if (rows) rows[rows.indexOf(last)] = row
    }
    this.#count = last
  }

  #grow(): void {
    const capacity = this.#capacity * 2
    const made = this.#allocate(capacity)
    made.floats.set(this.#floats.subarray(0, this.#rowAt(this.#count)))
    const slots = new Int32Array(capacity)
    slots.set(this.#slots)
    this.#scan = made.scan
    this.#floats = made.floats
    this.#slots = slots
    this.#capacity = capacity
  }

  /** The query, the rows, then one result a row. */
  #allocate(capacity: number): { scan: Scan; floats: Float32Array } {
    return allocateFloats(this.#stride + capacity * this.#stride + capacity)
  }
}

function dot(one: Float32Array, two: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (two[at] as number)
  return sum
}

/** `vector − middle`, of unit length. */
function centred(vector: Float32Array, middle: Float32Array): Float32Array {
  const moved = vector.map((value, at) => value - (middle[at] as number))
  const length = Math.sqrt(dot(moved, moved))
  return length > 0 ? moved.map((value) => value / length) : moved
}
