import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BOOK_SETTINGS_DEFAULTS, type BookDraft, bookInputSchema } from '../book-contract'
import { WORLDBOOK_FORMATS, type WorldbookFormat } from '../contract'
import { ENTRY_DEFAULTS, type Entry, entrySchema } from '../entry-contract'
import { book, plainJson } from './book-arbitrary'
import { json } from './card-fixture'
import { own } from './coerce'
import { readWorldbookFile } from './read-worldbook-file'
import { writeWorldbookFile } from './write-worldbook-file'

function again(draft: BookDraft, format: WorldbookFormat): BookDraft | undefined {
  const file = writeWorldbookFile(draft, format)
  return readWorldbookFile(file.fileName, file.bytes).books[0]
}

describe.each(WORLDBOOK_FORMATS)('%s', (format) => {
  it('gives back every field of any book', () => {
    fc.assert(
      fc.property(book, (draft) => {
        // A field named `constructor` confuses the matcher of the test runner.
        deepStrictEqual(again(draft, format), draft)
      }),
      { numRuns: 200 },
    )
  })
})

it('gives the same book after a journey through all formats', () => {
  fc.assert(
    fc.property(book, fc.shuffledSubarray([...WORLDBOOK_FORMATS], { minLength: 2 }), (draft, formats) => {
      const end = formats.reduce<BookDraft | undefined>((sofar, format) => sofar && again(sofar, format), draft)
      deepStrictEqual(end, draft)
    }),
    { numRuns: 100 },
  )
})

it('keeps a book from a format that is only read through every format that is written', () => {
  const source = {
    ...{ lorebookVersion: 4, settings: { orderByKeyLocations: true }, categories: [{ id: 'c' }] },
    entries: [
      {
        id: 'u',
        text: 't',
        displayName: 'D',
        keys: ['a & b'],
        enabled: true,
        forceActivation: true,
        contextConfig: { prefix: 'p' },
      },
    ],
  }
  const draft = readWorldbookFile('n.lorebook', json(source)).books[0] ?? bare({})
  expect(draft.entries[0]).toMatchObject({ constant: true, keys: ['a'], secondaryKeys: ['b'] })
  for (const format of WORLDBOOK_FORMATS) expect(again(draft, format)).toStrictEqual(draft)
})

const worldNames = [
  ...['key', 'keysecondary', 'comment', 'constant', 'vectorized', 'selective', 'selectiveLogic', 'addMemo', 'order'],
  ...[
    'position',
    'disable',
    'ignoreBudget',
    'excludeRecursion',
    'preventRecursion',
    'delayUntilRecursion',
    'probability',
  ],
  ...['useProbability', 'depth', 'outletName', 'group', 'groupOverride', 'groupWeight', 'scanDepth', 'caseSensitive'],
  ...['matchWholeWords', 'useGroupScoring', 'automationId', 'role', 'sticky', 'cooldown', 'delay', 'triggers'],
  ...['displayIndex', 'matchPersonaDescription', 'characterFilter', 'keys', 'secondary_keys', 'enabled', 'name', 'foo'],
]
const bookNames = [
  ...[
    'keys',
    'secondary_keys',
    'comment',
    'name',
    'enabled',
    'insertion_order',
    'priority',
    'case_sensitive',
    'constant',
  ],
  ...['position', 'selective', 'use_regex', 'key', 'order', 'foo'],
]
const mirrorNames = [
  ...[
    'position',
    'depth',
    'role',
    'probability',
    'useProbability',
    'selectiveLogic',
    'display_index',
    'group',
    'weight',
  ],
  ...['exclude_recursion', 'excludeRecursion', 'prevent_recursion', 'scan_depth', 'match_whole_words', 'triggers'],
  ...['case_sensitive', 'match_scenario', 'automation_id', 'foo', '__proto__'],
]
const rough = fc.oneof(
  plainJson,
  fc.constantFrom<unknown>(
    '2',
    '-1',
    'true',
    0,
    1,
    3,
    -5,
    99,
    null,
    'before_char',
    'a, b',
    '/x,y/i, z',
    ['', ' ', 'k'],
    [1, null],
  ),
)
const someOf = (list: string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...list), rough), { maxLength: 10 })
    .map((pairs): Record<string, unknown> => Object.fromEntries(pairs))

/** What a file gives must be storable: the editor's own schema takes it. */
function storable(draft: BookDraft): void {
  for (const member of draft.entries) expect(entrySchema.safeParse(member).error).toBeUndefined()
  expect(bookInputSchema.safeParse(draft).error).toBeUndefined()
}

function lossless(raw: Record<string, unknown>, exported: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(raw)) {
    if (name === 'extensions')
      lossless(value as Record<string, unknown>, own(exported, name) as Record<string, unknown>)
    else expect([name, own(exported, name)]).toStrictEqual([name, value])
  }
}

it('writes a SillyTavern file back with every value as it was', () => {
  fc.assert(
    fc.property(fc.array(someOf(worldNames), { minLength: 1, maxLength: 3 }), (entries) => {
      const raws = entries.map((raw, uid) => ({ ...raw, uid, key: own(raw, 'key') ?? ['k'], content: `text ${uid}` }))
      const draft = readWorldbookFile(
        'a.json',
        json({ entries: Object.fromEntries(raws.map((raw) => [raw.uid, raw])) }),
      )
      if (draft.report.format !== 'sillytavern' || !draft.books[0]) return
      const file = JSON.parse(new TextDecoder().decode(writeWorldbookFile(draft.books[0], 'sillytavern').bytes))
      for (const raw of raws) lossless(raw, file.entries[raw.uid])
      storable(draft.books[0])
      expect(readWorldbookFile('a.json', json(file)).books).toStrictEqual(draft.books)
    }),
    { numRuns: 200 },
  )
})

