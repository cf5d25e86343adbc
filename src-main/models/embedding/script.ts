/** What a text is mostly written in, as far as embedding cares. */
export type Script = 'latin' | 'han' | 'other' | 'none'

const LATIN = /\p{Script=Latin}/u
const HAN = /\p{Script=Han}/u
/** Kana, Hangul, Cyrillic, Arabic, …: letters that are neither Latin nor Han. */
const LETTER = /\p{L}/u

/**
 * Counts letters. Kana beside Han means Japanese, which the Chinese dictionary cannot read, so it is `other`.
 * A Han letter weighs about as much as three Latin ones: one character is one word part.
 */
export function scriptOf(text: string): Script {
  let latin = 0
  let han = 0
  let other = 0
  for (const char of text.slice(0, 4_000)) {
    if (LATIN.test(char)) latin += 1
    else if (HAN.test(char)) han += 3
    else if (LETTER.test(char)) other += 2
  }
  if (latin + han + other === 0) return 'none'
  if (other > 0.2 * (latin + han + other)) return 'other'
  return han > 0.15 * (latin + han) ? 'han' : 'latin'
}
