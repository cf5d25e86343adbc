import { createHash } from 'node:crypto'

/** What the scripted server makes of texts: the same text always gets the same vector, another size another space. */
export interface ScriptedEmbedding {
  /** Numbers in every vector from now on. */
  dimensions: number
  /** Words of one group count as one word, so that a question may find a memory it shares no word with. */
  senses: string[][]
  /** Texts turned into vectors, with the size they got, in order. */
  readonly asked: { text: string; dimensions: number }[]
}

export const scriptedEmbedding = (): ScriptedEmbedding => ({ dimensions: 64, senses: [], asked: [] })

/** The answer of an OpenAI-compatible `/embeddings`. */
export function embeddingAnswer(scripted: ScriptedEmbedding, body: unknown): unknown {
  const { input, model } = body as { input: string | string[]; model: string }
  const texts = typeof input === 'string' ? [input] : input
  const { dimensions } = scripted
  scripted.asked.push(...texts.map((text) => ({ text, dimensions })))
  return {
    object: 'list',
    model,
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, scripted) })),
    usage: { prompt_tokens: texts.length, total_tokens: texts.length },
  }
}

/** The sum of one pseudo-random direction for each word: texts are as near as they share words or senses. */
function vectorOf(text: string, { dimensions, senses }: ScriptedEmbedding): number[] {
  const sum = new Array<number>(dimensions).fill(0)
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]
  for (const word of words) {
    const sense = senses.find((group) => group.includes(word))?.[0] ?? word
    for (const [at, value] of directionOf(sense, dimensions).entries()) sum[at] = (sum[at] ?? 0) + value
  }
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}

/** Numbers between −1 and 1 made of hashes; the size is part of the seed, so no two spaces are alike. */
function directionOf(word: string, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, at) => {
    const bytes = createHash('sha256').update(`${dimensions}/${word}/${at}`).digest()
    return bytes.readInt32BE(0) / 0x8000_0000
  })
}
