import { asksAboutPast, asksAboutSelf } from './draft-kind'
import type { RetrievalQuery } from './model'
import { contentWordCount, scaled, type Token, tokensOf } from './tokens'
import { PREVIOUS_TURN_WEIGHT, SHORT_DRAFT_WORDS } from './weights'

/** A question in the form each channel wants it. */
export interface Asked {
  tokens: Token[]
  glossTokens: Token[]
  vector: Float32Array | undefined
  /** The question itself was read through a gloss. */
  glossed: boolean
  asksPast: boolean
  /** Texts of `tokens`. */
  words: ReadonlySet<string>
}

/** A short draft goes on with what the turn before was about. */
export function aboutSelf({ draft, previous }: RetrievalQuery): boolean {
  if (asksAboutSelf(draft)) return true
  return previous !== undefined && contentWordCount(draft) < SHORT_DRAFT_WORDS && asksAboutSelf(previous)
}

/** The draft, and below six content words the turn before it at a lower weight. */
export function askedBy(query: RetrievalQuery): Asked {
  const lean = query.previous !== undefined && contentWordCount(query.draft) < SHORT_DRAFT_WORDS
  const tokens = tokensOf(query.draft)
  const glossTokens = tokensOf(query.reading?.gloss ?? query.draft)
  let vector = query.reading?.vectors[0]
  if (lean && query.previous !== undefined) {
    tokens.push(...scaled(tokensOf(query.previous), PREVIOUS_TURN_WEIGHT))
    glossTokens.push(...scaled(tokensOf(query.previousReading?.gloss ?? query.previous), PREVIOUS_TURN_WEIGHT))
    const before = query.previousReading
    const other = before?.channel === query.reading?.channel ? before?.vectors[0] : undefined
    if (vector !== undefined && other !== undefined) vector = mixed(vector, other, PREVIOUS_TURN_WEIGHT)
  }
  return {
    tokens,
    glossTokens,
    vector,
    glossed: query.reading?.gloss !== undefined,
    asksPast: asksAboutPast(query.draft),
    words: new Set(tokens.map((token) => token.text)),
  }
}

function mixed(one: Float32Array, two: Float32Array, weight: number): Float32Array {
  const sum = one.map((value, at) => value + weight * (two[at] ?? 0))
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0))
  return norm > 0 ? sum.map((value) => value / norm) : sum
}
