/** Words and CJK characters a summary may have. */
const MOST_WORDS = 140
/** A language with neither, or one endless word. */
const MOST_CHARACTERS = 2_000
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}]+/gu
const SENTENCE = /[^.!?。！？\n]*(?:[.!?。！？\n]+["'”’)\]」』]*\s*|$)/gu

/** The first `length` characters, never half of one. */
export function cutAt(text: string, length: number): string {
  const code = text.charCodeAt(length - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)
}

/** As many whole sentences as fit: models like to write more than they were asked for. */
export function cutToLength(answer: string): string {
  const text = cutAt(answer.trim(), MOST_CHARACTERS)
  if (wordsIn(text) <= MOST_WORDS) return text.trim()
  let kept = ''
  for (const [sentence] of text.matchAll(SENTENCE)) {
    if (wordsIn(kept + sentence) > MOST_WORDS) break
    kept += sentence
  }
  if (kept.trim() !== '') return kept.trim()
  const words = [...text.matchAll(WORD)]
  const last = words[MOST_WORDS - 1]
  return `${text.slice(0, last === undefined ? text.length : last.index + last[0].length)}…`
}

function wordsIn(text: string): number {
  return text.match(WORD)?.length ?? 0
}
