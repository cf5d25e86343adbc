/** Scripts written without spaces: found by single characters and pairs. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}々〆ー'
const PIECES = new RegExp(`[${UNSPACED}]+|\\p{Extended_Pictographic}|[^${UNSPACED}\\p{Extended_Pictographic}]+`, 'gu')
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
const IS_PICTURE = /^\p{Extended_Pictographic}/u
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u
const HAS_HUMP = /[\p{Ll}\p{N}]\p{Lu}/u
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Emoji are separators to the tokenizer, so they travel as words. */
const pictureToken = (piece: string): string => `xpic${(piece.codePointAt(0) ?? 0).toString(16)}`

/** `港务长` -> `港 港务 务 务长 长`: every substring of two or more characters is a run of neighbours in it. */
function unspacedTokens(piece: string): string {
  let tokens = ''
  let before = ''
  for (const character of piece) {
    tokens += before === '' ? character : ` ${before}${character} ${character}`
    before = character
  }
  return tokens
}

/** Unspaced characters of one text that are indexed with their order. */
const ORDERED_CHARACTERS = 16_000
/** Stands in the index of texts that hold more than that. */
const LONG_TAIL = 'xlongtail'

/** Singles and pairs once each: all the index needs to know of the tail of a very long text. */
function addLooseTokens(loose: Set<string>, piece: string): void {
  let before = ''
  for (const character of piece) {
    loose.add(character)
    if (before !== '') loose.add(before + character)
    before = character
  }
}

/** What the index holds for a text, one token a word. camelCase words also give their parts, at the end. */
export function indexTokens(text: string): string {
  const tokens: string[] = []
  const parts: string[] = []
  const loose = new Set<string>()
  let ordered = 0
  for (const [piece] of text.normalize('NFKC').matchAll(PIECES)) {
    if (IS_UNSPACED.test(piece)) {
      const room = Math.max(0, ORDERED_CHARACTERS - ordered)
      ordered += piece.length
      if (room > 0) tokens.push(unspacedTokens(piece.slice(0, room)))
      if (piece.length > room) addLooseTokens(loose, piece.slice(Math.max(0, room - 1)))
    } else if (IS_PICTURE.test(piece)) tokens.push(pictureToken(piece))
    else {
      tokens.push(piece.replaceAll('\u0000', ' '))
      if (HAS_HUMP.test(piece)) {
        for (const [word] of piece.matchAll(WORD)) if (HAS_HUMP.test(word)) parts.push(word.split(HUMP).join(' '))
      }
    }
  }
  if (loose.size > 0) loose.add(LONG_TAIL)
  return [...tokens, ...parts, ...loose].join(' ')
}

/**
 * `港务长` -> `港务 务 务长`: the run that stands in the index wherever these characters stand. In the tail of very long
 * texts order is unknown: there all pairs must occur.
 */
function unspacedMatch(piece: string): string {
  const tokens = unspacedTokens(piece).split(' ')
  if (tokens.length === 1) return quoted(piece)
  const run = tokens.slice(1, -1)
  if (run.length === 1) return quoted(run.join(' '))
  const pairs = run.filter((_token, index) => index % 2 === 0).map(quoted)
  return `(${quoted(run.join(' '))} OR (${[...pairs, LONG_TAIL].join(' AND ')}))`
}

export interface SearchQuery {
  /** For MATCH: every term quoted. */
  match: string
  /** What the person typed, term by term: for highlights. */
  terms: string[]
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Terms are parted by white space and all must occur; `"two words"` is one term. Undefined: nothing to look for. */
export function parseQuery(text: string): SearchQuery | undefined {
  const terms = [...text.normalize('NFKC').matchAll(/"([^"]+)"|(\S+)/g)]
    .map((match) => (match[1] ?? match[2] ?? '').replaceAll('\u0000', '').trim())
    .filter((term) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(term))
  const match = terms.flatMap(termMatches).join(' AND ')
  return match === '' ? undefined : { match, terms }
}

function termMatches(term: string): string[] {
  return [...term.matchAll(PIECES)].flatMap(([piece]) => {
    if (IS_UNSPACED.test(piece)) return [unspacedMatch(piece)]
    if (IS_PICTURE.test(piece)) return [quoted(pictureToken(piece))]
    // a piece of punctuation alone would be an empty phrase
    return /[\p{L}\p{N}]/u.test(piece) ? [`${quoted(piece)}*`] : []
  })
}
