/**
 * A piece of an answer that renders by itself. `start` is its UTF-16 offset in the text; `goesOn` marks the further
 * pieces of a long table.
 */
export type Block =
  | { kind: 'markdown'; start: number; text: string; goesOn?: boolean }
  | { kind: 'code'; start: number; language: string; code: string; closed: boolean }
  /** Shown as it is: too deep or too long to be worth parsing. */
  | { kind: 'plain'; start: number; text: string }

const FENCE = /^( {0,3})(`{3,}|~{3,})([^`]*)$/
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/
const INDENTED = /^(?: {2,}|\t)/
const TABLE_DELIMITER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const MATH_OPEN = /^ {0,3}(\$\$|\\\[)/
const SOFT_LIMIT = 4000
const PLAIN_LIMIT = 60_000
const DEEPEST = 40

interface Open {
  start: number
  lines: string[]
  size: number
  shape: 'text' | 'list' | 'table' | 'math'
  /** A fence inside a list item: blank lines do not split there. */
  innerFence: string
  /** The two head lines of a table that was cut, repeated in its next piece. */
  head: string[]
  goesOn: boolean
}

const closes = (line: string, fence: string) => {
  const bare = line.trim()
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length)
}
const mathCloses = (line: string, opener: string) =>
  opener === '$$' ? line.trimEnd().endsWith('$$') : line.trimEnd().endsWith('\\]')

/** How many quote and list markers stand before the text of a line; deep nesting overflows parsers. */
function depthOf(line: string): number {
  let depth = 0
  for (const char of line.slice(0, 4000)) {
    if (char === '>' || char === '-' || char === '*' || char === '+') depth++
    else if (char !== ' ' && char !== '\t') break
  }
  return depth
}

class Splitter {
  blocks: Block[] = []
  private open: Open | null = null
  private blank = false

  /** Text outside fences, one line at a time. */
  line(line: string, start: number): void {
    if (this.open?.shape === 'math') {
      this.mathLine(line)
      return
    }
    if (line.trim() === '' && !this.open?.innerFence) {
      this.blank = true
      this.open?.lines.push(line)
      return
    }
    if (!this.belongs(line)) this.close()
    this.blank = false
    if (!this.open) this.begin(line, start)
    else this.grow(line, start)
  }

  private begin(line: string, start: number): void {
    const math = MATH_OPEN.exec(line)?.[1]
    const shape = math ? 'math' : LIST_ITEM.test(line) ? 'list' : 'text'
    this.open = { start, lines: [line], size: line.length, shape, innerFence: '', head: [], goesOn: false }
    if (math && mathCloses(line.trimEnd().slice(line.indexOf(math) + 2), math)) this.close()
  }

  private mathLine(line: string): void {
    const open = this.open
    if (!open) return
    open.lines.push(line)
    const opener = MATH_OPEN.exec(open.lines[0] ?? '')?.[1] ?? '$$'
    if (mathCloses(line, opener)) this.close()
  }

  private belongs(line: string): boolean {
    const { open, blank } = this
    if (!open) return false
    if (open.innerFence) return true
    if (MATH_OPEN.test(line)) return false
    if (open.shape === 'list') {
      if (!blank) return !(open.size > SOFT_LIMIT && LIST_ITEM.test(line) && !line.startsWith(' '))
      return INDENTED.test(line) || (LIST_ITEM.test(line) && open.size <= SOFT_LIMIT)
    }
    return !blank
  }

  private grow(line: string, start: number): void {
    const open = this.open
    if (!open) return
    if (
      open.shape === 'text' &&
      open.lines.length === 1 &&
      TABLE_DELIMITER.test(line) &&
      open.lines[0]?.includes('|')
    ) {
      open.shape = 'table'
      open.head = [open.lines[0], line]
    }
    if (open.size > SOFT_LIMIT && (open.shape === 'table' || (open.shape === 'text' && open.size > SOFT_LIMIT * 2))) {
      this.cut(line, start)
      return
    }
    open.lines.push(line)
    open.size += line.length
    const fence = FENCE.exec(line.trimStart())?.[2]
    if (open.innerFence ? closes(line, open.innerFence) : open.shape === 'list' && fence) {
      open.innerFence = open.innerFence ? '' : (fence ?? '')
    }
  }

