/** One JSON object. */
export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** A list as it is, one thing as a list of one, nothing as an empty list. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** A text or a number as text; undefined for everything else and for ''. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

/** A finite number, also one written as text. */
export function numberOf(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

/** The numbers in an object, and in the objects in it; everything else is left out. */
export function numbersIn(value: unknown, depth = 2): Fields | undefined {
  if (!isFields(value)) return undefined
  const kept: Fields = {}
  for (const [name, inner] of Object.entries(value)) {
    const read = isFields(inner) && depth > 1 ? numbersIn(inner, depth - 1) : numberOf(inner)
    if (read !== undefined) kept[name] = read
  }
  return Object.keys(kept).length > 0 ? kept : undefined
}

/** Words of an answer in whatever form they came. `unread` is set where there was something that holds no words. */
export interface Spoken {
  text: string
  reasoning: string
  unread: boolean
}

/** Where the words of a part may lie, in the order of preference. */
const WORD_FIELDS = ['text', 'content', 'value', 'summary', 'thinking', 'reasoning'] as const

function add(to: Spoken, value: unknown, thinking: boolean): void {
  if (value === undefined || value === null || value === '') return
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    if (thinking) to.reasoning += String(value)
    else to.text += String(value)
    return
  }
  if (Array.isArray(value)) {
    for (const each of value) add(to, each, thinking)
    return
  }
  const part = fieldsOf(value)
  const thinks = thinking || /think|reason/i.test(String(part.type ?? ''))
  const name = WORD_FIELDS.find((field) => part[field] !== undefined && part[field] !== null)
  if (name !== undefined) add(to, part[name], thinks || name === 'thinking' || name === 'reasoning')
  else if (Object.keys(part).some((field) => field !== 'type')) to.unread = true
}

/** Text, number, list of parts, or a part: all the words in it, thoughts apart. */
export function spokenIn(value: unknown, thinking = false): Spoken {
  const spoken: Spoken = { text: '', reasoning: '', unread: false }
  add(spoken, value, thinking)
  return spoken
}

/** Everything of a field as one text, whatever it is made of. */
export function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value
  const { text, reasoning } = spokenIn(value)
  return text + reasoning
}
