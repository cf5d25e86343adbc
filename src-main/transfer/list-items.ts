import { parseJson } from './item-lines'

/** Stands in a list for what could not be read; `text` is how it begins. */
export class BrokenItem {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  get title(): string {
    return titleIn(this.text)
  }
}

/** Characters looked at again at most, per character of the text: one wound must not cost its square. */
const MOST_WORK = 16

/**
 * A JSON text whose value is a list, or anything else. Where a list is wounded or cut off, every item that stands whole
 * is read and the rest are `BrokenItem`s; `isItem` tells an item of the list from one inside another.
 * @throws import.unreadable when nothing can be read
 */
export function parseLenient(text: string, isItem: (value: unknown) => boolean): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const begin = /^\uFEFF?\s*\[/.exec(text)?.[0].length
    const items = begin === undefined ? [] : readItems(text, begin, isItem)
    if (items.some((item) => !(item instanceof BrokenItem))) return items
    return parseJson(text)
  }
}

/** The items of a list that begins at `from`, behind its bracket. */
export function readItems(text: string, from: number, isItem: (value: unknown) => boolean): unknown[] {
  const items: unknown[] = []
  let opener: RegExp | undefined
  let work = 0
  let at = from
  /** The item at `start` with its end; undefined when it is broken. */
  const itemAt = (start: number): { value: unknown; end: number } | undefined => {
    const end = endOf(text, start)
    work += Math.abs(end) - start
    if (end < 0) return undefined
    try {
      return { value: JSON.parse(text.slice(start, end)), end }
    } catch {
      return undefined
    }
  }
  for (;;) {
    while (at < text.length && ' \t\r\n,'.includes(text.charAt(at))) at += 1
    if (at >= text.length || text.charAt(at) === ']') return items
    const item = itemAt(at)
    if (item) {
      items.push(item.value)
      opener ??= openerOf(text.slice(at, at + 400))
      at = item.end
      continue
    }
    items.push(new BrokenItem(text.slice(at, at + 4000)))
    // the next place that begins as items of this list do, and is one
    opener ??= openerOf(text.slice(at, at + 400)) ?? /\{\s*"/g
    opener.lastIndex = at + 1
    let found: { value: unknown; end: number } | undefined
    for (let next = opener.exec(text); next && !found && work < MOST_WORK * text.length; next = opener.exec(text)) {
      const tried = itemAt(next.index)
      if (tried && isItem(tried.value)) found = tried
      else opener.lastIndex = next.index + 1
    }
    if (!found) return items
    items.push(found.value)
    at = found.end
  }
}

/** Items of one list are written alike: an object begins with the same field. */
function openerOf(start: string): RegExp | undefined {
  const name = /^\{\s*("(?:[^"\\]|\\.)*")\s*:/.exec(start)?.[1]
  return name === undefined
    ? undefined
    : new RegExp(`\\{\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*:`, 'g')
}

const titleIn = (text: string): string => {
  const found = /"(?:title|name)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  try {
    return found === undefined ? '' : String(JSON.parse(found))
  } catch {
    return ''
  }
}

const CLOSERS: Record<string, string> = { '{': '}', '[': ']' }
const MARKS = /["{}[\]]/g

/** Behind the value that begins at `start`; minus the place where it turned out to have no end. */
function endOf(text: string, start: number): number {
  const open: string[] = []
  if (!(text.charAt(start) in CLOSERS)) {
    const end = text.slice(start).search(/[,\]]/)
    return end < 0 ? -text.length : start + end
  }
  MARKS.lastIndex = start
  for (let mark = MARKS.exec(text); mark; mark = MARKS.exec(text)) {
    const [sign] = mark
    if (sign === '"') {
      const end = endOfString(text, mark.index)
      if (end < 0) return -text.length
      MARKS.lastIndex = end
    } else if (sign in CLOSERS) open.push(CLOSERS[sign] ?? '')
    else if (open.pop() !== sign) return -mark.index
    else if (open.length === 0) return mark.index + 1
  }
  return -text.length
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charAt(at - 1 - slashes) === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return -1
}
