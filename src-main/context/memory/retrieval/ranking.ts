import type { RetrievalParts } from '../retrieval-contract'
import type { Columns } from './columns'
import type { LexicalIndex } from './lexical-index'
import type { IndexedMemory, VectorChannel } from './model'
import type { Standing } from './standing'
import type { VectorBlock } from './vector-block'

export interface RankedMemory {
  memory: IndexedMemory
  standing: Standing
  score: number
  parts: RetrievalParts
  raw: { lexical: number; dense?: number; glossLexical: number }
  matched: string[]
  /** Share of the question's words, weighed by rarity, that this memory holds, 0–1. */
  coverage: number
  /** The same for the sentence of the draft it answers best; 0 where the draft is one sentence. */
  sentenceCoverage: number
  /** More than one everyday word is in common. */
  supported: boolean
  /** The same for what the question is about; 0 where that is not known. */
  topicCoverage: number
}

/** Cosines of all admissible memories that have one: what a margin is judged against. */
export interface Spread {
  count: number
  mean: number
  deviation: number
  low: number
  /** The highest few, best first. */
  best: number[]
}

export interface Ranking {
  /** Admissible ones, best first. */
  best: RankedMemory[]
  /** Those that would have been near the top but may not be used. */
  inadmissible: RankedMemory[]
  considered: number
  spread: Spread
}

/** What a ranking reads of the engine. */
export interface Rankable {
  readonly lexical: LexicalIndex
  readonly glosses: LexicalIndex
  readonly columns: Columns
  readonly size: number
  readonly width: number
  readonly holdsGlosses: boolean
  slotOf(id: string): number | undefined
  memoryAt(slot: number): IndexedMemory | undefined
  block(channel: VectorChannel): VectorBlock | undefined
  slotsNamedIn(words: ReadonlySet<string>): ReadonlySet<number>
}
