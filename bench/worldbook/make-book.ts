import type { Book } from '../../src-main/context/worldbook/book-contract'
import { BOOK_SETTINGS_DEFAULTS } from '../../src-main/context/worldbook/book-contract'
import type { Entry } from '../../src-main/context/worldbook/entry-contract'
import { ENTRY_DEFAULTS } from '../../src-main/context/worldbook/entry-contract'

/** A small generator with a fixed sequence, so that every run measures the same text. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const SYLLABLES = [
  'ba',
  'cor',
  'del',
  'fen',
  'gar',
  'hil',
  'jun',
  'kel',
  'lor',
  'mar',
  'nev',
  'or',
  'pel',
  'quin',
  'ros',
  'sal',
  'tor',
  'ul',
  'ven',
  'wyn',
  'xan',
  'yor',
  'zem',
  'dra',
  'sti',
]

export function makeWord(random: () => number): string {
  const length = 2 + Math.floor(random() * 3)
  return Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? 'ba').join('')
}

/** `vocabulary` words, of which texts and keys are made: keys of large books are mostly words no text has. */
export function makeVocabulary(count: number, random: () => number): string[] {
  const words = new Set<string>()
  while (words.size < count)
    words.add(words.size % 5 === 4 ? `${makeWord(random)} ${makeWord(random)}` : makeWord(random))
  return [...words]
}

const pick = (from: readonly string[], random: () => number) => from[Math.floor(random() * from.length)] ?? ''

export function makeText(words: number, vocabulary: readonly string[], random: () => number): string {
  return Array.from({ length: words }, () => pick(vocabulary, random)).join(' ')
}

/** Keys nobody says, but for the first key of every n-th entry, which is a word of the texts. */
function sparseKeys(entries: number, vocabulary: readonly string[], random: () => number): string[] {
  const every = Math.max(1, Math.floor(entries / SPOKEN))
  return Array.from({ length: entries * 3 }, (_none, index) =>
    index % (every * 3) === 0
      ? pick(vocabulary, random)
      : `${makeWord(random)}${makeWord(random)} ${index.toString(36)}`,
  )
}

/** Entries of a sparse book that the texts can call. */
const SPOKEN = 200

/**
 * Entries with three keys each and a content of 30 words. `sparse`: some 200 entries can be called, whatever the size.
 * `dense`: all keys are of the same syllables as the texts, so that a large part of the book fires.
 */
export function makeBook(
  entries: number,
  vocabulary: readonly string[],
  random: () => number,
  kind: 'sparse' | 'dense',
): Book {
  const keys = kind === 'dense' ? makeVocabulary(entries * 3, random) : sparseKeys(entries, vocabulary, random)
  const list = Array.from(
    { length: entries },
    (_none, index): Entry => ({
      ...ENTRY_DEFAULTS,
      id: String(index),
      comment: `Entry ${index}`,
      keys: keys.slice(index * 3, index * 3 + 3),
      content: makeText(30, vocabulary, random),
    }),
  )
  return {
    id: `book-${entries}`,
    name: `${entries} entries`,
    description: '',
    settings: BOOK_SETTINGS_DEFAULTS,
    entries: list,
    extra: {},
    origin: null,
    version: 1,
    createdAt: '',
    updatedAt: '',
  }
}
