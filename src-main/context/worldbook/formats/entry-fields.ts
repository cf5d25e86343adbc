import { type Said, said } from '../../../ipc/said-contract'
import { ENTRY_DEFAULTS, ENTRY_ROLES, type Entry, type EntryRole, POSITIONS, SELECTIVE_LOGICS } from '../entry-contract'
import {
  asDepth,
  asFlag,
  asKeys,
  asLevel,
  asNumber,
  asPercent,
  asText,
  asTexts,
  asWord,
  type Fields,
  isFields,
  own,
} from './coerce'

/** The fields with a meaning here; the rest of an entry is its id and what it only carries. */
export type Known = Omit<Entry, 'id' | 'extra' | 'origin'>
/** Says that a value could not be used. */
export type Complain = (code: string, message: Said) => void

interface Row<K extends keyof Known = keyof Known> {
  field: K
  /** Name in SillyTavern's entry; a leading `!` means the opposite. */
  world: string
  /** Name at the root of a character-book entry, when it has one of its own there. */
  book?: string
  /** Name in the `extensions` of a character-book entry as SillyTavern mirrors it. */
  mirror?: string
  /** Other names seen. */
  also?: readonly string[]
  read(value: unknown): Known[K] | undefined
}

function row<K extends keyof Known>(definition: Row<K>): Row {
  return definition as unknown as Row
}

/** Numbers, our words, and those of character books and TavernHelper. */
export const asPosition = asWord(POSITIONS, {
  'before-char': 'before',
  'after-char': 'after',
  'before-character-definition': 'before',
  'after-character-definition': 'after',
  'before-author-note': 'an-top',
  'after-author-note': 'an-bottom',
  'before-example-messages': 'examples-top',
  'after-example-messages': 'examples-bottom',
  'at-depth-as-system': 'at-depth',
  'at-depth-as-user': 'at-depth',
  'at-depth-as-assistant': 'at-depth',
})
export const asLogic = asWord(SELECTIVE_LOGICS)
export const asRole = asWord(ENTRY_ROLES)

/** TavernHelper's older position words name the role too: `at_depth_as_user`. */
export function roleInPosition(position: unknown): EntryRole | undefined {
  return typeof position === 'string' ? asRole(/^at[_-]depth[_-]as[_-](\w+)$/i.exec(position.trim())?.[1]) : undefined
}
const asGroup = (value: unknown) => asTexts(value)?.join(', ') ?? asText(value)

const { extra: _extra, origin: _origin, ...KNOWN_DEFAULTS } = ENTRY_DEFAULTS

export { KNOWN_DEFAULTS }

/** One line per field: every name it goes by and how its value is read. */
export const ROWS: readonly Row[] = [
  row({ field: 'keys', world: 'key', book: 'keys', read: asKeys }),
  row({ field: 'secondaryKeys', world: 'keysecondary', book: 'secondary_keys', also: ['secondaryKeys'], read: asKeys }),
  row({ field: 'comment', world: 'comment', book: 'comment', also: ['name'], read: asText }),
  row({ field: 'constant', world: 'constant', book: 'constant', read: asFlag }),
  row({ field: 'vectorized', world: 'vectorized', mirror: 'vectorized', read: asFlag }),
  row({ field: 'selective', world: 'selective', book: 'selective', read: asFlag }),
  row({
    field: 'selectiveLogic',
    world: 'selectiveLogic',
    mirror: 'selectiveLogic',
    also: ['selective_logic'],
    read: asLogic,
  }),
  row({ field: 'order', world: 'order', book: 'insertion_order', read: asNumber }),
  row({ field: 'position', world: 'position', book: 'position', mirror: 'position', read: asPosition }),
  row({ field: 'enabled', world: '!disable', book: 'enabled', read: asFlag }),
  row({ field: 'ignoreBudget', world: 'ignoreBudget', mirror: 'ignore_budget', read: asFlag }),
  row({ field: 'excludeRecursion', world: 'excludeRecursion', mirror: 'exclude_recursion', read: asFlag }),
  row({ field: 'preventRecursion', world: 'preventRecursion', mirror: 'prevent_recursion', read: asFlag }),
  row({ field: 'delayUntilRecursion', world: 'delayUntilRecursion', mirror: 'delay_until_recursion', read: asLevel }),
  row({ field: 'probability', world: 'probability', mirror: 'probability', read: asPercent }),
  row({
    field: 'useProbability',
    world: 'useProbability',
    mirror: 'useProbability',
    also: ['use_probability'],
    read: asFlag,
  }),
  row({ field: 'depth', world: 'depth', mirror: 'depth', read: asDepth }),
  row({ field: 'outletName', world: 'outletName', mirror: 'outlet_name', read: asText }),
  row({ field: 'group', world: 'group', mirror: 'group', read: asGroup }),
  row({ field: 'prioritise', world: 'groupOverride', mirror: 'group_override', read: asFlag }),
  row({ field: 'groupWeight', world: 'groupWeight', mirror: 'group_weight', read: asNumber }),
  row({ field: 'scanDepth', world: 'scanDepth', mirror: 'scan_depth', read: asNumber }),
  row({
    field: 'caseSensitive',
    world: 'caseSensitive',
    book: 'case_sensitive',
    mirror: 'case_sensitive',
    read: asFlag,
  }),
  row({ field: 'wholeWords', world: 'matchWholeWords', mirror: 'match_whole_words', read: asFlag }),
  row({ field: 'groupScoring', world: 'useGroupScoring', mirror: 'use_group_scoring', read: asFlag }),
  row({ field: 'automationId', world: 'automationId', mirror: 'automation_id', read: asText }),
  row({ field: 'role', world: 'role', mirror: 'role', read: asRole }),
  row({ field: 'sticky', world: 'sticky', mirror: 'sticky', read: asNumber }),
  row({ field: 'cooldown', world: 'cooldown', mirror: 'cooldown', read: asNumber }),
  row({ field: 'delay', world: 'delay', mirror: 'delay', read: asNumber }),
  row({ field: 'triggers', world: 'triggers', mirror: 'triggers', read: asTexts }),
]

