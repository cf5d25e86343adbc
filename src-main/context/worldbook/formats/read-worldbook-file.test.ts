import { describe, expect, it } from 'vitest'
import type { ReadResult } from '../contract'
import { json } from './card-fixture'
import { readWorldbookFile } from './read-worldbook-file'

const read = (value: unknown, name = 'book.json'): ReadResult => readWorldbookFile(name, json(value))
const entriesOf = (result: ReadResult) => result.books[0]?.entries ?? []

describe('SillyTavern worlds', () => {
  it('skips what is no entry, keeps the rest and never lets two entries share a number', () => {
    const result = read({
      entries: {
        0: null,
        1: { uid: 1, key: ['fox'], comment: 'num', content: 42 },
        2: { uid: 2, key: ['fox'], comment: 'good', content: 'A red fox.' },
        3: { uid: 2, key: ['fox'], comment: 'twin', content: 'Same uid, other text.' },
        4: { key: ['fox'], content: 'No number.' },
        5: [['nested']],
        6: 7,
        7: {},
      },
    })
    expect(result.report.format).toBe('sillytavern')
    expect({
      ...result.report.entries,
      skipped: result.report.entries.skipped.map(({ index, reason }) => ({ index, reason })),
    }).toStrictEqual({
      imported: 3,
      skipped: [
        { index: 0, reason: 'It is null, not an entry.' },
        { index: 1, reason: 'Its text is a number instead of text.' },
        { index: 5, reason: 'It is a list, not an entry.' },
        { index: 6, reason: 'It is a number, not an entry.' },
        { index: 7, reason: 'It holds neither keys nor a text.' },
      ],
    })
    expect(entriesOf(result).map((entry) => entry.id)).toStrictEqual(['2', '0', '1'])
    expect(entriesOf(result)[1]?.origin).toStrictEqual({ format: 'sillytavern', fields: { uid: 2 } })
    expect(result.report.warnings.map((warning) => warning.code)).toContain('duplicate_id')
  })

  it('fills in what is missing, reads numbers in text and bounds the rest', () => {
    const [bare, rough] = entriesOf(
      read({
        entries: [
          { uid: 4, key: ['fox'], content: 'Only three fields.' },
          {
            ...{
              uid: 5,
              key: ['a'],
              content: 'x',
              position: '4',
              depth: -3,
              probability: null,
              order: '12',
              role: null,
            },
            ...{
              delayUntilRecursion: true,
              sticky: '3',
              selectiveLogic: '2',
              disable: 'true',
              scanDepth: '9',
              group: null,
            },
          },
        ],
      }),
    )
    expect(bare).toMatchObject({
      position: 'before',
      depth: 4,
      order: 100,
      probability: 100,
      enabled: true,
      role: 'system',
    })
    expect(rough).toMatchObject({
      position: 'at-depth',
      depth: 0,
      probability: 100,
      order: 12,
      role: 'system',
      group: '',
    })
    expect(rough).toMatchObject({
      delayUntilRecursion: 1,
      sticky: 3,
      selectiveLogic: 'not-any',
      enabled: false,
      scanDepth: 9,
    })
  })

  it('puts an unknown position first and says so', () => {
    const result = read({ entries: { 0: { uid: 0, key: ['a'], content: 'x', position: 8, probability: 250 } } })
    expect(entriesOf(result)[0]).toMatchObject({ position: 'before', probability: 100 })
    expect(result.report.warnings).toMatchObject([
      { entryId: '0', code: 'field_unread', message: expect.stringContaining('"position"') },
    ])
  })

  it('splits keys in a text, not in a pattern, and keeps a list as it is', () => {
    const keysOf = (key: unknown) => entriesOf(read({ entries: [{ uid: 0, key, content: 'x' }] }))[0]?.keys
    expect(keysOf('pier, dock，码头\n 港口 ,, ')).toStrictEqual(['pier', 'dock', '码头', '港口'])
    expect(keysOf('/a,b/i, c, a/b, c/d')).toStrictEqual(['/a,b/i', 'c', 'a/b', 'c/d'])
    expect(keysOf('/open, z')).toStrictEqual(['/open', 'z'])
    expect(keysOf(' /a,\\/b/ ,/c/d,\n/e/')).toStrictEqual(['/a,\\/b/', '/c/d', '/e/'])
    expect(keysOf('/x,'.repeat(1_000_000))).toHaveLength(10_000)
    expect(keysOf(['', '  ', 'otter', 7, null, 'a, b'])).toStrictEqual(['', '  ', 'otter', '7', 'a, b'])
    expect(keysOf(null)).toStrictEqual([])
    const blank = read({ entries: [{ uid: 0, key: ['', 'otter'], content: 'x' }] })
    expect(blank.report.warnings.map((warning) => warning.code)).toStrictEqual(['blank_key'])
    const second = read({ entries: [{ uid: 0, key: ['x'], keysecondary: ['y', ' '], content: 'x' }] })
    expect(entriesOf(second)[0]?.secondaryKeys).toStrictEqual(['y', ' '])
    expect(second.report.warnings.map((warning) => warning.code)).toStrictEqual(['blank_key'])
  })

  it('takes macros in keys as they are written and says so', () => {
    const result = read({ entries: [{ uid: 0, key: ['{{user}}', 'x'], content: 'Hello {{user}}' }] })
    expect(entriesOf(result)[0]?.keys).toStrictEqual(['{{user}}', 'x'])
    expect(result.report.warnings).toMatchObject([{ code: 'macro_in_key', entryId: '0' }])
  })

  it('keeps what it does not execute and names it', () => {
    const result = read({
      entries: [
        {
          uid: 0,
          key: ['a'],
          content: 'x',
          matchScenario: true,
          characterFilter: { tags: ['7'] },
          mood: 'dark',
          displayIndex: 5,
        },
      ],
      originalData: { a: 1 },
    })
    expect(entriesOf(result)[0]?.extra).toStrictEqual({
      matchScenario: true,
      characterFilter: { tags: ['7'] },
      mood: 'dark',
      displayIndex: 5,
    })
    expect(result.books[0]?.extra).toStrictEqual({ originalData: { a: 1 } })
    expect(result.report.keptNotExecuted).toStrictEqual(['characterFilter', 'matchScenario', 'mood', 'originalData'])
  })

  it('takes the name of the file when the book has none', () => {
    expect(read({ entries: {} }, '/some/where/雾港志.json').books[0]?.name).toBe('雾港志')
    expect(read({ entries: {}, name: 'Own' }, 'x.json').books[0]?.name).toBe('Own')
  })
})

