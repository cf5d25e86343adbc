/** `sentence`: from a model that reads the text. `hash`: character n-grams, a last resort for unread scripts. */
export type EmbeddingChannel = 'sentence' | 'hash'

/** What an embedder made of one text. */
export interface Embedding {
  channel: EmbeddingChannel
  /** Unit norm. Absent when the embedder cannot read the text: its channel then does not vote. */
  vector?: Float32Array
  /** English words standing for a Chinese text; only the built-in embedder makes them. */
  gloss?: string
}

/** What makes vectors comparable: two embedders with equal spaces may share an index. */
export interface EmbeddingSpace {
  provider: string
  baseUrl: string
  model: string
  /** Changes whenever the same model would be fed other text. */
  recipe: string
}

/** Whether texts stay in this process: every other embedder sends them somewhere, if only to the next program. */
export const readsHere = ({ space }: { space: EmbeddingSpace }): boolean => space.provider === 'built-in'

/** `details` of an `embedder.unreachable` where the server answered other than one vector a text: fewer at once may work. */
export interface HalfAnswer {
  answered: number
  expected: number
}

/** Turns texts into unit vectors. Errors are `AppError`s: `embedder.unreachable`, `embedder.dimension`, `model.*`. */
export interface Embedder {
  readonly space: EmbeddingSpace
  /** For people. */
  readonly label: string
  /** Scripts it reads, for people, such as `English`, `Chinese (through a dictionary)`. */
  readonly scripts: readonly string[]
  /** One answer a text, in order. Texts are at most a few hundred words. */
  embed(texts: readonly string[], options: { purpose: 'query' | 'memory'; signal?: AbortSignal }): Promise<Embedding[]>
  /** False while a first use would have to load something: a caller with a deadline may wait longer then. */
  ready(): boolean
  /** Loads ahead of the first use. Never throws. */
  warm(): void
  close(): Promise<void>
}
