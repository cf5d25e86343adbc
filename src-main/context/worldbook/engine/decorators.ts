import type { EntryRole, Position } from '../entry-contract'

/** What the `@@` lines at the top of a content ask for. Only what is set is present. */
export interface Decorations {
  activate?: true
  dontActivate?: true
  depth?: number
  role?: EntryRole
  scanDepth?: number
  position?: Position
  probability?: number
  /** Of each list, one key must be found besides the entry's own. */
  additionalKeys: string[][]
  excludeKeys: string[]
  /** Counts of assistant messages. */
  onlyAfter?: number
  onlyEvery?: number
  keepAfterMatch?: true
  dontAfterMatch?: true
  ignoreOnMaxContext?: true
}

export interface Decorated {
  content: string
  decorations: Decorations | undefined
  /** Lines that were taken out without an effect. */
  ignored: string[]
}

const PLACES: Record<string, Position> = {
  before_desc: 'before',
  after_desc: 'after',
  personality: 'after',
  scenario: 'after',
}
const ROLES: Record<string, EntryRole> = { system: 'system', user: 'user', assistant: 'assistant' }

const listOf = (value: string) =>
  value
    .split(/[,，]/)
    .map((key) => key.trim())
    .filter((key) => key !== '')

function numberOf(value: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}

type Apply = (value: string, into: Decorations) => boolean

function flag(field: 'activate' | 'dontActivate' | 'keepAfterMatch' | 'dontAfterMatch' | 'ignoreOnMaxContext'): Apply {
  return (_value, into) => {
    into[field] = true
    return true
  }
}

/** The first line of a name wins. */
function count(field: 'depth' | 'scanDepth' | 'probability' | 'onlyAfter' | 'onlyEvery', least: number): Apply {
  return (value, into) => {
    const number = numberOf(value)
    if (number === undefined) return false
    into[field] ??= Math.max(least, number)
    return true
  }
}

function word<F extends 'role' | 'position'>(field: F, words: Record<string, NonNullable<Decorations[F]>>): Apply {
  return (value, into) => {
    if (!Object.hasOwn(words, value)) return false
    into[field] ??= words[value] as Decorations[F]
    return true
  }
}

const KNOWN: Record<string, Apply> = {
  activate: flag('activate'),
  dont_activate: flag('dontActivate'),
  keep_activate_after_match: flag('keepAfterMatch'),
  dont_activate_after_match: flag('dontAfterMatch'),
  ignore_on_max_context: flag('ignoreOnMaxContext'),
  depth: count('depth', 0),
  scan_depth: count('scanDepth', 0),
  probability: count('probability', 0),
  activate_only_after: count('onlyAfter', 0),
  activate_only_every: count('onlyEvery', 1),
  role: word('role', ROLES),
  position: word('position', PLACES),
  additional_keys: (value, into) => {
    const keys = listOf(value)
    if (keys.length > 0) into.additionalKeys.push(keys)
    return keys.length > 0
  },
  exclude_keys: (value, into) => into.excludeKeys.push(...listOf(value)) > 0,
}

/** Of a trimmed line; white space runs are left to `trim`, which does not go back and forth over them. */
const LINE = /^(@@@?)([a-z_]+)(?:\s(.*))?$/i

function withoutOuterBreaks(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== '')
  return first === -1 ? '' : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1).join('\n')
}

/**
 * Reads the `@@name value` lines a content begins with and takes them out. `@@@` lines are alternatives to the line
 * above, asked in turn until one is understood.
 */
export function readDecorators(content: string): Decorated {
  if (!content.trimStart().startsWith('@@')) return { content, decorations: undefined, ignored: [] }
  const lines = content.trimStart().split(/\r?\n/)
  const decorations: Decorations = { additionalKeys: [], excludeKeys: [] }
  const ignored: string[] = []
  let at = 0
  let seen = false
  let firstOfChain = 0
  let understood = true
  for (; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trim()
    if (line === '') continue
    const [, marks, name, value] = LINE.exec(line) ?? []
    if (name === undefined) break
    seen = true
    if (marks === '@@@' && understood) continue
    const key = name.toLowerCase()
    const known = Object.hasOwn(KNOWN, key) && KNOWN[key]?.((value ?? '').trim(), decorations) === true
    if (!known) ignored.push(line)
    else if (marks === '@@@') ignored.splice(firstOfChain)
    if (marks === '@@') firstOfChain = ignored.length - (known ? 0 : 1)
    understood = known
  }
  if (!seen) return { content, decorations: undefined, ignored }
  return {
    content: withoutOuterBreaks(lines.slice(at)),
    decorations,
    ignored,
  }
}
