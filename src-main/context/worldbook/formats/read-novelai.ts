import { asFlag, asKeys, asNumber, asText, isFields, isSlashed, own } from './coerce'
import { first, foreignArrival, known } from './foreign'
import { contentProblem, type EntryReader } from './read-entries'

const LETTER = /[\p{L}\p{N}\p{M}_]/u
/** Scripts that write without spaces: a key in them is found inside a run of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** One word of an `&` key, bounded like a word where its edge is a letter. */
function bounded(word: string): string {
  const edge = (character: string | undefined, look: string) =>
    character !== undefined && LETTER.test(character) && !UNSPACED.test(character) ? look : ''
  const letters = [...word]
  return `${edge(letters[0], '(?<![\\p{L}\\p{N}_])')}${escaped(word)}${edge(letters.at(-1), '(?![\\p{L}\\p{N}_])')}`
}

/** `king & crown`: all words, in any order, as one pattern. */
function allOf(words: string[]): string {
  const [head, ...rest] = words.map((word) => `(?=[\\s\\S]*?${bounded(word)})`)
  return `/^${head ?? ''}${rest.join('')}/iu`
}

/**
 * Any of several keys, where a key may ask for all of its `&` words. An entry with one such key and no other becomes
 * a key with secondary keys, which need not stand in the same message; among other keys it becomes a pattern.
 */
export function andKeys(keys: string[]): { keys: string[]; secondaryKeys: string[] } {
  const parts = keys.map((key) =>
    isSlashed(key) || !key.includes('&')
      ? [key]
      : key
          .split('&')
          .map((word) => word.trim())
          .filter((word) => word !== ''),
  )
  const [only, ...others] = parts
  if (only && others.length === 0) return { keys: only.slice(0, 1), secondaryKeys: only.slice(1) }
  return {
    keys: parts.flatMap((words, index) =>
      words.length > 1 ? [allOf(words)] : words.length === 1 ? words : [keys[index] ?? ''],
    ),
    secondaryKeys: [],
  }
}

/** NovelAI lorebook entry: text, displayName, keys, enabled, forceActivation, contextConfig. */
export const readNovelAiEntry: EntryReader = (raw) => {
  const problem = contentProblem(own(raw, 'text'))
  if (problem) return problem
  if (first(raw, 'text', 'keys', 'displayName') === undefined) return 'It holds neither keys nor a text.'
  const config = own(raw, 'contextConfig')
  const given = asKeys(own(raw, 'keys')) ?? []
  const split = andKeys(given)
  const untouched = split.secondaryKeys.length === 0 && split.keys.join('\n') === given.join('\n')
  return foreignArrival(raw, {
    format: 'novelai',
    id: own(raw, 'id'),
    known: known({
      comment: asText(own(raw, 'displayName')),
      content: asText(own(raw, 'text')),
      ...split,
      selectiveLogic: split.secondaryKeys.length > 0 ? 'and-all' : 'and-any',
      enabled: asFlag(own(raw, 'enabled')),
      constant: asFlag(own(raw, 'forceActivation')),
      order: isFields(config) ? asNumber(own(config, 'budgetPriority')) : undefined,
      wholeWords: true,
      caseSensitive: false,
    }),
    exact: ['displayName', 'text', 'enabled', 'forceActivation', 'id', ...(untouched ? ['keys'] : [])],
    changed: ['keys'],
  })
}
