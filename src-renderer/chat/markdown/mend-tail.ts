/** Line ends that are not yet what they will be: a marker alone, half an underline, half a fence. */
const HALF_LINE = /^ {0,3}(?:-{1,2}|={1,}|\*{1,2}|_{1,2}|#{1,6}|>|\d{1,9}[.)]?|`{1,2}|~{1,2}|[-*+])[ \t]*$/

const count = (text: string, mark: RegExp) => text.match(mark)?.length ?? 0

/** Completes a table whose delimiter row is still being written, so that it never shows as a line of pipes. */
function mendTable(lines: string[]): void {
  const last = lines.at(-1) ?? ''
  const before = lines.at(-2) ?? ''
  const cells = (row: string) =>
    row
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|').length
  const isRow = (row: string) => row.trimStart().startsWith('|')
  const delimiter = (row: string) => `|${' --- |'.repeat(cells(row))}`
  if (isRow(last) && !isRow(before)) {
    if (cells(last) > 1 || last.trim().length > 2) lines.push(delimiter(last))
  } else if (isRow(before) && /^[\s|:-]*$/.test(last) && !isRow(lines.at(-3) ?? '')) {
    lines[lines.length - 1] = delimiter(before)
  }
}

/** Closes what is open in the last paragraph, so that half a word of markup does not flicker. */
function mendInline(text: string): string {
  let mended = text
    .replace(/!\[[^\]\n]*(?:\]\([^)\n]*)?$/, '')
    .replace(/\[([^\]\n]*)\]\([^)\n]*$/, '$1')
    .replace(/\[([^\]\n]{0,200})$/, '$1')
  if (count(mended, /(?<!\\)`/g) % 2 === 1) mended += '`'
  const outside = mended.replace(/`[^`]*`/g, '')
  if (count(outside, /~~/g) % 2 === 1) mended = mended.endsWith('~~') ? mended.slice(0, -2) : `${mended}~~`
  if (count(outside, /\*\*/g) % 2 === 1) {
    mended = mended.endsWith('**') ? mended.slice(0, -2) : `${mended.replace(/\*$/, '')}**`
  } else if (/(?:^|[\s(（，。])\*[^*\s][^*\n]*$/.test(outside)) mended = `${mended.trimEnd()}*`
  return mended
}

/** What to show of the block that is still being written. */
export function mendTail(text: string): string {
  const lines = text.split('\n')
  if (lines.length > 1 && HALF_LINE.test(lines.at(-1) ?? '')) lines.pop()
  mendTable(lines)
  const body = lines.join('\n')
  const border = body.lastIndexOf('\n\n')
  const head = border < 0 ? '' : body.slice(0, border + 2)
  return head + mendInline(border < 0 ? body : body.slice(border + 2))
}
