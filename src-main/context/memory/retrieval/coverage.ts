import { LIGHT_WORDS } from './stop-words'
import { type Token, tokensOf } from './tokens'
import { isTopic } from './topics'

/** In a long draft no memory holds a quarter of all words: the strongest of them stand for the question. */
const WORDS_THAT_COUNT = 6
/** A draft of more sentences is a paste: its sentences ask nothing each. */
const MOST_SENTENCES = 8
const SENTENCE = /[^.!?。！？\n]+[.!?。！？\n]*/gu

/** What a light word counts for, beside one that names a thing. */
const LIGHT = 0.4

type Rarity = (term: string) => number
/** From the query tokens a memory holds to a share, 0–1. */
export type ShareOf = (matched: readonly string[]) => number

/** Σ of the matched words' rarity ÷ Σ of the strongest asked ones, at most 1. `least` is the smallest sum they count for. */
export function shareOf(tokens: readonly Token[], rarity: Rarity, least = 0): ShareOf {
  const gains = new Map<string, number>()
  for (const { text, weight } of tokens) {
    const gain = weight * rarity(text) * (LIGHT_WORDS.has(text) ? LIGHT : 1)
    gains.set(text, Math.max(gains.get(text) ?? 0, gain))
  }
  const strongest = [...gains.values()].sort((a, b) => b - a).slice(0, WORDS_THAT_COUNT)
  const total = Math.max(
    least,
    strongest.reduce((sum, gain) => sum + gain, 0),
  )
  return (matched) =>
    total > 0 ? Math.min(1, matched.reduce((sum, text) => sum + (gains.get(text) ?? 0), 0) / total) : 0
}

/**
 * A draft of several sentences asks several things; a memory may answer one of them. The best share among the sentences,
 * each counted as holding at least one rare word, so that a sentence of one common word does not let everything in.
 */
export function sentenceShareOf(draft: string, rarity: Rarity): ShareOf {
  const sentences = (draft.match(SENTENCE) ?? [])
    .map((sentence) => tokensOf(sentence).filter((token) => !isTopic(token.text)))
    .filter((found) => found.length > 0)
  if (sentences.length < 2 || sentences.length > MOST_SENTENCES) return () => 0
  const rarest = rarity('\u0000')
  const shares = sentences.map((tokens) => shareOf(tokens, rarity, rarest))
  return (matched) => (matched.length === 0 ? 0 : Math.max(...shares.map((share) => share(matched))))
}
