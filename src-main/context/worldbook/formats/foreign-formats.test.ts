import { expect, it } from 'vitest'
import type { ReadResult } from '../contract'
import { json } from './card-fixture'
import { readWorldbookFile } from './read-worldbook-file'

const read = (value: unknown, name = 'book.json'): ReadResult => readWorldbookFile(name, json(value))
const entriesOf = (result: ReadResult) => result.books[0]?.entries ?? []

it('reads a NovelAI lorebook: always-on, `&` keys, everything else kept', () => {
  const contextConfig = { prefix: '', suffix: '\n', budgetPriority: 400, insertionPosition: -1 }
  const entry = (keys: string[], more: object = {}) => ({
    ...{
      text: 't',
      displayName: 'D',
      keys,
      enabled: true,
      forceActivation: false,
      searchRange: 1000,
      contextConfig,
      category: 'c',
    },
    ...more,
  })
  const result = read({
    lorebookVersion: 4,
    settings: { orderByKeyLocations: false },
    categories: [{ id: 'c' }],
    entries: [
      entry(['king', '/Crown/'], { forceActivation: true, id: 'u-1' }),
      entry(['king & queen & 港务长']),
      entry(['a', 'king&crown'], { enabled: false }),
    ],
  })
  expect(result.report.format).toBe('novelai')
  const [always, all, mixed] = entriesOf(result)
  expect(always).toMatchObject({
    id: 'u-1',
    constant: true,
    order: 400,
    keys: ['king', '/Crown/'],
    comment: 'D',
    wholeWords: true,
  })
  expect(always?.extra).toStrictEqual({ searchRange: 1000, contextConfig, category: 'c' })
  expect(all).toMatchObject({
    keys: ['king'],
    secondaryKeys: ['queen', '港务长'],
    selectiveLogic: 'and-all',
    selective: true,
  })
  expect(all?.origin?.fields).toStrictEqual({ keys: ['king & queen & 港务长'] })
  expect(mixed).toMatchObject({ enabled: false, keys: ['a', expect.stringMatching(/^\/\^.*\/iu$/)] })
  const pattern = new RegExp((mixed?.keys[1] ?? '').slice(1, -3), 'iu')
  expect([pattern.test('The Crown of the king'), pattern.test('kings and crown'), pattern.test('king')]).toStrictEqual([
    true,
    false,
    false,
  ])
  expect(result.books[0]?.extra).toMatchObject({ lorebookVersion: 4, categories: [{ id: 'c' }] })
  expect(result.report.keptNotExecuted).toContain('contextConfig')
})

it('reads an Agnai memory book: wildcards stay wildcards, weight is the order', () => {
  const result = read({
    ...{ kind: 'memory', name: 'M', description: 'd' },
    entries: [
      {
        name: 'dragons',
        entry: 'text',
        keywords: ['dr*gon', 'wyrm', '龙*'],
        priority: 10,
        weight: 3,
        enabled: true,
        constant: true,
      },
      { name: 'off', entry: 'text', keywords: ['x'], priority: 1, weight: 1, enabled: false },
    ],
  })
  const [dragons, off] = entriesOf(result)
  expect(dragons).toMatchObject({
    comment: 'dragons',
    keys: ['/\\bdr\\w*gon\\b/i', 'wyrm', '/龙[\\p{L}\\p{N}\\p{M}_]*/iu'],
    order: 3,
  })
  expect(dragons).toMatchObject({
    constant: false,
    extra: { priority: 10 },
    origin: { fields: { keywords: ['dr*gon', 'wyrm', '龙*'] } },
  })
  expect(off?.enabled).toBe(false)
  expect(result.books[0]).toMatchObject({ name: 'M', description: 'd', settings: { recursive: false } })
})

