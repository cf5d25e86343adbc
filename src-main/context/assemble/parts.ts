import type { Piece, RequestPart } from '../request-contract'
import { joinSections } from './render-block'

/** Neighbouring text parts as one: some servers take a message with a single text only. */
export function coalesceText(parts: readonly RequestPart[]): readonly RequestPart[] {
  if (parts.length < 2) return parts
  const out: RequestPart[] = []
  for (const part of parts) {
    const last = out.at(-1)
    if (part.type === 'text' && last?.type === 'text') {
      out[out.length - 1] = { type: 'text', pieces: [...last.pieces, ...part.pieces] }
    } else out.push(part)
  }
  return out
}

/** Text of one message put before or after another's: a blank line between two texts. */
export function joinParts(above: readonly RequestPart[], below: readonly RequestPart[]): readonly RequestPart[] {
  const last = above.at(-1)
  const first = below[0]
  if (last?.type !== 'text' || first?.type !== 'text') return [...above, ...below]
  return [...above.slice(0, -1), { type: 'text', pieces: joinSections([last.pieces, first.pieces]) }, ...below.slice(1)]
}

/** True when the parts would put nothing at all on the wire. */
export function saysNothing(parts: readonly RequestPart[]): boolean {
  return parts.every((part) => part.type === 'text' && part.pieces.every((piece: Piece) => piece.text === ''))
}
