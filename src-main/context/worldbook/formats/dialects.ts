import { ENTRY_ROLES, POSITIONS, SELECTIVE_LOGICS } from '../entry-contract'
import { asFlag, type Fields, isFields, isSlashed, own } from './coerce'
import {
  CARRIED_FLAGS,
  type Complain,
  isExtensionName,
  isRootName,
  type Known,
  ROWS,
  readRows,
  rootNames,
} from './entry-fields'

/** What an entry of a file says, apart from its identity. */
export interface Body {
  known: Known
  extra: Fields
}

/** A way of writing entries that can be read and written. `index` is the entry's place in its book. */
export interface Dialect {
  /** Stands in `origin.format`. */
  name: 'sillytavern' | 'character_book'
  /** The identity's field. */
  id: 'uid' | 'id'
  read(raw: Fields, index: number, complain: Complain): Body
  write(body: Body, index: number): Fields
}

const KNOWN_TO_WORLD = new Set([
  ...ROWS.flatMap((line) => rootNames(line, 'world')).map((name) => name.replace('!', '')),
  'content',
  'uid',
])

function without(fields: Fields, isKnown: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isKnown(name)))
}

function hasMembers(value: unknown): boolean {
  return value !== undefined && value !== null && !(isFields(value) && Object.keys(value).length === 0)
}

/** What only SillyTavern's editor or its own sources use, as far as it differs from what its new entries have. */
function carried(get: (world: string, mirror: string | undefined) => unknown, comment: string, index: number): Fields {
  const usual: [string, string | undefined, unknown][] = [
    ...CARRIED_FLAGS.map(([world, mirror]): [string, string, boolean] => [world, mirror, false]),
    ['addMemo', undefined, comment !== ''],
    ['displayIndex', 'display_index', index],
  ]
  return Object.fromEntries(
    usual.flatMap(([world, mirror, standard]) => {
      const value = get(world, mirror)
      return value === undefined || value === standard ? [] : [[world, value]]
    }),
  )
}

/** What the entry carries under the name, null included, else the usual value. */
function given(extra: Fields, name: string, usual: unknown): unknown {
  return Object.hasOwn(extra, name) ? extra[name] : usual
}

/** A pattern of a book that needs no slashes, as SillyTavern would have to write it. */
function slashed(key: string, caseSensitive: boolean | null): string {
  if (isSlashed(key) || key.trim() === '') return key
  try {
    const source = new RegExp(key).source
    return `/${source}/${caseSensitive === true ? '' : 'i'}`
  } catch {
    return key
  }
}

function readWorld(raw: Fields, index: number, complain: Complain): Body {
  const known = readRows(raw, 'world', complain)
  const special = new Set([...CARRIED_FLAGS.map(([world]) => world), 'addMemo', 'displayIndex', 'extensions'])
  const extensions = own(raw, 'extensions')
  const extra = {
    ...without(raw, (name) => KNOWN_TO_WORLD.has(name) || special.has(name)),
    ...carried((world) => own(raw, world), known.comment, index),
    ...(hasMembers(extensions) ? { extensions } : {}),
  }
  return { known, extra }
}

/** The fields and numbers of SillyTavern 1.13's entry template, in its order, then what the entry only carries. */
function writeWorld({ known, extra }: Body, index: number): Fields {
  const keys = (list: string[]) => (known.regexKeys ? list.map((key) => slashed(key, known.caseSensitive)) : list)
  const flags = Object.fromEntries(CARRIED_FLAGS.map(([world]) => [world, given(extra, world, false)]))
  const fields: Fields = {
    uid: index,
    key: keys(known.keys),
    keysecondary: keys(known.secondaryKeys),
    comment: known.comment,
    content: known.content,
    constant: known.constant,
    vectorized: known.vectorized,
    selective: known.selective,
    selectiveLogic: SELECTIVE_LOGICS.indexOf(known.selectiveLogic),
    addMemo: given(extra, 'addMemo', known.comment !== ''),
    order: known.order,
    position: POSITIONS.indexOf(known.position),
    disable: !known.enabled,
    ignoreBudget: known.ignoreBudget,
    excludeRecursion: known.excludeRecursion,
    preventRecursion: known.preventRecursion,
    ...flags,
    delayUntilRecursion: known.delayUntilRecursion,
    probability: known.probability,
    useProbability: known.useProbability,
    depth: known.depth,
    outletName: known.outletName,
    group: known.group,
    groupOverride: known.prioritise,
    groupWeight: known.groupWeight,
    scanDepth: known.scanDepth,
    caseSensitive: known.caseSensitive,
    matchWholeWords: known.wholeWords,
    useGroupScoring: known.groupScoring,
    automationId: known.automationId,
    role: ENTRY_ROLES.indexOf(known.role),
    sticky: known.sticky,
    cooldown: known.cooldown,
    delay: known.delay,
    triggers: known.triggers,
    displayIndex: given(extra, 'displayIndex', index),
  }
  return { ...fields, ...without(extra, (name) => Object.hasOwn(fields, name) || KNOWN_TO_WORLD.has(name)) }
}