it('writes a character book back with every value as it was', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(someOf(bookNames), someOf(mirrorNames)), { minLength: 1, maxLength: 3 }),
      (entries) => {
        const raws = entries.map(([raw, extensions], id) => ({ ...raw, id, content: `text ${id}`, extensions }))
        const source = {
          spec: 'lorebook_v3',
          data: { name: 'B', scan_depth: '3', extensions: { mine: [1] }, entries: raws },
        }
        const draft = readWorldbookFile('a.json', json(source))
        if (!draft.books[0]) throw new Error('nothing read')
        const file = JSON.parse(new TextDecoder().decode(writeWorldbookFile(draft.books[0], 'ccv3').bytes))
        for (const [index, raw] of raws.entries()) lossless(raw, file.data.entries[index])
        storable(draft.books[0])
        expect(file.data).toMatchObject({ name: 'B', scan_depth: '3', extensions: { mine: [1] } })
        expect(readWorldbookFile('a.json', json(file)).books).toStrictEqual(draft.books)
      },
    ),
    { numRuns: 200 },
  )
})

const bare = (patch: Partial<Entry>): BookDraft => ({
  name: 'Bare',
  description: '',
  settings: BOOK_SETTINGS_DEFAULTS,
  entries: [{ ...ENTRY_DEFAULTS, id: '0', ...patch }],
  extra: {},
  origin: null,
})

describe('edits win over what the file said', () => {
  const source = { entries: { 0: { uid: 0, key: 'fox, hare', content: 'x', depth: '-1', order: '7', role: null } } }

  it('gives the raw values back untouched, and only those that still hold after an edit', () => {
    const draft = readWorldbookFile('w.json', json(source)).books[0] ?? bare({})
    expect(draft.entries[0]).toMatchObject({ keys: ['fox', 'hare'], depth: 0, order: 7, role: 'system' })
    const edited = { ...draft, entries: draft.entries.map((member) => ({ ...member, depth: 6 })) }
    const file = JSON.parse(new TextDecoder().decode(writeWorldbookFile(edited, 'sillytavern').bytes))
    expect(file.entries['0']).toMatchObject({ key: 'fox, hare', depth: 6, order: '7', role: null })
    expect(again(edited, 'sillytavern')?.entries[0]).toMatchObject({ depth: 6, order: 7 })
  })

  it('drops fields kept aside when another program changed the entry', () => {
    const file = writeWorldbookFile(bare({ keys: ['a|b'], regexKeys: true }), 'sillytavern')
    const parsed = JSON.parse(new TextDecoder().decode(file.bytes))
    expect(parsed.entries['0'].key).toStrictEqual(['/a|b/i'])
    parsed.entries['0'].key = ['otter']
    const read = readWorldbookFile('w.json', json(parsed)).books[0]?.entries[0]
    expect(read).toMatchObject({ keys: ['otter'], regexKeys: false })
  })
})

it('writes the exact names and numbers of SillyTavern’s template, and nothing else for a plain entry', () => {
  const patch: Partial<Entry> = { comment: 'T', position: 'at-depth', role: 'assistant', selectiveLogic: 'and-all' }
  const file = JSON.parse(new TextDecoder().decode(writeWorldbookFile(bare(patch), 'sillytavern').bytes))
  expect(file).toStrictEqual({
    name: 'Bare',
    entries: {
      0: {
        uid: 0,
        key: [],
        keysecondary: [],
        comment: 'T',
        content: '',
        constant: false,
        vectorized: false,
        selective: true,
        selectiveLogic: 3,
        addMemo: true,
        order: 100,
        position: 4,
        disable: false,
        ignoreBudget: false,
        excludeRecursion: false,
        preventRecursion: false,
        matchPersonaDescription: false,
        matchCharacterDescription: false,
        matchCharacterPersonality: false,
        matchCharacterDepthPrompt: false,
        matchScenario: false,
        matchCreatorNotes: false,
        delayUntilRecursion: 0,
        probability: 100,
        useProbability: true,
        depth: 4,
        outletName: '',
        group: '',
        groupOverride: false,
        groupWeight: 100,
        scanDepth: null,
        caseSensitive: null,
        matchWholeWords: null,
        useGroupScoring: null,
        automationId: '',
        role: 2,
        sticky: null,
        cooldown: null,
        delay: null,
        triggers: [],
        displayIndex: 0,
      },
    },
  })
})

it('keeps the order of the list, which settles equal orders, whatever the ids', () => {
  const entries = ['9', '2', 'x', '2000'].map((id) => ({ ...ENTRY_DEFAULTS, id, content: id }))
  const draft = { ...bare({}), entries }
  for (const format of WORLDBOOK_FORMATS)
    expect(again(draft, format)?.entries.map((e) => e.id)).toStrictEqual(['9', '2', 'x', '2000'])
})

it('names the file after the book, safely', () => {
  const named = (name: string) => writeWorldbookFile({ ...bare({}), name }, 'sillytavern').fileName
  expect(named('雾港志')).toBe('雾港志.json')
  expect(named('../a/b:c')).toBe('-a-b-c.json')
  expect(named('con')).toBe('con-book.json')
  expect(named('...')).toBe('worldbook.json')
})
