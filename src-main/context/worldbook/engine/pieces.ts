import { foldUnits, spanBeforeNfc, toNfc } from './fold'

/** One text that is scanned. `distance` counts messages from the end: 0 = newest. */
export interface Piece {
  kind: 'message' | 'topic_prompt' | 'entry'
  distance: number
  /** Number of the entry the text belongs to, over all books; −1 else. */
  entry: number
  /** Composed text as it is matched. */
  text: string
  units: Uint16Array
  /** As written, without the name that may stand before it. */
  original: string
  /** Units of the name in front. */
  prefix: number
  /** Units of white space cut off at the front of the original. */
  cut: number
}

export interface PieceSource {
  kind: Piece['kind']
  distance?: number
  entry?: number
  text: string
  name?: string
}

export function makePiece(source: PieceSource): Piece {
  const body = source.text.trim()
  const prefix = source.name === undefined || source.name === '' ? '' : `${source.name}: `
  const text = toNfc(prefix + body)
  return {
    kind: source.kind,
    distance: source.distance ?? -1,
    entry: source.entry ?? -1,
    text,
    units: foldUnits(text),
    original: source.text,
    prefix: prefix.length,
    cut: source.text.length - source.text.trimStart().length,
  }
}

/** [start, end) in the original text. A match in the name in front ends up at 0. */
export function originalSpan(piece: Piece, start: number, end: number): [number, number] {
  const body = piece.original.trim()
  const changed = piece.text.length !== piece.prefix + body.length
  const span = changed
    ? spanBeforeNfc(body, [start - piece.prefix, end - piece.prefix])
    : [start - piece.prefix, end - piece.prefix]
  return [Math.max(0, (span[0] ?? 0) + piece.cut), Math.max(0, (span[1] ?? 0) + piece.cut)]
}