describe('character books', () => {
  const harbour = {
    name: 'Harbour notes',
    ...{ scan_depth: 3, token_budget: 500, recursive_scanning: false, extensions: {} },
    entries: [
      { keys: ['pier'], content: 'The pier is old.', enabled: true, insertion_order: 10, extensions: {}, id: 7 },
      {
        ...{ keys: ['pier'], content: 'Second entry, same id.', enabled: true, insertion_order: 20, id: 7 },
        ...{ extensions: { position: 4, depth: 2, role: 1 }, position: 'before_char' },
      },
      { keys: ['crane'], content: 'No enabled field, no extensions.', insertion_order: 30 },
      { keys: ['Pier'], content: 'case', enabled: true, insertion_order: 40, extensions: {}, case_sensitive: true },
      { keys: ['a|b'], content: 'pattern', enabled: true, insertion_order: 50, extensions: {}, use_regex: true },
      { keys: 'pier, dock', content: 'one string', enabled: true, insertion_order: 60, secondary_keys: null },
    ],
  }

  it('reads the array form with its defects', () => {
    const result = read(harbour)
    expect(result.report).toMatchObject({ format: 'character_book', entries: { imported: 6, skipped: [] } })
    expect(result.books[0]?.settings).toMatchObject({ scanDepth: 3, tokenBudget: 500, recursive: false })
    const [, second, third, fourth, fifth, sixth] = entriesOf(result)
    expect(second).toMatchObject({ position: 'at-depth', depth: 2, role: 'user', origin: { fields: { id: 7 } } })
    expect(third).toMatchObject({ enabled: true, position: 'after', order: 30 })
    expect(fourth).toMatchObject({ caseSensitive: true })
    expect(fifth).toMatchObject({ regexKeys: true, keys: ['a|b'] })
    expect(sixth).toMatchObject({ keys: ['pier', 'dock'], secondaryKeys: [] })
    expect(new Set(entriesOf(result).map((entry) => entry.id)).size).toBe(6)
  })

  it('takes both spellings of an extension field, SillyTavern’s first', () => {
    const [camel, snake, both] = entriesOf(
      read({
        entries: [
          {
            ...{ keys: ['a'], content: 'x', insertion_order: 1 },
            extensions: {
              ...{ excludeRecursion: true, preventRecursion: true, delayUntilRecursion: 2, matchWholeWords: false },
              ...{ groupWeight: 5, groupOverride: true, use_probability: false, selective_logic: 3, outletName: 'o' },
            },
          },
          {
            ...{ keys: ['a'], content: 'x', insertion_order: 1 },
            extensions: {
              ...{ exclude_recursion: true, prevent_recursion: true, delay_until_recursion: true, ignore_budget: true },
              ...{ useProbability: false, probability: 30, selectiveLogic: 1, outlet_name: 'o', triggers: ['swipe'] },
            },
          },
          { keys: ['a'], content: 'x', insertion_order: 1, extensions: { scan_depth: 4, scanDepth: 9 } },
        ],
      }),
    )
    expect(camel).toMatchObject({
      excludeRecursion: true,
      preventRecursion: true,
      delayUntilRecursion: 2,
      wholeWords: false,
    })
    expect(camel).toMatchObject({
      groupWeight: 5,
      prioritise: true,
      useProbability: false,
      selectiveLogic: 'and-all',
      outletName: 'o',
    })
    expect(snake).toMatchObject({
      excludeRecursion: true,
      preventRecursion: true,
      delayUntilRecursion: 1,
      ignoreBudget: true,
    })
    expect(snake).toMatchObject({
      useProbability: false,
      probability: 30,
      selectiveLogic: 'not-all',
      triggers: ['swipe'],
    })
    expect(both).toMatchObject({ scanDepth: 4 })
  })

  it('believes use_regex only where SillyTavern did not write it on everything', () => {
    const regexOf = (extensions: unknown) =>
      entriesOf(
        read({
          spec: 'lorebook_v3',
          data: { entries: [{ keys: ['cat'], content: 'x', use_regex: true, extensions }] },
        }),
      )[0]?.regexKeys
    expect(regexOf({})).toBe(true)
    expect(regexOf({ useProbability: true, display_index: 0, position: 0 })).toBe(false)
  })

  it('asks for secondary keys only when the entry says so, and leaves decorators in the text', () => {
    const [silent, asked] = entriesOf(
      read({
        entries: [
          { keys: ['a'], secondary_keys: ['b'], content: '@@depth 2\nx', insertion_order: 1 },
          { keys: ['a'], secondary_keys: ['b'], selective: true, content: 'x', insertion_order: 1 },
        ],
      }),
    )
    expect(silent).toMatchObject({ selective: false, secondaryKeys: ['b'], content: '@@depth 2\nx' })
    expect(asked).toMatchObject({ selective: true, selectiveLogic: 'and-any' })
  })

  it('reads Chub’s object of entries with both spellings', () => {
    const result = read({
      ...{ name: 'Chub book', is_creation: false, recursive_scanning: true, scan_depth: 2, token_budget: 300 },
      entries: {
        1: {
          ...{
            uid: 1,
            key: ['a'],
            keys: ['a'],
            keysecondary: ['s'],
            secondary_keys: ['s'],
            content: 'x',
            enabled: false,
          },
          ...{
            selective: true,
            selectiveLogic: 3,
            insertion_order: 4,
            probability: 40,
            extensions: { weight: 9, depth: 1 },
          },
        },
      },
    })
    expect(result.report.format).toBe('character_book')
    expect(entriesOf(result)[0]).toMatchObject({
      id: '1',
      keys: ['a'],
      secondaryKeys: ['s'],
      enabled: false,
      order: 4,
      depth: 1,
    })
    expect(entriesOf(result)[0]).toMatchObject({
      selectiveLogic: 'and-all',
      probability: 40,
      extra: { extensions: { weight: 9 } },
    })
    expect(result.books[0]).toMatchObject({
      settings: { recursive: true, tokenBudget: 300 },
      extra: { is_creation: false },
    })
  })
})

