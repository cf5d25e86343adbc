import fc from 'fast-check'
import type { BookDraft } from '../book-contract'
import { ENTRY_ROLES, type Entry, POSITIONS, SELECTIVE_LOGICS } from '../entry-contract'

/** Any book the contract allows, with names that lie in wait; tests only. */

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const key = fc.oneof(
  text.filter((value) => value.trim() !== ''),
  fc.constantFrom('/lights?/i', 'a|b', '潮汐', 'C++', '(', '/x', 'a, b'),
)
const count = fc.option(fc.nat(50), { nil: null })
const tri = fc.option(fc.boolean(), { nil: null })
export const plainJson = fc
  .jsonValue({ maxDepth: 3 })
  // JSON has one zero.
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
const nastyName = fc.constantFrom(
  ...['__proto__', 'constructor', 'extensions', 'strata', 'key', 'keys', 'id', 'uid', 'name', 'disable', 'enabled'],
  ...['displayIndex', 'addMemo', 'matchScenario', 'priority', 'use_regex', 'characterFilter', 'position', 'toString'],
  ...[
    'lorebookVersion',
    'spec',
    'kind',
    'type',
    'data',
    'character_book',
    'format',
    'first_mes',
    'strategy',
    'scan_depth',
  ],
)
const loose = fc
  .array(fc.tuple(fc.oneof(nastyName, text), plainJson), { maxLength: 4 })
  .map((pairs): Record<string, unknown> => Object.fromEntries(pairs))
const extra = fc
  .tuple(loose, fc.option(loose, { nil: undefined }))
  .map(([root, extensions]) => (extensions === undefined ? root : { ...root, extensions }))
const origin = fc.option(
  fc.record({ format: fc.constantFrom('sillytavern', 'character_book', 'novelai'), fields: extra }),
  { nil: null },
)

const entry: fc.Arbitrary<Entry> = fc.record({
  id: fc.oneof(fc.nat(60).map(String), fc.constantFrom('7b1c', '007', '-1', '__proto__')),
  comment: text,
  content: text,
  keys: fc.array(key, { maxLength: 3 }),
  secondaryKeys: fc.array(key, { maxLength: 3 }),
  selective: fc.boolean(),
  selectiveLogic: fc.constantFrom(...SELECTIVE_LOGICS),
  constant: fc.boolean(),
  vectorized: fc.boolean(),
  enabled: fc.boolean(),
  order: fc.integer({ min: -100, max: 1000 }),
  position: fc.constantFrom(...POSITIONS),
  depth: fc.nat(100),
  role: fc.constantFrom(...ENTRY_ROLES),
  outletName: text,
  scanDepth: count,
  caseSensitive: tri,
  wholeWords: tri,
  regexKeys: fc.boolean(),
  probability: fc.integer({ min: 0, max: 100 }),
  useProbability: fc.boolean(),
  group: text,
  groupWeight: fc.nat(1000),
  prioritise: fc.boolean(),
  groupScoring: tri,
  sticky: count,
  cooldown: count,
  delay: count,
  excludeRecursion: fc.boolean(),
  preventRecursion: fc.boolean(),
  delayUntilRecursion: fc.nat(5),
  ignoreBudget: fc.boolean(),
  triggers: fc.array(fc.constantFrom('normal', 'swipe'), { maxLength: 2 }),
  automationId: text,
  extra,
  origin,
})

export const book: fc.Arbitrary<BookDraft> = fc
  .record({
    name: text.map((value) => `Book ${value}`.trim()),
    description: text,
    settings: fc.record({
      scanDepth: count,
      tokenBudget: count,
      recursive: tri,
      wholeWords: tri,
      caseSensitive: tri,
      scanTopicPrompt: fc.boolean(),
    }),
    entries: fc.uniqueArray(entry, { selector: (member) => member.id, minLength: 1, maxLength: 4 }),
    extra,
    origin,
  })
  // fast-check builds objects without a prototype; the app has ordinary ones.
  .map((draft): BookDraft => JSON.parse(JSON.stringify(draft)))
