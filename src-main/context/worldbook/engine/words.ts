const UNKNOWN = 0
const OTHER = 1
const WORD = 2
/**
 * Scripts written without spaces (and Hangul, whose particles join the noun), and emoji, which people set right behind
 * a word: no boundary is asked for.
 */
const SPACELESS = 3
const CONNECTOR = 4
type Kind = typeof OTHER | typeof WORD | typeof SPACELESS | typeof CONNECTOR

const SPACELESS_PATTERN =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Javanese}\p{scx=Balinese}\p{scx=Tai_Le}\p{scx=New_Tai_Lue}\p{scx=Tai_Tham}\p{scx=Tai_Viet}\p{scx=Yi}]$/u
const WORD_PATTERN = /^[\p{L}\p{N}\p{M}]$/u
const CONNECTOR_PATTERN = /^\p{Pc}$/u
const EMOJI_PATTERN = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Variation_Selector}]$/u

const unitKinds = new Uint8Array(0x1_00_00)
const pointKinds = new Map<number, Kind>()

function classify(character: string): Kind {
  if (EMOJI_PATTERN.test(character)) return SPACELESS
  if (WORD_PATTERN.test(character)) return SPACELESS_PATTERN.test(character) ? SPACELESS : WORD
  return CONNECTOR_PATTERN.test(character) ? CONNECTOR : OTHER
}

function kindOf(point: number): Kind {
  if (point > 0xffff) {
    const known = pointKinds.get(point)
    if (known !== undefined) return known
    const kind = classify(String.fromCodePoint(point))
    pointKinds.set(point, kind)
    return kind
  }
  const known = unitKinds[point] ?? UNKNOWN
  if (known !== UNKNOWN) return known as Kind
  const kind = classify(String.fromCharCode(point))
  unitKinds[point] = kind
  return kind
}

function pointBefore(text: string, end: number): number {
  const low = text.charCodeAt(end - 1)
  return low >= 0xdc00 && low <= 0xdfff && end > 1 ? (text.codePointAt(end - 2) ?? low) : low
}

/** A longer run of underscores is a line somebody drew, and looking over it for every hit would cost its square. */
const LONGEST_RUN = 32

/** True when the character on the far side of an underscore run belongs to a word: `my_cat`, but not `_cat_`. */
function joins(text: string, at: number, step: 1 | -1): boolean {
  let cursor = at
  while (cursor >= 0 && cursor < text.length && kindOf(text.charCodeAt(cursor)) === CONNECTOR) {
    cursor += step
    if (Math.abs(cursor - at) > LONGEST_RUN) return false
  }
  if (cursor < 0 || cursor >= text.length) return false
  const point = step === 1 ? (text.codePointAt(cursor) ?? 0) : pointBefore(text, cursor + 1)
  return kindOf(point) === WORD
}

function openAt(text: string, inside: number, at: number, step: 1 | -1): boolean {
  if (at < 0 || at >= text.length) return true
  if (kindOf(inside) === SPACELESS) return true
  const outside = step === 1 ? (text.codePointAt(at) ?? 0) : pointBefore(text, at + 1)
  const kind = kindOf(outside)
  if (kind === CONNECTOR) return !joins(text, at, step)
  return kind !== WORD
}

const isAsciiLetter = (unit: number) => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a)

/**
 * Whether [start, end) stands as a whole word. Letters, digits and marks are word characters; a neighbour or an edge in
 * a script without spaces is no obstacle; the inside of the span is not looked at, so `C++` and `two words` work.
 */
export function isBounded(text: string, start: number, end: number): boolean {
  // Most hits of a large book stand inside another word: told without a look at the character tables.
  if (isAsciiLetter(text.charCodeAt(start - 1)) && text.charCodeAt(start) < 0x80) return false
  if (isAsciiLetter(text.charCodeAt(end)) && text.charCodeAt(end - 1) < 0x80) return false
  return openAt(text, text.codePointAt(start) ?? 0, start - 1, -1) && openAt(text, pointBefore(text, end), end, 1)
}
