import { isEverydayWord } from './everyday-words'
import { HAN_STOP_CHARACTERS } from './stop-words'
import { isTopic, topicsOf } from './topics'

const HAN = /^\p{Script=Han}+$/u

/** What a draft and a memory have in common, by channel: tokens of the draft that the memory holds, in draft order. */
export interface InCommon {
  words: readonly string[]
  glosses: readonly string[]
}

/**
 * Whether what both hold is enough to speak of a match: one telling word, two words of any kind, or a topic that two
 * different words name. One everyday word is not, and neither is what follows from it: its own topic, its Chinese
 * characters one by one, and the several English words that one Chinese word is read as.
 */
export function isSupported({ words, glosses }: InCommon): boolean {
  const latin = wordsIn(words)
  const read = wordsIn(glosses)
  if ([...latin, ...read].some((word) => !isEverydayWord(word))) return true
  const han = hanWordsIn(words)
  const hanIsRead = glosses.some((word) => !isTopic(word))
  if (han.some((word) => word.length > 2 || !hanIsRead)) return true
  const here = latin.length + han.length
  if ((here > 0 ? here : meaningsIn(read)) > 1) return true
  return hasOwnTopic(words, [...latin, ...han]) || hasOwnTopic(glosses, read)
}

const wordsIn = (tokens: readonly string[]): string[] =>
  tokens.filter((token) => !isTopic(token) && !/\p{Script=Han}/u.test(token))

/** The longest runs of characters in common, without what only joins words at either end. */
function hanWordsIn(tokens: readonly string[]): string[] {
  const runs: string[] = []
  for (const pair of tokens) {
    if (!HAN.test(pair) || pair.length !== 2) continue
    const before = runs.at(-1)
    if (before?.endsWith(pair.charAt(0))) runs[runs.length - 1] = before + pair.charAt(1)
    else runs.push(pair)
  }
  return runs.map(withoutStops).filter((run) => run.length > 1)
}

function withoutStops(run: string): string {
  let from = 0
  let to = run.length
  while (from < to && HAN_STOP_CHARACTERS.has(run.charAt(from))) from += 1
  while (to > from && HAN_STOP_CHARACTERS.has(run.charAt(to - 1))) to -= 1
  return run.slice(from, to)
}

/** Words on the same topic count once: 工作 is read as "work" and "job". */
function meaningsIn(words: readonly string[]): number {
  return new Set(words.map((word) => [...topicsOf([word])].join(' ') || word)).size
}

/** A topic in common that does not merely follow from a word in common. */
function hasOwnTopic(tokens: readonly string[], words: readonly string[]): boolean {
  const followed = topicsOf(words)
  return tokens.some((token) => isTopic(token) && !followed.has(token))
}
