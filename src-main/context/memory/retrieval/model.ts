import type { RetrievalMode } from '../retrieval-contract'

/** `sentence`: from a model that reads the text. `hash`: character n-grams, for scripts no model here reads. */
export type VectorChannel = 'sentence' | 'hash'

/** What the embedder made of one text. */
export interface TextReading {
  channel: VectorChannel
  /** Unit vectors, one a chunk; empty when the embedder cannot read the text. */
  vectors: readonly Float32Array[]
  /** English words for a Chinese text. */
  gloss?: string
}

/** What the retrieval knows of one memory. Times in milliseconds since 1970. */
export interface IndexedMemory {
  id: string
  revision: number
  text: string
  /** Neighbours in the source, nearest first: a lighter column. */
  neighbours: readonly string[]
  entities: readonly string[]
  /** A turn of a conversation rather than a stated fact. */
  rawTurn: boolean
  importance: number
  confidence: number
  updatedAt: number
  validFrom?: number
  validUntil?: number
  superseded: boolean
  archived: boolean
  reading?: TextReading
}

export interface RetrievalQuery {
  draft: string
  /** The user turn before, used when the draft has few content words. */
  previous?: string
  mode: RetrievalMode
  topK: number
  now: number
  /** What the embedder made of the draft and the previous turn; absent = lexical only. */
  reading?: TextReading
  previousReading?: TextReading
  /** Cosines of an outside index by memory id, in place of the scan. */
  outsideHits?: ReadonlyMap<string, number>
  /** Cosine under which a sentence candidate without a lexical match is dropped; absent = margin rule only. */
  threshold?: number
}