export const WORLD: Dialect = { name: 'sillytavern', id: 'uid', read: readWorld, write: writeWorld }

/** SillyTavern sets use_regex on every entry it exports, so beside its mirror the flag says nothing. */
function regexKeysOf(raw: Fields, extensions: Fields): boolean {
  if (Object.hasOwn(extensions, 'useProbability') || Object.hasOwn(extensions, 'display_index')) return false
  return asFlag(own(raw, 'use_regex') ?? own(raw, 'useRegex')) ?? false
}

function readBook(raw: Fields, index: number, complain: Complain): Body {
  const found = own(raw, 'extensions')
  const extensions = isFields(found) ? found : {}
  const known: Known = { ...readRows(raw, 'book', complain), regexKeys: regexKeysOf(raw, extensions) }
  // Absent, SillyTavern puts it after the character; the card specification leaves it open.
  const placed = [own(extensions, 'position'), own(raw, 'position')].some(
    (value) => value !== undefined && value !== null,
  )
  if (!placed) known.position = 'after'
  // By the specification secondary keys count only when the entry says so.
  if (known.secondaryKeys.length > 0 && (own(raw, 'selective') ?? null) === null) known.selective = false
  const rest = without(extensions, isExtensionName)
  const extra = {
    ...without(raw, isRootName),
    ...carried(
      (world, mirror) => (mirror === undefined ? undefined : own(extensions, mirror)) ?? own(raw, world),
      known.comment,
      index,
    ),
    ...(Object.keys(rest).length > 0 ? { extensions: rest } : {}),
  }
  return { known, extra }
}

/** SillyTavern's mirror of its own fields inside a character book. */
function mirrorOf({ known, extra }: Body, index: number): Fields {
  return {
    position: POSITIONS.indexOf(known.position),
    display_index: given(extra, 'displayIndex', index),
    depth: known.depth,
    role: ENTRY_ROLES.indexOf(known.role),
    probability: known.probability,
    useProbability: known.useProbability,
    selectiveLogic: SELECTIVE_LOGICS.indexOf(known.selectiveLogic),
    outlet_name: known.outletName,
    exclude_recursion: known.excludeRecursion,
    prevent_recursion: known.preventRecursion,
    delay_until_recursion: known.delayUntilRecursion,
    group: known.group,
    group_override: known.prioritise,
    group_weight: known.groupWeight,
    use_group_scoring: known.groupScoring,
    scan_depth: known.scanDepth,
    match_whole_words: known.wholeWords,
    case_sensitive: known.caseSensitive,
    automation_id: known.automationId,
    vectorized: known.vectorized,
    sticky: known.sticky,
    cooldown: known.cooldown,
    delay: known.delay,
    triggers: known.triggers,
    ignore_budget: known.ignoreBudget,
    ...Object.fromEntries(CARRIED_FLAGS.map(([world, mirror]) => [mirror, given(extra, world, false)])),
  }
}

function writeBook(body: Body, index: number): Fields {
  const { known, extra } = body
  const unmapped = own(extra, 'extensions')
  const fields: Fields = {
    id: index,
    keys: known.keys,
    secondary_keys: known.secondaryKeys,
    name: known.comment,
    comment: known.comment,
    content: known.content,
    constant: known.constant,
    selective: known.selective,
    insertion_order: known.order,
    enabled: known.enabled,
    position: known.position === 'before' ? 'before_char' : 'after_char',
    use_regex: known.regexKeys || known.keys.some(isSlashed),
    ...(known.caseSensitive === null ? {} : { case_sensitive: known.caseSensitive }),
    extensions: { ...without(isFields(unmapped) ? unmapped : {}, isExtensionName), ...mirrorOf(body, index) },
  }
  const memo = own(extra, 'addMemo')
  const rest = without(extra, isRootName)
  return { ...fields, ...(memo === undefined ? {} : { addMemo: memo }), ...rest }
}

export const BOOK: Dialect = { name: 'character_book', id: 'id', read: readBook, write: writeBook }
