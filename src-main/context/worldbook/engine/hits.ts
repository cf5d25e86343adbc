import { scanUnits } from './automaton'
import { type CompiledBook, type KeyList, keyText } from './compile'
import type { Piece } from './pieces'
import { isBounded } from './words'

/** Where one term or pattern stands in one piece. */
export interface Hit {
  piece: Piece
  starts: number[]
  length: number
  /** First whole-word start; −1 = none; absent = not asked yet. */
  bounded?: number
}

export interface Found {
  piece: Piece
  start: number
  end: number
}

/** What one book's keys have hit so far in this evaluation, in scan order: messages newest first, then the rest. */
export interface BookScan {
  book: CompiledBook
  /** Number of the book's first entry over all books. */
  offset: number
  terms: Map<number, Hit[]>
  patterns: Map<number, Hit[]>
  /** Patterns that ran out of time. */
  timedOut: Set<number>
}

export function newBookScan(book: CompiledBook, offset: number): BookScan {
  return { book, offset, terms: new Map(), patterns: new Map(), timedOut: new Set() }
}

/** Scans one new piece; gives the entries (by number over all books) with a key in it. */
export function scanPiece(scan: BookScan, piece: Piece, touched: Set<number>): void {
  const { book, offset, terms } = scan
  scanUnits(book.automaton, piece.units, (term, end) => {
    const length = book.termLengths[term] as number
    const list = terms.get(term)
    const last = list?.[list.length - 1]
    if (last && last.piece === piece) {
      last.starts.push(end - length)
      return
    }
    const hit: Hit = { piece, starts: [end - length], length }
    if (list) list.push(hit)
    else terms.set(term, [hit])
    const stop = book.postingStart[term + 1] as number
    for (let at = book.postingStart[term] as number; at < stop; at += 1)
      touched.add(offset + (book.postings[at] as number))
  })
}

export function addPatternHit(scan: BookScan, pattern: number, hit: Hit, touched: Set<number>): void {
  const list = scan.patterns.get(pattern)
  if (list) list.push(hit)
  else scan.patterns.set(pattern, [hit])
  for (const entry of scan.book.patterns[pattern]?.entries ?? []) touched.add(scan.offset + entry)
}

/** How an entry looks at the pieces. */
export interface View {
  wholeWords: boolean
  caseSensitive: boolean
  sees(piece: Piece): boolean
}

function placeIn(hit: Hit, view: View, exact: () => string): number {
  if (view.caseSensitive) {
    const text = exact()
    for (const start of hit.starts) {
      if (!hit.piece.text.startsWith(text, start)) continue
      if (!view.wholeWords || isBounded(hit.piece.text, start, start + hit.length)) return start
    }
    return -1
  }
  if (!view.wholeWords) return hit.starts[0] as number
  hit.bounded ??= hit.starts.find((start) => isBounded(hit.piece.text, start, start + hit.length)) ?? -1
  return hit.bounded
}

/** First place of the list's key `index` that the view allows. */
export function findKey(scan: BookScan, list: KeyList, index: number, view: View): Found | undefined {
  const ref = list.refs[index] ?? -1
  if (ref === -1) return undefined
  if (ref < 0) {
    const hit = scan.patterns.get(-2 - ref)?.find((candidate) => view.sees(candidate.piece))
    const start = hit?.starts[0]
    return hit && start !== undefined ? { piece: hit.piece, start, end: start + hit.length } : undefined
  }
  const hits = scan.terms.get(ref)
  if (!hits) return undefined
  for (const hit of hits) {
    if (!view.sees(hit.piece)) continue
    const start = placeIn(hit, view, () => keyText(list, index))
    if (start >= 0) return { piece: hit.piece, start, end: start + hit.length }
  }
  return undefined
}

export const ranOutOfTime = (scan: BookScan, list: KeyList) =>
  list.refs.some((ref) => ref <= -2 && scan.timedOut.has(-2 - ref))
