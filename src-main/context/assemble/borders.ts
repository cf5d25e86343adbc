import { BLOCK_TAGS, type BlockTag } from '../contract'
import type { Piece } from '../request-contract'

/**
 * A `<` that opens or closes one of our tags: any case, spaces and attributes allowed, closed by `>` or not. White space
 * can be read in one way only, so that a long run of it costs its length and not the square of it.
 */
const anyTag = new RegExp(`<(?=\\s*(?:/\\s*)?(?:${BLOCK_TAGS.join('|')})(?![\\w-]))`, 'gi')
const reminderTag = /<(?=\s*(?:\/\s*)?system-reminder(?![\w-]))/gi
const closingTags = new Map(BLOCK_TAGS.map((tag) => [tag, new RegExp(`<(?=\\s*/\\s*${tag}(?![\\w-]))`, 'gi')]))

/** What may not stand in a text: any tag of ours, a reminder's, or only the closing tag of one block. */
export type Border = 'any' | 'reminder' | { closing: BlockTag }

function patternOf(border: Border): RegExp {
  if (border === 'any') return anyTag
  if (border === 'reminder') return reminderTag
  return closingTags.get(border.closing) ?? anyTag
}

/** Doing it twice changes nothing: what was a border no longer has its `<`. */
export function defuse(text: string, border: Border): string {
  return text.includes('<') ? text.replace(patternOf(border), '&lt;') : text
}

/** Like `defuse`, over the joined text: a tag put together from two pieces is found as well. */
export function defusePieces(pieces: readonly Piece[], border: Border): readonly Piece[] {
  const joined = pieces.length === 1 ? (pieces[0]?.text ?? '') : pieces.map((piece) => piece.text).join('')
  if (!joined.includes('<')) return pieces
  const hits = [...joined.matchAll(patternOf(border))].map((match) => match.index)
  if (hits.length === 0) return pieces
  let start = 0
  let next = 0
  return pieces.map((piece) => {
    const end = start + piece.text.length
    let text = ''
    let from = start
    for (let hit = hits[next]; hit !== undefined && hit < end; hit = hits[++next]) {
      text += `${joined.slice(from, hit)}&lt;`
      from = hit + 1
    }
    text += joined.slice(from, end)
    start = end
    return text === piece.text ? piece : { ...piece, text }
  })
}
