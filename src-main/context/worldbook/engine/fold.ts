/**
 * Unicode simple case folding (one code point to one code point), after which two spellings of a word compare equal.
 * JavaScript has no call for it, so it is read off the case mappings: through upper case where that is one code point
 * (final sigma, long s), else through lower case. Mappings that change the length (ß to SS, İ to i with a dot) are
 * full folding and left out.
 */
const DOTLESS_I = 0x131
const units = new Uint16Array(0x1_00_00)
const points = new Map<number, number>()

function foldCharacter(character: string): string {
  if (character.charCodeAt(0) === DOTLESS_I) return character
  const upper = character.toUpperCase()
  if (upper.length === character.length) {
    const back = upper.toLowerCase()
    if (back.length === character.length) return back
  }
  const lower = character.toLowerCase()
  return lower.length === character.length ? lower : character
}

function foldUnit(unit: number): number {
  const known = units[unit] ?? 0
  if (known !== 0 || unit === 0) return known
  const folded = foldCharacter(String.fromCharCode(unit)).charCodeAt(0)
  units[unit] = folded
  return folded
}

function foldPoint(point: number): number {
  const known = points.get(point)
  if (known !== undefined) return known
  const folded = foldCharacter(String.fromCodePoint(point)).codePointAt(0) ?? point
  points.set(point, folded)
  return folded
}

/** UTF-16 units of the folded text; as long as the text, so offsets carry over. */
export function foldUnits(text: string): Uint16Array {
  const out = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const point = unit >= 0xd800 && unit <= 0xdbff ? (text.codePointAt(at) ?? unit) : unit
    if (point <= 0xffff) {
      out[at] = foldUnit(unit)
      continue
    }
    const folded = String.fromCodePoint(foldPoint(point))
    out[at] = folded.charCodeAt(0)
    out[at + 1] = folded.charCodeAt(1)
    at += 1
  }
  return out
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** Same folding as a string, for keys. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let out = ''
  for (const unit of foldUnits(text)) out += String.fromCharCode(unit)
  return out
}

export function toNfc(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFC')
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Takes a span of `toNfc(text)` back to the text. Slow; only called for texts that NFC changed. */
export function spanBeforeNfc(text: string, span: [number, number]): [number, number] {
  let composed = 0
  let start = -1
  for (const { segment, index } of graphemes.segment(text)) {
    if (start < 0 && composed + toNfc(segment).length > span[0]) start = index
    if (composed >= span[1]) return [Math.max(start, 0), index]
    composed += toNfc(segment).length
  }
  return [Math.max(start, 0), text.length]
}
