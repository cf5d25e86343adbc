/** Kinds of words, drawn in three hues at most: keyword, string, number, comment, function. */
export type TokenKind = '' | 'kw' | 'st' | 'nu' | 'cm' | 'fn'
/** A line: words and their kinds, alternating objects kept small for the trip between threads. */
export type TokenLine = readonly (readonly [text: string, kind: TokenKind])[]

export interface HighlightRequest {
  requestId: number
  /** One block of code; chunks of a block come in order. */
  blockId: number
  chunk: number
  grammar: string
  text: string
}

export interface HighlightAnswer {
  requestId: number
  /** null when the grammar could not be loaded or run. */
  lines: readonly TokenLine[] | null
}
