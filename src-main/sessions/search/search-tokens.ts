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
function unspacedTokens(piece: string): string[] {
  const characters = [...piece]
  return characters.flatMap((character, index) => {
    const next = characters[index + 1]
    return next === undefined ? [character] : [character, character + next]
  })
}

/** What the index holds for a text, one token a word. camelCase words also give their parts, at the end. */
export function indexTokens(text: string): string {
  const tokens: string[] = []
  const parts: string[] = []
  for (const [piece] of text.normalize('NFKC').matchAll(PIECES)) {
    if (IS_UNSPACED.test(piece)) tokens.push(...unspacedTokens(piece))
    else if (IS_PICTURE.test(piece)) tokens.push(pictureToken(piece))
    else {
      tokens.push(piece.replaceAll('\u0000', ' '))
      if (HAS_HUMP.test(piece)) {
        for (const [word] of piece.matchAll(WORD)) if (HAS_HUMP.test(word)) parts.push(...word.split(HUMP))
      }
    }
  }
  return [...tokens, ...parts].join(' ')
}

/** `港务长` -> `港务 务 务长`: the run that stands in the index wherever these characters stand. */
function unspacedPhrase(piece: string): string {
  const characters = [...piece]
  if (characters.length === 1) return piece
  return unspacedTokens(piece).slice(1, -1).join(' ')
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
    if (IS_UNSPACED.test(piece)) return [quoted(unspacedPhrase(piece))]
    if (IS_PICTURE.test(piece)) return [quoted(pictureToken(piece))]
    // a piece of punctuation alone would be an empty phrase
    return /[\p{L}\p{N}]/u.test(piece) ? [`${quoted(piece)}*`] : []
  })
}
