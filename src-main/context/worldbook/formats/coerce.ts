export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Own members only: a field called `constructor` or `__proto__` in a file is a name like any other. */
export function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Numbers and numbers written as text. `1e999` reads as infinity in JSON and becomes the largest safe integer. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) return undefined
  const largest = Number.MAX_SAFE_INTEGER
  return Number.isFinite(number) ? number : Math.sign(number) * largest
}

function clamp(value: number | undefined, low: number, high: number): number | undefined {
  return value === undefined ? undefined : Math.min(high, Math.max(low, value))
}

export const asDepth = (value: unknown) => clamp(asNumber(value), 0, Number.MAX_SAFE_INTEGER)
export const asPercent = (value: unknown) => clamp(asNumber(value), 0, 100)
/** A recursion level; `true` is the first. */
export const asLevel = (value: unknown) => clamp(value === true ? 1 : value === false ? 0 : asNumber(value), 0, 1e6)

const FLAG_WORDS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
])

export function asFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return FLAG_WORDS.get(typeof value === 'string' ? value.trim().toLowerCase() : value)
}

/** A word of the list, in any case and with `_` or `-`, or its index as number or text. */
export function asWord<W extends string>(words: readonly W[], aliases: Record<string, W> = {}) {
  return (value: unknown): W | undefined => {
    const index = asNumber(value)
    if (index !== undefined) return Number.isInteger(index) ? words[index] : undefined
    if (typeof value !== 'string') return undefined
    const word = value.trim().toLowerCase().replaceAll('_', '-')
    return words.find((known) => known === word) ?? (Object.hasOwn(aliases, word) ? aliases[word] : undefined)
  }
}

/** Longer ones are no patterns that anyone wrote, and would cost the expression engine its stack. */
const LONGEST_PATTERN = 4096
const SLASHED = /^\/(?:[^/\\]|\\.)+\/[gimsuy]*$/s
/** A slashed pattern that a separator or the end follows, else anything up to the next separator. */
const PARTS = /[^\S\n]*\/(?:[^/\\\n]|\\.){1,4096}\/[gimsuy]*(?=\s*(?:[,，\n]|$))|[^,，\n]+/g
/** More is no list of keys; the original text is kept for export all the same. */
const MOST_KEYS = 10_000

/** `/pattern/flags` by its looks; whether it compiles is the engine's business. */
export function isSlashed(key: string): boolean {
  return key.length <= LONGEST_PATTERN && SLASHED.test(key)
}

/** Splits at commas, full-width commas and line breaks, but not inside `/pattern/flags`. Blank parts go. */
export function splitKeys(text: string): string[] {
  const keys: string[] = []
  for (const [part] of text.matchAll(PARTS)) {
    const key = part.trim()
    if (key !== '') keys.push(key)
    if (keys.length >= MOST_KEYS) break
  }
  return keys
}

/**
 * A list as it is, blank members too: they never match, and a blank secondary key counts as not found. A text is
 * split. Anything else is no key list.
 */
export function asKeys(value: unknown): string[] | undefined {
  if (typeof value === 'string') return splitKeys(value)
  if (typeof value === 'number') return [String(value)]
  if (!Array.isArray(value)) return undefined
  return value.flatMap((member) => {
    const text = asText(member)
    return text === undefined ? [] : [text]
  })
}

export function asTexts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((member) => typeof member === 'string') ? value : undefined
}
