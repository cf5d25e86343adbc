import { memo, useMemo } from 'react'

const CHUNK = 20_000
/** Text that breaks nowhere is slow to lay out, more than its length tells. */
const UNBROKEN_CHUNK = 4000

/** Pieces that end at a line or a word where there is one; together they are the text. */
export function textPieces(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + CHUNK, text.length)
    if (end < text.length) {
      const last = Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf(' ', end - 1))
      if (last > at + CHUNK / 2) end = last + 1
      else end = at + UNBROKEN_CHUNK
      if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end -= 1
    }
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

/** Text too deep or too long to be parsed. Each piece is a box of its own: what is out of sight is not laid out. */
export const PlainBlock = memo(function PlainBlock({ text }: { text: string }) {
  const pieces = useMemo(() => textPieces(text), [text])
  return (
    <div className="plain-block">
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
        <div key={index}>{piece}</div>
      ))}
    </div>
  )
})