  /** Goes on in a new block, so that only a small tail is parsed again while streaming. */
  private cut(line: string, start: number): void {
    const { shape = 'text', head = [] } = this.open ?? {}
    this.close()
    const lines = shape === 'table' ? [...head, line] : [line]
    this.open = { start, lines, size: line.length, shape, innerFence: '', head, goesOn: shape === 'table' }
  }

  close(): void {
    const { open } = this
    this.open = null
    this.blank = false
    if (!open) return
    const text = open.lines.join('\n').trimEnd()
    if (!text) return
    const plain = text.length > PLAIN_LIMIT || open.lines.some((line) => depthOf(line) > DEEPEST)
    if (plain) this.blocks.push({ kind: 'plain', start: open.start, text })
    else this.blocks.push({ kind: 'markdown', start: open.start, text, ...(open.goesOn ? { goesOn: true } : {}) })
  }

  /** Whether an unindented fence may begin here. */
  get fenceMayOpen(): boolean {
    return !this.open?.innerFence && this.open?.shape !== 'math'
  }
  get inList(): boolean {
    return this.open?.shape === 'list'
  }
}

/**
 * How many blocks from the front stay as they are when text is appended. The last line may still become something else,
 * and with it the border before it, so two blocks are open; a long table is split again from its head.
 */
export function settledBlocks(blocks: readonly Block[]): number {
  let count = Math.max(0, blocks.length - 2)
  const goesOn = (block: Block | undefined) => block?.kind === 'markdown' && block.goesOn
  while (count > 0 && goesOn(blocks[count])) count--
  return count
}

/**
 * Cuts Markdown at borders that no later text can move: all but the last blocks stay as they are while text is
 * appended (see `settledBlocks`). `from` is where to begin: the start of the first block that is not settled.
 */
export function splitBlocks(text: string, from = 0): Block[] {
  const splitter = new Splitter()
  let at = from
  while (at <= text.length) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? text.length : end)
    const fence = FENCE.exec(line)
    const opens = fence && splitter.fenceMayOpen && !(splitter.inList && fence[1] !== '')
    if (opens) {
      splitter.close()
      const code = readFence(text, at, fence)
      splitter.blocks.push(code.block)
      at = code.end
      continue
    }
    if (end < 0 && line === '') break
    splitter.line(line, at)
    if (end < 0) break
    at = end + 1
  }
  splitter.close()
  return splitter.blocks
}

function readFence(text: string, start: number, fence: RegExpExecArray): { block: Block; end: number } {
  const marker = fence[2] ?? '```'
  const language = (fence[3] ?? '').trim().split(/\s+/)[0] ?? ''
  const firstEnd = text.indexOf('\n', start)
  const bodyStart = firstEnd < 0 ? text.length : firstEnd + 1
  for (let at = bodyStart; at <= text.length && firstEnd >= 0; ) {
    const end = text.indexOf('\n', at)
    const stop = end < 0 ? text.length : end
    // cheap look before slicing: most lines of a long block do not begin with a fence
    const first = text.charAt(at)
    if ((first === marker.charAt(0) || first === ' ') && closes(text.slice(at, stop), marker)) {
      const code = text.slice(bodyStart, Math.max(bodyStart, at - 1))
      return { block: { kind: 'code', start, language, code, closed: true }, end: end < 0 ? text.length + 1 : end + 1 }
    }
    if (end < 0) break
    at = end + 1
  }
  const code = text.slice(bodyStart)
  return { block: { kind: 'code', start, language, code, closed: false }, end: text.length + 1 }
}