it('reads a RisuAI lorebook: no folders, 0 % stays 0 %, disabled stays disabled', () => {
  const base = { insertorder: 50, content: 'x', mode: 'normal', alwaysActive: false, selective: false, secondkey: '' }
  const result = read({
    ...{ type: 'risu', ver: 1 },
    data: [
      { ...base, key: '\uf000folder:f1', comment: 'Folder', mode: 'folder', content: '' },
      { ...base, key: 'pier, 码头', comment: 'A', activationPercent: 0, folder: 'f1' },
      { ...base, key: '/a,b/i', comment: 'B', useRegex: true, mode: 'constant', selective: true, secondkey: 'c, d' },
      { ...base, key: 'z', comment: 'C', enabled: false },
    ],
  })
  expect(result.report).toMatchObject({ format: 'risuai', entries: { imported: 3, skipped: [] } })
  const [first, second, third] = entriesOf(result)
  expect(first).toMatchObject({
    keys: ['pier', '码头'],
    probability: 0,
    useProbability: true,
    extra: { folder: 'f1' },
    order: 50,
  })
  expect(second).toMatchObject({ keys: ['/a,b/i'], constant: true, selective: true, secondaryKeys: ['c, d'] })
  expect(third?.enabled).toBe(false)
  expect(result.books[0]?.origin?.fields).toMatchObject({ folders: [{ comment: 'Folder' }] })
})

it('reads a TavernHelper worldbook: words for numbers', () => {
  const result = read({
    version: 1,
    entries: {
      潮汐: {
        ...{ name: '潮汐', content: 'x', content_hash: 'h', enabled: false, probability: 60 },
        strategy: {
          type: 'selective',
          keys: ['潮', '/tide/i'],
          keys_secondary: { logic: 'not_any', keys: ['n'] },
          scan_depth: 'same_as_global',
        },
        position: { type: 'at_depth', role: 'assistant', depth: 2, order: 7 },
        recursion: { prevent_incoming: true, prevent_outgoing: false, delay_until: null },
        effect: { sticky: 2, cooldown: null, delay: null },
      },
      B: { name: 'B', content: 'y', strategy: { type: 'constant' }, position: { type: 'after_author_note' } },
    },
  })
  expect(result.report.format).toBe('tavern-helper')
  const [first, second] = entriesOf(result)
  expect(first).toMatchObject({
    comment: '潮汐',
    enabled: false,
    keys: ['潮', '/tide/i'],
    secondaryKeys: ['n'],
    selectiveLogic: 'not-any',
  })
  expect(first).toMatchObject({
    position: 'at-depth',
    role: 'assistant',
    depth: 2,
    order: 7,
    scanDepth: null,
    probability: 60,
  })
  expect(first).toMatchObject({ excludeRecursion: true, preventRecursion: false, sticky: 2, cooldown: null })
  expect(second).toMatchObject({ constant: true, position: 'an-bottom', enabled: true })
})

it('reads a TavernHelper entry by its key when it has no name, and the role in an older position word', () => {
  const file = {
    entries: {
      Harbour: { content: 'a', strategy: { type: 'constant' }, position: { type: 'at_depth_as_assistant', depth: 0 } },
      Other: {
        name: 'Own',
        content: 'b',
        strategy: { type: 'constant' },
        position: { type: 'at_depth_as_user', role: 'system' },
      },
    },
  }
  expect(entriesOf(read(file))).toMatchObject([
    { comment: 'Harbour', position: 'at-depth', depth: 0, role: 'assistant' },
    { comment: 'Own', position: 'at-depth', role: 'system' },
  ])
})

it('reads plain lists and home-made books', () => {
  const list = read([{ key: ['a'], content: 'x', uid: 3 }])
  expect(list.report.format).toBe('sillytavern')
  expect(entriesOf(list)[0]).toMatchObject({ id: '3', keys: ['a'] })
  const made = read({ entries: [{ name: 'Quay', keywords: 'quay, 码头', content: 'x', priority: 30, colour: 'red' }] })
  expect(made.report.format).toBe('plain')
  expect(entriesOf(made)[0]).toMatchObject({
    comment: 'Quay',
    keys: ['quay', '码头'],
    order: 30,
    enabled: true,
    extra: { colour: 'red' },
  })
})
