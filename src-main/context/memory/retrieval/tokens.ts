import { stemmer } from 'stemmer'
import { dateTokens } from './dates'
import { baseForm } from './irregular-words'
import { ENGLISH_STOP_WORDS, HAN_STOP_CHARACTERS } from './stop-words'
import { topicsOf } from './topics'

/** One searchable piece of a text. `weight` is what one occurrence counts for, 0–1. */
export interface Token {
  text: string
  weight: number
}

const RUNS = /\p{Script=Han}+|[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}]+)?/gu
const HAN = /^\p{Script=Han}/u
const LATIN_WORD = /^[a-z]+$/
/** Scripts written without spaces or with rich endings: character pairs find more than whole runs. */
const SPACELESS =
  /\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u

const SINGLE_WEIGHT = 0.35
const DATE_WEIGHT = 1
/** Several memories share a topic: it says less than a word. */
const TOPIC_WEIGHT = 0.6

/** English stems without stop words, Han singles and pairs, date words, topics. Deterministic and independent of any index. */
export function tokensOf(text: string): Token[] {
  const plain = text.normalize('NFKC').toLowerCase()
  const tokens: Token[] = []
  for (const match of plain.matchAll(RUNS)) {
    const run = match[0]
    if (HAN.test(run)) pushPairs(run, tokens, (char) => HAN_STOP_CHARACTERS.has(char))
    else if (SPACELESS.test(run)) pushPairs(run, tokens, () => false)
    else pushWord(run, tokens)
  }
  const topics = topicsOf(tokens.map((token) => token.text))
  for (const date of dateTokens(plain)) tokens.push({ text: date, weight: DATE_WEIGHT })
  for (const topic of topics) tokens.push({ text: topic, weight: TOPIC_WEIGHT })
  return tokens
}

export function scaled(tokens: readonly Token[], factor: number): Token[] {
  return tokens.map(({ text, weight }) => ({ text, weight: weight * factor }))
}

function pushWord(run: string, tokens: Token[]): void {
  const word = run.replace(/['’](?:s|re|ve|ll|d|m|t)$/, '').replace(/['’]/g, '')
  if (word === '' || ENGLISH_STOP_WORDS.has(word) || ENGLISH_STOP_WORDS.has(run.replace(/['’]/g, ''))) return
  tokens.push({ text: LATIN_WORD.test(word) ? stemmer(baseForm(word)) : word, weight: 1 })
}

function pushPairs(run: string, tokens: Token[], stop: (char: string) => boolean): void {
  const chars = [...run]
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? ''
    if (!stop(char)) tokens.push({ text: char, weight: SINGLE_WEIGHT })
    const next = chars[at + 1]
    if (next !== undefined && !(stop(char) && stop(next))) tokens.push({ text: char + next, weight: 1 })
  }
}

/** How many words of a text carry content: Latin words that are no stop words, and every two Han characters. */
export function contentWordCount(text: string): number {
  const plain = text.normalize('NFKC').toLowerCase()
  let words = 0
  let characters = 0
  for (const match of plain.matchAll(RUNS)) {
    const run = match[0]
    if (HAN.test(run) || SPACELESS.test(run)) {
      for (const char of run) if (!HAN_STOP_CHARACTERS.has(char)) characters += 1
    } else {
      const tokens: Token[] = []
      pushWord(run, tokens)
      words += tokens.length
    }
  }
  return words + Math.ceil(characters / 2)
}
