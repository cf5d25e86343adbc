import type { Piece, RequestPart } from '../request-contract'
import { joinSections, type Section } from './render-block'

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

type Parts = readonly RequestPart[]

function joined(lists: readonly Parts[]): Parts {
  const out: RequestPart[] = []
  let texts: Section[] = []
  const flush = () => {
    if (texts.length > 0) out.push({ type: 'text', pieces: joinSections(texts) })
    texts = []
  }
  for (const list of lists) {
    list.forEach((part, index) => {
      // Only the edge of a message meets another one: its own later texts stay parts of their own.
      if (part.type !== 'text' || index > 0) flush()
      if (part.type === 'text') texts.push(part.pieces)
      else out.push(part)
    })
  }
  flush()
  return out
}

/** The same old neighbours meet in every request of a chat. */
const known = new WeakMap<Parts, { lists: readonly Parts[]; parts: Parts }>()

/** The contents of several messages as one: a blank line between two texts. */
export function joinParts(lists: readonly Parts[]): Parts {
  const [first] = lists
  if (!first) return []
  const before = known.get(first)
  if (before?.lists.length === lists.length && lists.every((list, index) => list === before.lists[index])) {
    return before.parts
  }
  const parts = joined(lists)
  known.set(first, { lists, parts })
  return parts
}

const isEmpty = ({ text }: Piece): boolean => text === ''
const isEmptyText = (part: RequestPart): boolean => part.type === 'text' && part.pieces.every(isEmpty)

/** True when the parts would put nothing at all on the wire. */
export function saysNothing(parts: readonly RequestPart[]): boolean {
  return parts.every(isEmptyText)
}
