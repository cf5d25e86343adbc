import type { Block, BlockTag, Segment, Why } from '../contract'
import type { Piece } from '../request-contract'
import { type Border, defusePieces } from './borders'

/** One section of the prompt, its tags included. Never empty. */
export type Section = readonly Piece[]

export function isBlank(pieces: readonly Piece[]): boolean {
  return pieces.every((piece) => piece.text.trim() === '')
}

export function frame(segment: Segment, tag: string, text: string): Piece {
  return { segment, sourceId: `frame:${tag}`, label: tag, text }
}

export function textPiece(segment: Segment, sourceId: string, label: string, text: string, why?: Why): Piece {
  return why ? { segment, sourceId, label, text, why } : { segment, sourceId, label, text }
}

/** Puts pieces between the elements of a list; the border is a piece of its own, so that an item's span is its text. */
export function joinPieces(lists: readonly (readonly Piece[])[], border: Piece): Piece[] {
  return lists.flatMap((list, index) => (index > 0 ? [border, ...list] : list))
}

/**
 * `<tag>`, newline, body, newline, `</tag>`. Body: the framing sentence if there is one, then the items, a line each,
 * with whatever could be mistaken for a border defused. Without a tag the bare items. No items, no section.
 */
export function renderSection(options: {
  block: Block | 'app'
  tag?: BlockTag | undefined
  attributes?: string
  framing?: string | undefined
  border: Border
  items: readonly (readonly Piece[])[]
}): Section | undefined {
  const { block, tag, framing, items, border } = options
  if (items.length === 0) return undefined
  const name = tag ?? block
  const lines = tag && framing ? [[frame(block, name, framing)], ...items] : items
  const body = defusePieces(joinPieces(lines, frame(block, name, '\n')), border)
  if (!tag) return body
  return [frame(block, name, `<${tag}${options.attributes ?? ''}>\n`), ...body, frame(block, name, `\n</${tag}>`)]
}

/** Sections joined by one blank line, which is booked to the section it precedes. */
export function joinSections(sections: readonly Section[]): Piece[] {
  return sections.flatMap((section, index) => {
    const first = section[0]
    if (index === 0 || !first) return section
    return first.sourceId.startsWith('frame:')
      ? [{ ...first, text: `\n\n${first.text}` }, ...section.slice(1)]
      : [frame(first.segment, first.segment, '\n\n'), ...section]
  })
}

/** A name inside a tag's quotes. */
export function attributeText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
