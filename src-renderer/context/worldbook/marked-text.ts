/** A stretch of text, marked or not. */
export interface Stretch {
  text: string
  marked: boolean
  start: number
}

/** Cuts a text at the borders of [start, end) spans; overlapping spans become one. */
export function markSpans(text: string, spans: readonly (readonly [number, number])[]): Stretch[] {
  const sorted = spans
    .map(([start, end]) => [Math.max(0, start), Math.min(text.length, end)] as const)
    .filter(([start, end]) => end > start)
    .toSorted((a, b) => a[0] - b[0])
  const out: Stretch[] = []
  let at = 0
  for (const [start, end] of sorted) {
    if (end <= at) continue
    const from = Math.max(start, at)
    if (from > at) out.push({ text: text.slice(at, from), marked: false, start: at })
    const last = out.at(-1)
    if (last?.marked && last.start + last.text.length === from) last.text += text.slice(from, end)
    else out.push({ text: text.slice(from, end), marked: true, start: from })
    at = end
  }
  if (at < text.length) out.push({ text: text.slice(at), marked: false, start: at })
  return out
}

export interface Snippet {
  before: string
  match: string
  after: string
}

const WIDE = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFF60]/
const widthOf = (char: string) => (WIDE.test(char) ? 2 : 1)

/** As many characters from the front as fit; CJK counts double. */
function fitting(chars: readonly string[], width: number): string[] {
  let room = width
  const cut = chars.findIndex((char) => {
    room -= widthOf(char)
    return room < 0
  })
  return cut < 0 ? [...chars] : chars.slice(0, cut)
}

/** Some characters around a span, on one line, cut between whole code points. `width` is per side, in narrow characters. */
export function snippetAround(text: string, [start, end]: readonly [number, number], width = 16): Snippet {
  const line = (part: string) => Array.from(part.replace(/\s+/g, ' '))
  const before = line(text.slice(Math.max(0, start - width * 3), start)).toReversed()
  const after = line(text.slice(end, end + width * 3))
  const left = fitting(before, width)
  const right = fitting(after, width)
  const cutBefore = left.length < before.length || start > width * 3
  const cutAfter = right.length < after.length || end + width * 3 < text.length
  return {
    before: `${cutBefore ? '…' : ''}${left.toReversed().join('')}`,
    match: text.slice(start, end),
    after: `${right.join('')}${cutAfter ? '…' : ''}`,
  }
}