/** Flags of SillyTavern that only make sense with its own sources of text: name there, name in the mirror. */
export const CARRIED_FLAGS: readonly [string, string][] = [
  ['matchPersonaDescription', 'match_persona_description'],
  ['matchCharacterDescription', 'match_character_description'],
  ['matchCharacterPersonality', 'match_character_personality'],
  ['matchCharacterDepthPrompt', 'match_character_depth_prompt'],
  ['matchScenario', 'match_scenario'],
  ['matchCreatorNotes', 'match_creator_notes'],
]

const names = (...list: (string | undefined)[]): string[] => [
  ...new Set(list.filter((name): name is string => name !== undefined)),
]
const opposite = (name: string): string => (name === '!disable' ? 'enabled' : name)

/** Names at the root, best first, for each of the two families of formats. */
export function rootNames(line: Row, family: 'world' | 'book'): string[] {
  const also = line.also ?? []
  return family === 'world'
    ? names(line.world, line.book ?? opposite(line.world), line.mirror, ...also)
    : names(line.book, line.mirror, line.world, ...also)
}

/** Names in `extensions`, SillyTavern's own spelling first. */
export function extensionNames(line: Row): string[] {
  return line.mirror === undefined ? [] : names(line.mirror, line.world, ...(line.also ?? []))
}

const ROOT_NAMES = new Set([
  ...ROWS.flatMap((line) => rootNames(line, 'world')).map((name) => name.replace('!', '')),
  ...CARRIED_FLAGS.map(([world]) => world),
  ...['content', 'extensions', 'use_regex', 'useRegex', 'uid', 'id', 'displayIndex', 'addMemo'],
])
const EXTENSION_NAMES = new Set([
  ...ROWS.flatMap(extensionNames),
  ...CARRIED_FLAGS.map(([, mirror]) => mirror),
  'display_index',
])

/** Names that either family gives a meaning to at the root of an entry. */
export const isRootName = (name: string): boolean => ROOT_NAMES.has(name)
export const isExtensionName = (name: string): boolean => EXTENSION_NAMES.has(name)

/** Worked out once: a large book asks for them millions of times. */
const PLACES = {
  world: ROWS.map((line) => ({ line, mirror: [] as string[], root: rootNames(line, 'world') })),
  book: ROWS.map((line) => ({ line, mirror: extensionNames(line), root: rootNames(line, 'book') })),
}

function valueAt(fields: Fields, name: string): unknown {
  if (!name.startsWith('!')) return own(fields, name)
  const value = asFlag(own(fields, name.slice(1)))
  return value === undefined ? own(fields, name.slice(1)) : !value
}

/** The first value that is there and can be read; a blank title counts as none. */
function pick(line: Row, fields: Fields, candidates: readonly string[], complain: Complain): unknown {
  for (const name of candidates) {
    const value = valueAt(fields, name)
    if (value === undefined || value === null || (line.field === 'comment' && value === '')) continue
    const read = line.read(value)
    if (read !== undefined) return read
    const shown = (JSON.stringify(value) ?? '').slice(0, 40)
    complain(
      'field_unread',
      said`The value ${shown} of "${name.replace('!', '')}" is not understood; the usual one stands.`,
    )
  }
  return undefined
}

/** Reads every known field of an entry but its content. `extensions` win over the root in the book family. */
export function readRows(raw: Fields, family: 'world' | 'book', complain: Complain): Known {
  const extensions = own(raw, 'extensions')
  const mirror = family === 'book' && isFields(extensions) ? extensions : {}
  const known: Fields = {}
  for (const { line, mirror: inMirror, root } of PLACES[family]) {
    const value = pick(line, mirror, inMirror, complain) ?? pick(line, raw, root, complain)
    if (value !== undefined) known[line.field] = value
  }
  const role = known.role === undefined ? roleInPosition(own(mirror, 'position') ?? own(raw, 'position')) : undefined
  if (role !== undefined) known.role = role
  return { ...KNOWN_DEFAULTS, ...(known as Partial<Known>), content: asText(own(raw, 'content')) ?? '' }
}
