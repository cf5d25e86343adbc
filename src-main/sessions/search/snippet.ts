const BEFORE = 40
const LENGTH = 180

/** One UTF-16 unit in, one out, so that offsets stay: lower case, accents and full width dropped. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length && !/[\u00c0-\u024f\u1e00-\u1eff\uff00-\uffef]/.test(text)) return lower
  let result = ''
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charAt(index)
    const plain = unit.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    result += plain.length === 1 ? plain : unit
  }
  return result
}

/** Where the terms stand in a text: start and end, UTF-16, merged and in order. */
export function termRanges(text: string, terms: readonly string[]): [number, number][] {
  const searched = folded(text)
  const found: [number, number][] = []
  for (const term of new Set(terms.flatMap(looseForms).map(folded))) {
    for (
      let at = searched.indexOf(term);
      at >= 0 && found.length < 200;
      at = searched.indexOf(term, at + term.length)
    ) {
      found.push([at, at + term.length])
    }
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1])
  const merged: [number, number][] = []
  for (const [start, end] of found) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

/** A term with punctuation inside may stand in the text with other punctuation: its words count too. */
function looseForms(term: string): string[] {
  const words = term.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length > 1 ? [term, ...words.filter((word) => word.length > 1)] : [term]
}

const isLowSurrogate = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** A piece of the text around the first hit, on one line, with the hits' offsets in it. */
export function makeSnippet(text: string, terms: readonly string[]): { snippet: string; ranges: [number, number][] } {
  const first = termRanges(text, terms)[0]?.[0] ?? 0
  let start = Math.max(0, first - BEFORE)
  if (isLowSurrogate(text, start)) start -= 1
  let end = Math.min(text.length, start + LENGTH)
  if (isLowSurrogate(text, end)) end += 1
  // white space is replaced unit by unit: the offsets hold
  const body = text.slice(start, end).replaceAll(/\s/g, ' ')
  const snippet = `${start > 0 ? '…' : ''}${body}${end < text.length ? '…' : ''}`
  return { snippet, ranges: termRanges(snippet, terms) }
}
