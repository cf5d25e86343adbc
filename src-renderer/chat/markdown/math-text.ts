const PIECES =
  /(`+)[^`]*\1|\\\(([\s\S]+?)\\\)|\\\[([\s\S]+?)\\\]|\$\$([\s\S]+?)\$\$|\$(?![\s$])((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)|\\.|\$/g

const MARK = /\$|\\[([]/g
/** Beyond it a block stays source: each formula is some thirty elements, and thousands stop the page for seconds. */
const MOST_MARKS = 600

/** Whether a block may hold formulas at all, and not too many to draw. */
export function mayHoldMath(text: string): boolean {
  const marks = text.match(MARK)?.length ?? 0
  return marks > 0 && marks <= MOST_MARKS
}

/**
 * Writes every formula the one way the parser knows (`$…$`, `$$…$$`) and keeps prices apart from formulas: a dollar
 * opens one only before a character, and closes one only after a character and not before a digit.
 */
export function mathText(text: string): string {
  return text.replace(PIECES, (piece, ticks, round, square, double, single) => {
    if (ticks !== undefined) return piece
    if (round !== undefined) return `$${round.trim()}$`
    if (square !== undefined) return `\n$$\n${square.trim()}\n$$\n`
    if (double !== undefined) return `\n$$\n${double.trim()}\n$$\n`
    if (single !== undefined) return piece
    return piece === '$' ? '\\$' : piece
  })
}
