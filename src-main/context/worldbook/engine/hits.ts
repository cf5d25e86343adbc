import { scanUnits } from './automaton'
import { type CompiledBook, type KeyList, keyText } from './compile'
import type { Piece } from './pieces'
import { isBounded } from './words'

/** Where one term or pattern stands in one piece. */
export interface Hit {
  piece: Piece
  length: number
  /** First start; first whole-word start, −1 = none. */
  any: number
  bounded: number
  /** Every start, only for terms whose case may count. */
  starts?: number[]
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
  /** For every key that does not say otherwise: case counts; only whole words count. */
  caseSensitive: boolean
  wholeWords: boolean
  /** By term. */
  terms: (Hit[] | undefined)[]
  /** Bit 1: a whole-word hit in a message is known, 2: in an entry's text, 4: in the topic prompt. Later ones add nothing. */
  known: Uint8Array
  patterns: Map<number, Hit[]>
  /** Patterns that ran out of time. */
  timedOut: Set<number>
}

const KNOWN_BIT: Record<Piece['kind'], number> = { message: 1, entry: 2, topic_prompt: 4 }

export function newBookScan(
  book: CompiledBook,
  offset: number,
  usual: { caseSensitive: boolean; wholeWords: boolean },
): BookScan {
  const known = new Uint8Array(book.termLengths.length)
  const terms = new Array<Hit[] | undefined>(book.termLengths.length)
  return { book, offset, ...usual, terms, known, patterns: new Map(), timedOut: new Set() }
}

function newHit(scan: BookScan, term: number, piece: Piece, start: number, length: number): Hit {
  const hit: Hit = { piece, length, any: start, bounded: -1 }
  if (scan.caseSensitive || scan.book.termCase[term] === 1) hit.starts = []
  const list = scan.terms[term]
  if (list) list.push(hit)
  else scan.terms[term] = [hit]
  return hit
}

/**
 * Scans one new piece; `onEntry` gets the number (over all books) of each entry with a key in it. A term's whole-word
 * hit in a newer message hides its hits in older ones, which no entry could see without seeing the newer one. Inside a
 * word a term counts only where somebody takes it there: in a large book those are most of the places.
 */
export function scanPiece(scan: BookScan, piece: Piece, onEntry: (number: number) => void): void {
  const { book, offset, terms, known, wholeWords } = scan
  const { termLengths, termLoose, postingStart, postings } = book
  const bit = KNOWN_BIT[piece.kind]
  scanUnits(book.automaton, piece.units, (term, end) => {
    if (((known[term] as number) & bit) !== 0) return
    const length = termLengths[term] as number
    const start = end - length
    const bounded = isBounded(piece.text, start, end)
    if (!bounded && wholeWords && termLoose[term] === 0) return
    const list = terms[term]
    let hit = list?.[list.length - 1]
    if (hit?.piece !== piece) {
      hit = newHit(scan, term, piece, start, length)
      const stop = postingStart[term + 1] as number
      for (let at = postingStart[term] as number; at < stop; at += 1) onEntry(offset + (postings[at] as number))
    }
    if (hit.starts) hit.starts.push(start)
    if (!bounded || hit.bounded >= 0) return
    hit.bounded = start
    if (!hit.starts) known[term] = (known[term] as number) | bit
  })
}

export function addPatternHit(scan: BookScan, pattern: number, found: Found, onEntry: (number: number) => void): void {
  const hit: Hit = { piece: found.piece, length: found.end - found.start, any: found.start, bounded: found.start }
  const list = scan.patterns.get(pattern)
  if (list) list.push(hit)
  else scan.patterns.set(pattern, [hit])
  for (const entry of scan.book.patterns[pattern]?.entries ?? []) onEntry(scan.offset + entry)
}

/** How an entry looks at the pieces. */
export interface View {
  wholeWords: boolean
  caseSensitive: boolean
  sees(piece: Piece): boolean
}

function startIn(hit: Hit, view: View, list: KeyList, index: number): number {
  if (!view.caseSensitive) return view.wholeWords ? hit.bounded : hit.any
  const text = keyText(list, index)
  for (const start of hit.starts ?? []) {
    if (!hit.piece.text.startsWith(text, start)) continue
    if (!view.wholeWords || isBounded(hit.piece.text, start, start + hit.length)) return start
  }
  return -1
}

/** First place of the list's key `index` that the view allows. */
export function findKey(scan: BookScan, list: KeyList, index: number, view: View): Found | undefined {
  const ref = list.refs[index] ?? -1
  if (ref === -1) return undefined
  const hits = ref < 0 ? scan.patterns.get(-2 - ref) : scan.terms[ref]
  if (!hits) return undefined
  for (const hit of hits) {
    if (!view.sees(hit.piece)) continue
    const start = ref < 0 ? hit.any : startIn(hit, view, list, index)
    if (start >= 0) return { piece: hit.piece, start, end: start + hit.length }
  }
  return undefined
}

export function ranOutOfTime(scan: BookScan, list: KeyList): boolean {
  return scan.timedOut.size > 0 && list.refs.some((ref) => ref <= -2 && scan.timedOut.has(-2 - ref))
}
