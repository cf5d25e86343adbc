export interface DiffRow {
  kind: 'added' | 'removed' | 'same' | 'fold'
  text: string
  /** Folded lines. */
  count: number
}

export interface LineDiff {
  rows: DiffRow[]
  added: number
  removed: number
}

const CONTEXT_LINES = 2
/** Unchanged lines are there to say where one is; their whole length is not needed for that. */
const CONTEXT_CHARACTERS = 160
const LONGEST_WORK_MS = 2000

/**
 * Two texts line by line, far-off unchanged lines folded. null when they are too different to compare in time. The
 * library is fetched when it is first needed.
 */
export async function diffTexts(before: string, after: string): Promise<LineDiff | null> {
  const { diffLines } = await import('diff')
  const changes = diffLines(before, after, { timeout: LONGEST_WORK_MS })
  if (!changes) return null
  const rows: DiffRow[] = []
  changes.forEach((change, index) => {
    const lines = change.value.replace(/\n$/, '').split('\n')
    if (change.added) rows.push(...lines.map((text): DiffRow => ({ kind: 'added', text, count: 1 })))
    else if (change.removed) rows.push(...lines.map((text): DiffRow => ({ kind: 'removed', text, count: 1 })))
    else rows.push(...folded(lines, { first: index === 0, last: index === changes.length - 1 }))
  })
  const count = (kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length
  return { rows, added: count('added'), removed: count('removed') }
}

function folded(lines: readonly string[], { first, last }: { first: boolean; last: boolean }): DiffRow[] {
  const head = first ? 0 : CONTEXT_LINES
  const tail = last ? 0 : CONTEXT_LINES
  const same = (text: string): DiffRow => ({
    kind: 'same',
    text: text.length > CONTEXT_CHARACTERS ? `${text.slice(0, CONTEXT_CHARACTERS)} …` : text,
    count: 1,
  })
  if (lines.length <= head + tail + 1) return lines.map(same)
  return [
    ...lines.slice(0, head).map(same),
    { kind: 'fold', text: '', count: lines.length - head - tail },
    ...(tail ? lines.slice(-tail) : []).map(same),
  ]
}
