import { allocateFloats, type Scan } from './vector-kernel'

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

  constructor(dims: number) {
    this.dims = dims
    this.#stride = Math.ceil(dims / 16) * 16
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
    }
    this.#rows.set(slot, rows)
  }

  remove(slot: number): void {
    const rows = this.#rows.get(slot)
    if (rows === undefined) return
    this.#rows.delete(slot)
    for (const row of rows.toSorted((a, b) => b - a)) this.#removeRow(row)
  }

  /** Cosine of the best vector of each document, by slot; −2 where a document has none. `size`: one more than the highest slot. */
  best(query: Float32Array, size: number): Float32Array {
    const result = new Float32Array(size).fill(-2)
    if (query.length !== this.dims || this.#count === 0) return result
    this.#floats.fill(0, 0, this.#stride)
    this.#floats.set(query, 0)
    const out = this.#stride + this.#capacity * this.#stride
    this.#scan(0, this.#stride * 4, this.#count, this.#stride, out * 4)
    for (let row = 0; row < this.#count; row += 1) {
      const slot = this.#slots[row] as number
      const cosine = this.#floats[out + row] as number
      if (cosine > (result[slot] as number)) result[slot] = cosine
    }
    return result
  }

  #rowAt(row: number): number {
    return this.#stride + row * this.#stride
  }

  #removeRow(row: number): void {
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
