import { type Admission, admit } from './admit'
import { Columns } from './columns'
import { isEmptyQuery } from './draft-kind'
import { rankAll } from './fuse'
import { LexicalIndex } from './lexical-index'
import type { IndexedMemory, RetrievalQuery, VectorChannel } from './model'
import { scaled, type Token, tokensOf } from './tokens'
import { VectorBlock } from './vector-block'
import { NEIGHBOUR_WEIGHTS } from './weights'

/** What one retrieval found, before texts and token ceilings: plain values that survive a thread border. */
export interface EngineAnswer extends Admission {
  considered: number
  emptyQuery: boolean
}

/**
 * Every memory's words and vectors, in memory. Knows no database, clock or model: the same calls give the same answers.
 * Memories that are archived or no longer hold stay inside, so that a record can say why they were left out.
 */
export class RetrievalEngine {
  readonly lexical = new LexicalIndex()
  readonly glosses = new LexicalIndex()
  readonly columns = new Columns()
  readonly #names = new Map<string, { words: string[]; slots: Set<number> }>()
  readonly #slots = new Map<string, number>()
  readonly #memories: (IndexedMemory | undefined)[] = []
  readonly #free: number[] = []
  readonly #blocks = new Map<VectorChannel, VectorBlock>()
  readonly #middles = new Map<VectorChannel, Float32Array>()
  #glossed = 0

  get size(): number {
    return this.#slots.size
  }

  /** One more than the highest slot in use. */
  get width(): number {
    return this.#memories.length
  }

  get vectorCount(): number {
    let count = 0
    for (const block of this.#blocks.values()) count += block.count
    return count
  }

  get holdsGlosses(): boolean {
    return this.#glossed > 0
  }

  upsert(memory: IndexedMemory): void {
    const slot = this.#slots.get(memory.id) ?? this.#free.pop() ?? this.#memories.length
    const before = this.#memories[slot]
    if (before?.reading?.gloss !== undefined) this.#glossed -= 1
    this.#slots.set(memory.id, slot)
    this.#memories[slot] = memory
    this.lexical.add(slot, memoryTokens(memory))
    const gloss = memory.reading?.gloss
    if (gloss !== undefined) this.#glossed += 1
    this.glosses.add(slot, tokensOf(gloss ?? memory.text))
    this.#setVectors(slot, memory)
    this.columns.set(slot, memory)
    this.#forgetNames(slot, before)
    this.#rememberNames(slot, memory)
  }

  remove(id: string): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    if (this.#memories[slot]?.reading?.gloss !== undefined) this.#glossed -= 1
    this.columns.clear(slot)
    this.#forgetNames(slot, this.#memories[slot])
    this.#slots.delete(id)
    this.#memories[slot] = undefined
    this.lexical.remove(slot)
    this.glosses.remove(slot)
    for (const block of this.#blocks.values()) block.remove(slot)
    this.#free.push(slot)
  }

  /** Drops every vector and gloss; words stay. For a change of the embedding space. */
  clearReadings(): void {
    this.#blocks.clear()
    for (const memory of this.#memories) {
      if (memory?.reading === undefined) continue
      const { reading: _, ...rest } = memory
      this.upsert(rest)
    }
    this.#glossed = 0
  }

  /** What all texts of a space have in common; see `VectorBlock.setPrior`. */
  setMiddle(channel: VectorChannel, middle: Float32Array | undefined): void {
    if (middle === undefined) this.#middles.delete(channel)
    else this.#middles.set(channel, middle)
    this.#blocks.get(channel)?.setPrior(middle)
  }

  slotOf(id: string): number | undefined {
    return this.#slots.get(id)
  }

  memoryAt(slot: number): IndexedMemory | undefined {
    return this.#memories[slot]
  }

  block(channel: VectorChannel): VectorBlock | undefined {
    return this.#blocks.get(channel)
  }

  /** Memories one of whose entities is named, all its words, among these. */
  slotsNamedIn(words: ReadonlySet<string>): ReadonlySet<number> {
    const found = new Set<number>()
    for (const name of this.#names.values()) {
      if (name.words.every((word) => words.has(word))) for (const slot of name.slots) found.add(slot)
    }
    return found
  }

  search(query: RetrievalQuery): EngineAnswer {
    if (isEmptyQuery(query.draft)) return { candidates: [], considered: 0, emptyQuery: true }
    const ranking = rankAll(this, query)
    return { ...admit(ranking, query), considered: ranking.considered, emptyQuery: false }
  }

  #rememberNames(slot: number, memory: IndexedMemory): void {
    for (const entity of memory.entities) {
      const known = this.#names.get(entity)
      if (known !== undefined) known.slots.add(slot)
      else {
        const words = tokensOf(entity).flatMap((token) => (token.weight >= 1 ? [token.text] : []))
        if (words.length > 0) this.#names.set(entity, { words, slots: new Set([slot]) })
      }
    }
  }

  #forgetNames(slot: number, memory: IndexedMemory | undefined): void {
    for (const entity of memory?.entities ?? []) {
      const known = this.#names.get(entity)
      known?.slots.delete(slot)
      if (known?.slots.size === 0) this.#names.delete(entity)
    }
  }

  #setVectors(slot: number, memory: IndexedMemory): void {
    for (const block of this.#blocks.values()) block.remove(slot)
    const { reading } = memory
    const first = reading?.vectors[0]
    if (reading === undefined || first === undefined) return
    let block = this.#blocks.get(reading.channel)
    if (block === undefined || (block.dims !== first.length && block.count === 0)) {
      block = new VectorBlock(first.length)
      block.setPrior(this.#middles.get(reading.channel))
      this.#blocks.set(reading.channel, block)
    }
    block.set(slot, reading.vectors)
  }
}

function memoryTokens(memory: IndexedMemory): Token[] {
  const tokens = tokensOf(memory.text)
  for (const entity of memory.entities) tokens.push(...scaled(tokensOf(entity), 0.5))
  memory.neighbours.slice(0, NEIGHBOUR_WEIGHTS.length).forEach((text, at) => {
    tokens.push(...scaled(tokensOf(text), NEIGHBOUR_WEIGHTS[at] ?? 0))
  })
  return tokens
}
