import { jsonObject } from '../request-fit'

/** A field of a body that was sent and that a request can do without. */
export interface BodyField {
  /** Dotted, as it stood in the body: `stream_options.include_usage`. */
  path: string
  /** The last name of the path. */
  name: string
  value: unknown
}

/** Without these there is no request. How messages are shaped is learned in other ways. */
const NEEDED = new Set(['model', 'messages', 'input', 'contents', 'prompt', 'stream', 'system', 'systemInstruction'])
/** Holders whose fields may go, never the holder. */
const HOLDERS = new Set(['generationConfig', 'options'])

/** What could be left out of a body: its own fields, and those one step inside its objects. */
export function fieldsOf(body: Record<string, unknown>): BodyField[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (NEEDED.has(name) || value === undefined) return []
    const inner = Object.entries(jsonObject(value) ?? {}).map(([key, within]) => ({
      path: `${name}.${key}`,
      name: key,
      value: within,
    }))
    return HOLDERS.has(name) ? inner : [{ path: name, name, value }, ...inner]
  })
}

/** `streamOptions`, `stream_options` and `stream-options` as `['stream', 'options']`. */
export const partsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\-\s]+/)
    .filter((part) => part !== '')

export const sameName = (a: string, b: string): boolean => partsOf(a).join('') === partsOf(b).join('')

/**
 * The field a place points to. `inside`: it points deeper, at something within the field's value, which says that the
 * value is wrong and not that the field is unknown.
 */
export function fieldAt(fields: readonly BodyField[], place: readonly string[]): BodyField | 'inside' | undefined {
  const at = (count: number) =>
    fields.find(({ path }) => {
      const names = path.split('.')
      return names.length === count && names.every((name, index) => sameName(name, place[index] ?? ''))
    })
  const exact = at(place.length)
  if (exact) return exact
  return place.length > 1 && fields.some(({ path }) => sameName(path.split('.')[0] ?? '', place[0] ?? ''))
    ? 'inside'
    : undefined
}

const QUOTE = '[`\'"“”‘’«»「」*]'
const CALLED =
  '(?:fields?|param(?:eter)?s?|arguments?|args?|propert(?:y|ies)|options?|keys?|supplied|keywords?|字段|参数)'

/** Whether a sentence names a field the way programs do: as an identifier, in quotes, or called a parameter. */
export function namesField(sentence: string, name: string): boolean {
  const parts = partsOf(name)
  const word = `(?<!\\w|\\w-)${parts.join('_?')}(?![\\w-])`
  if (parts.length > 1) return new RegExp(word, 'i').test(sentence)
  const called = `${QUOTE}[/.]?${word}${QUOTE}|${CALLED}\\W{0,4}${word}|${word}\\W{0,3}${CALLED}|^\\W*${word}(:|\\W*$)|[:,[(]\\s*${word}\\s*(?:[,\\])]|and\\b|\\.?$)`
  return new RegExp(called, 'i').test(sentence)
}

/** Plain words for a field: "stream options", "tool use". */
function plainWords(name: string): RegExp {
  const parts = partsOf(name)
  if (parts.join('') === 'tools') {
    // the longest first: its length is compared
    return /(?<![\w-])(tool|function)s?[ -]?(use|using|call(s|ing|ed)?|choice)\b|(?<![\w-])tools?(?![\w-])|(?<![\w-])functions(?![\w-])|function[ _-]?call|工具|函数调用/i
  }
  return new RegExp(`(?<![\\w-])${parts.join('[ -]?')}(?![\\w-])`, 'i')
}

/**
 * Whether a sentence speaks of it in plain words. Words that are part of a longer name of another field are that
 * field's: "parallel tool calls" are not the tools.
 */
export function speaksOf(sentence: string, name: string, others: readonly string[]): boolean {
  const own = plainWords(name).exec(sentence)
  if (!own) return false
  const longer = others
    .map((other) => plainWords(other).exec(sentence)?.[0] ?? '')
    .filter((words) => words.length > own[0].length && words.includes(own[0]))
  const rest = longer.reduce((left, words) => left.replaceAll(words, ' '), sentence)
  return plainWords(name).test(rest)
}

/** Whether it is the field that asks for thinking, in a sentence about thinking. */
export const asksForThinking = (sentence: string, name: string): boolean =>
  /^(think|thinking|reasoning)$/.test(partsOf(name)[0] ?? '') &&
  /\bthinking\b|(?<!\b(i|we|you|they) )\bthink\b|\breasoning\b|思考|推理模式/i.test(sentence)
