import { textLines, unreadable } from './item-lines'
import { BrokenItem, readItems } from './list-items'

export interface FileHead {
  format: string
  version: number
}

/** An item of a file of ours, or the beginning of what should have been one. `place` is its line, or its number. */
export type RawItem = { place: number; value: unknown } | { place: number; broken: string }

const LINES = /^\{"format":"([^"]+)","version":(\d+),.*"items":\[\s*$/
const START = /^\s*\{\s*"format"\s*:\s*"([^"]+)"/
/** Characters of a broken item that are looked through for what it was. */
const BROKEN_HEAD = 4000

export function isStrata(bytes: Uint8Array): boolean {
  return START.exec(new TextDecoder().decode(bytes.subarray(0, 2048)))?.[1] === 'strata'
}

/**
 * Our file is one JSON document with one item a line, so it can be read line by line. A file that went through a
 * formatter is parsed as a whole instead. @throws import.unreadable
 */
export function readRawItems(bytes: Uint8Array): { head: FileHead; items: Iterable<RawItem>; isWhole: () => boolean } {
  const [first = ''] = textLines(bytes.subarray(0, 4096))
  const match = LINES.exec(first.trimEnd())
  if (!match) return wholeItems(new TextDecoder().decode(bytes))
  let ended = false
  function* lines(): Generator<RawItem> {
    let number = 0
    for (const line of textLines(bytes)) {
      number += 1
      const text = line.trim()
      if (number === 1 || text === '') continue
      if (text === ']}') ended = true
      else yield* lineItems(text.endsWith(',') ? text.slice(0, -1) : text, number)
    }
  }
  return { head: { format: match[1] ?? '', version: Number(match[2]) }, items: lines(), isWhole: () => ended }
}

function* lineItems(text: string, place: number): Generator<RawItem> {
  const value = parsed(text)
  // two lines that became one
  const several = value === undefined ? parsed(`[${text}]`) : undefined
  if (value !== undefined) yield { place, value }
  else if (Array.isArray(several)) for (const one of several) yield { place, value: one }
  else yield { place, broken: text.slice(0, BROKEN_HEAD) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const isItem = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function wholeItems(text: string): ReturnType<typeof readRawItems> {
  const whole = parsed(text) as (Partial<FileHead> & { items?: unknown }) | undefined
  if (whole !== undefined && !Array.isArray(whole.items)) throw unreadable('it holds no list of items')
  const list = /"items"\s*:\s*\[/.exec(text)
  const version = whole?.version ?? /"version"\s*:\s*(\d+)/.exec(text.slice(0, 2048))?.[1]
  const values = whole?.items ?? (list ? readItems(text, list.index + list[0].length, isItem) : [])
  if (!Array.isArray(values) || (whole === undefined && !values.some(isItem))) throw unreadable('it is not JSON')
  const items = values.map((value: unknown, index): RawItem => {
    const place = index + 1
    return value instanceof BrokenItem ? { place, broken: value.text } : { place, value }
  })
  return {
    head: { format: START.exec(text)?.[1] ?? '', version: Number(version) },
    items,
    isWhole: () => whole !== undefined,
  }
}
