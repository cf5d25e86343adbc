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

/** Some characters around a span, on one line, cut between whole code points. */
export function snippetAround(text: string, [start, end]: readonly [number, number], around = 14): Snippet {
  const line = (part: string) => part.replace(/\s+/g, ' ')
  const before = Array.from(line(text.slice(Math.max(0, start - around * 3), start)))
  const after = Array.from(line(text.slice(end, end + around * 3)))
  const cutBefore = before.length > around || start > around * 3
  const cutAfter = after.length > around || end + around * 3 < text.length
  return {
    before: `${cutBefore ? '…' : ''}${before.slice(-around).join('')}`,
    match: text.slice(start, end),
    after: `${after.slice(0, around).join('')}${cutAfter ? '…' : ''}`,
  }
}