describe('cards', () => {
  const fields = {
    ...{ name: 'Wen', description: 'D', personality: 'P', scenario: 'S', first_mes: 'Hello', mes_example: '<START>' },
    ...{ system_prompt: 'SP', post_history_instructions: 'PHI' },
  }
  const book = { entries: [{ keys: ['a'], content: 'x', insertion_order: 1 }] }

  it.each([
    ['character_card_v1', fields],
    ['character_card_v2', { spec: 'chara_card_v2', spec_version: '2.0', data: fields }],
    ['character_card_v3', { spec: 'chara_card_v3', spec_version: '3.0', name: 'old copy', data: fields }],
  ])('reads the texts of %s, also without a book', (format, source) => {
    const result = read(source)
    expect(result.report).toMatchObject({
      format,
      card: { name: 'Wen', firstMessage: 'Hello', postHistoryInstructions: 'PHI' },
    })
    expect(result.books).toStrictEqual([])
    expect(result.report.warnings.map((warning) => warning.code)).toStrictEqual(['card_left_out', 'no_book'])
  })

  it('names a nameless book after the character and reads newer versions with a warning', () => {
    const result = read({ spec: 'chara_card_v9', spec_version: '9.1', data: { ...fields, character_book: book } })
    expect(result.books[0]).toMatchObject({ name: 'Wen', entries: [{ keys: ['a'], content: 'x' }] })
    expect(result.report.warnings.map((warning) => warning.code)).toContain('newer_version')
  })
})
