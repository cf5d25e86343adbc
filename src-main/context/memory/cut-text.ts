/** Longer texts are not counted whole: no tokenizer makes fewer than one token of eight characters for long. */
const CHARACTERS_PER_TOKEN = 8

/** The text, or as much of it as fits, ending in `…`. Never parts a surrogate pair. */
export function cutToTokens(
  text: string,
  limit: number,
  count: (text: string) => number,
): { text: string; tokens: number; cut: boolean } {
  const start = text.slice(0, limit * CHARACTERS_PER_TOKEN)
  const whole = start.length === text.length ? count(text) : Number.POSITIVE_INFINITY
  if (whole <= limit) return { text, tokens: whole, cut: false }
  let low = 0
  let high = start.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (count(ended(start, middle)) <= limit) low = middle
    else high = middle - 1
  }
  const fitted = ended(start, low)
  return { text: fitted, tokens: count(fitted), cut: true }
}

function ended(text: string, length: number): string {
  const code = text.charCodeAt(length - 1)
  const end = code >= 0xd800 && code <= 0xdbff ? length - 1 : length
  return `${text.slice(0, end).trimEnd()}…`
}
