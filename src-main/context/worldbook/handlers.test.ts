import { afterAll, describe, expect, it } from 'vitest'
import { createRouter } from '../../ipc/router'
import type { Embedder } from '../../models/embedding/contract'
import { fixedClock } from '../../testing/fixed-clock'
import { idSequence } from '../../testing/id-sequence'
import { memoryDatabase } from '../../testing/memory-database'
import { type Book, type BookSummary, WORLDBOOK_SETTINGS_DEFAULTS } from './book-contract'
import { createBookFiles } from './book-files'
import { createCompiledBooks } from './compiled-books'
import { type ImportReport, type LintFinding, worldbookCalls } from './contract'
import { worldbookHandlers } from './handlers'
import { worldbookMigrations } from './migrations'
import { createScanner } from './scanner'
import { createFindSimilar, type FindSimilar } from './similarity'
import { countWords } from './testing/small-books'
import type { EvaluateResult } from './trace-contract'

const scanner = createScanner()
const files = createBookFiles()
afterAll(() => Promise.all([scanner.close(), files.close()]))

function room(findSimilar?: FindSimilar) {
  const events: [string, unknown][] = []
  const building: [string, boolean][] = []
  const clock = fixedClock()
  const router = createRouter((_name, error) => {
    throw error
  })
  const handlers = worldbookHandlers({
    database: memoryDatabase(worldbookMigrations),
    compiled: createCompiledBooks(scanner, (id, busy) => building.push([id, busy])),
    scanner,
    files,
    ids: idSequence('book'),
    nowIso: () => new Date(clock.now()).toISOString(),
    emit: (name, payload) => events.push([name, payload]),
    settings: () => WORLDBOOK_SETTINGS_DEFAULTS,
    countTokens: countWords,
    defaultWindow: () => 400,
    countSessions: () => 2,
    unbind: () => {},
    ...(findSimilar ? { findSimilar } : {}),
  })
  router.register(worldbookCalls, handlers)
  const ask = async <T>(name: string, input: unknown): Promise<T> => {
    const reply = await router.dispatch(name, input)
    if (!reply.ok) throw new Error(`${reply.error.code} ${JSON.stringify(reply.error.details)} ${reply.error.message}`)
    return reply.value as T
  }
  return { ask, events, building }
}

const save = {
  book: {
    name: 'Harbour',
    entries: [
      { comment: 'pier', keys: ['pier'], content: 'The pier is old.' },
      { comment: 'crane', keys: ['crane'], content: 'A tall crane.' },
    ],
  },
}

describe('books over the border', () => {
  it('keep unknown fields whatever they are called', async () => {
    const { ask } = room()
    const extra = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":null}') as Record<string, unknown>
    const saved = await ask<Book>('worldbook.save', {
      book: { name: 'Odd', extra, entries: [{ keys: ['x'], extra, origin: { format: 'f', fields: extra } }] },
    })
    expect(JSON.stringify(saved.extra)).toBe(JSON.stringify(extra))
    expect(JSON.stringify(saved.entries[0]?.extra)).toBe(JSON.stringify(extra))
    expect(JSON.stringify(saved.entries[0]?.origin?.fields)).toBe(JSON.stringify(extra))
    await expect(ask('worldbook.save', { book: { name: 'List', extra: [] } })).rejects.toThrow('bad_input')
  })

  it('are saved with what was left out filled in, listed, changed and removed', async () => {
    const { ask, events } = room()
    const saved = await ask<Book>('worldbook.save', save)
    expect(saved).toMatchObject({
      id: 'book-1',
      version: 1,
      entries: [{ id: '0', order: 100, position: 'before' }, { id: '1' }],
    })
    expect(await ask<BookSummary[]>('worldbook.list', {})).toMatchObject([
      {
        name: 'Harbour',
        entries: 2,
        enabledEntries: 2,
        tokens: { active: 7, total: 7 },
        boundSessions: 2,
        warnings: 0,
      },
    ])
    const change = {
      worldbookId: 'book-1',
      entries: [{ id: '0', enabled: false, position: 4 }, { comment: 'new' }],
      order: ['1'],
    }
    const changed = await ask<{ version: number; saved: { id: string }[] }>('worldbook.save-entries', change)
    expect(changed).toMatchObject({
      version: 2,
      saved: [{ id: '0', enabled: false, position: 'at-depth', keys: ['pier'] }, { id: '2' }],
    })
    const now = await ask<Book>('worldbook.get', { worldbookId: 'book-1' })
    expect(now.entries.map(({ id }) => id)).toEqual(['1', '0', '2'])
    expect(await ask('worldbook.undo', { worldbookId: 'book-1' })).toMatchObject({
      version: 3,
      entries: [{ id: '0', enabled: true }, { id: '1' }],
    })
    expect(await ask('worldbook.remove', { worldbookId: 'book-1' })).toEqual({ removed: ['book-1'] })
    await expect(ask('worldbook.get', { worldbookId: 'book-1' })).rejects.toThrow('not_found')
    expect(
      events.every(
        ([name, payload]) => name === 'worldbook.changed' && JSON.stringify(payload) === '{"ids":["book-1"]}',
      ),
    ).toBe(true)
    expect(events).toHaveLength(4)
  })

  it('refuse what they do not know, with its path', async () => {
    const { ask } = room()
    await expect(ask('worldbook.save', { book: { name: 'x', entries: [{ key: ['x'] }] } })).rejects.toThrow(
      'book.entries[0].key',
    )
    await expect(ask('worldbook.save', { book: { name: '  ' } })).rejects.toThrow('bad_input')
    await expect(ask('worldbook.evaluate', { books: ['nope'], messages: [] })).rejects.toThrow('not_found')
    await expect(ask('worldbook.save-entries', { worldbookId: 'nope' })).rejects.toThrow('not_found')
    await expect(ask('worldbook.undo', { worldbookId: 'nope' })).rejects.toThrow('not_found')
  })

  it('give duplicate entry ids a new one', async () => {
    const { ask } = room()
    const book = {
      name: 'x',
      entries: [
        { id: '1', comment: 'a' },
        { id: '1', comment: 'b' },
      ],
    }
    expect((await ask<Book>('worldbook.save', { book })).entries.map(({ id, comment }) => [id, comment])).toEqual([
      ['1', 'a'],
      ['0', 'b'],
    ])
  })
})

describe('import and export', () => {
  const file = {
    fileName: 'Harbour.json',
    dataBase64: Buffer.from(
      JSON.stringify({ entries: { 0: { uid: 0, key: ['pier'], content: 'Old.', odd: 1 } } }),
    ).toString('base64'),
  }

  it('a dry run stores nothing; a second import is a copy or an update', async () => {
    const { ask } = room()
    expect(await ask<ImportReport>('worldbook.import', { ...file, dryRun: true })).toMatchObject({
      worldbookIds: [],
      entries: { imported: 1 },
      dryRun: true,
    })
    expect(await ask('worldbook.list', {})).toEqual([])
    const first = await ask<ImportReport>('worldbook.import', file)
    const copy = await ask<ImportReport>('worldbook.import', file)
    expect(copy.collisions).toEqual([{ name: 'Harbour', worldbookId: first.worldbookIds[0] }])
    const update = await ask<ImportReport>('worldbook.import', { ...file, onCollision: 'update' })
    expect(update.worldbookIds).toEqual(first.worldbookIds)
    expect((await ask<BookSummary[]>('worldbook.list', {})).map(({ name }) => name)).toEqual(['Harbour', 'Harbour (2)'])
  })

  it('what cannot be read stores nothing', async () => {
    const { ask } = room()
    await expect(ask('worldbook.import', { fileName: 'x.json', dataBase64: 'AAAA' })).rejects.toThrow('import.')
    expect(await ask('worldbook.list', {})).toEqual([])
  })

  it('export gives the unknown fields back', async () => {
    const { ask } = room()
    const { worldbookIds } = await ask<ImportReport>('worldbook.import', file)
    const out = await ask<{ dataBase64: string }>('worldbook.export', {
      worldbookId: worldbookIds[0],
      format: 'sillytavern',
    })
    expect(JSON.parse(Buffer.from(out.dataBase64, 'base64').toString())).toMatchObject({
      entries: { 0: { key: ['pier'], odd: 1 } },
    })
  })
})

describe('evaluation and lint through the threads', () => {
  it('gives the same as a seed, and builds a version once', async () => {
    const { ask, building } = room()
    await ask('worldbook.save', {
      book: { name: 'x', entries: [{ keys: ['/p[ie]+r/'], content: 'a', probability: 50 }] },
    })
    const input = { books: ['book-1'], messages: [{ role: 'user', text: 'the pier' }], seed: 7 }
    const [first, second] = [
      await ask<EvaluateResult>('worldbook.evaluate', input),
      await ask<EvaluateResult>('worldbook.evaluate', input),
    ]
    expect({ ...first, elapsedMs: 0 }).toEqual({ ...second, elapsedMs: 0 })
    expect(first.seed).toBe('7')
    expect(building).toEqual([
      ['book-1', true],
      ['book-1', false],
    ])
    const rolled = await ask<EvaluateResult>('worldbook.evaluate', {
      ...input,
      roll: 0,
      countTokens: 'words',
      window: 100,
    })
    expect(rolled.fired).toMatchObject([{ why: { kind: 'key', matched: 'pier' }, tokens: 1 }])
    expect(rolled.budget).toEqual({ limit: 25, used: 1 })
  })

  it('a hopeless pattern does not hold this thread', async () => {
    const { ask } = room()
    await ask('worldbook.save', { book: { name: 'x', entries: [{ comment: 'evil', keys: ['/(a+)+$/'] }] } })
    let beats = 0
    const heart = setInterval(() => {
      beats += 1
    }, 2)
    const messages = [{ role: 'user', text: `${'a'.repeat(34)}!` }]
    const result = await ask<EvaluateResult>('worldbook.evaluate', { books: ['book-1'], messages })
    clearInterval(heart)
    expect(result.notFired).toMatchObject([{ comment: 'evil', reason: 'out_of_time' }])
    expect(beats).toBeGreaterThan(3)
  })

  it('lint names what is wrong', async () => {
    const { ask } = room()
    const entries = [
      { comment: 'no keys', content: 'x' },
      { comment: 'zero', keys: ['zebra'], probability: 0, content: 'x' },
      { comment: 'everything', keys: ['the'], content: 'x' },
      { comment: 'huge', keys: ['h1'], content: 'w '.repeat(200) },
      { comment: 'loop a', keys: ['amber'], content: 'see basalt' },
      { comment: 'loop b', keys: ['basalt'], content: 'see amber' },
      { comment: 'twin', keys: ['Amber'], content: 'x' },
      { comment: 'slow', keys: ['/(a+)+$/'], content: 'x' },
      { comment: 'broken', keys: ['/un(closed/'], content: 'x' },
      { comment: 'empty', keys: ['quiet'], content: ' ' },
      { comment: 'unnamed', keys: ['unnamed'], position: 'outlet', content: 'x' },
      { comment: 'off', enabled: false },
      { comment: 'fine', keys: ['lantern'], content: 'x' },
    ]
    const saved = await ask<Book>('worldbook.save', { book: { name: 'x', entries } })
    const findings = await ask<LintFinding[]>('worldbook.lint', { worldbookId: 'book-1' })
    const names = (ids: string[]) => ids.map((id) => saved.entries.find((entry) => entry.id === id)?.comment)
    expect(findings.map(({ code, entryIds }) => [code, ...names(entryIds)]).sort()).toEqual(
      [
        ['never_fires', 'no keys'],
        ['never_fires', 'zero'],
        ['matches_everything', 'everything'],
        ['never_fits_budget', 'huge'],
        ['recursion_loop', 'loop a', 'loop b'],
        ['duplicate_key', 'loop a', 'twin'],
        ['slow_pattern', 'slow'],
        ['broken_pattern', 'broken'],
        ['empty_content', 'empty'],
        ['unnamed_outlet', 'unnamed'],
      ].sort(),
    )
  })
})

it('an entry that does not fit is refused by its place, and nothing is stored', async () => {
  const { ask } = room()
  const { id } = await ask<Book>('worldbook.save', save)
  const entries = [
    { id: '0', content: 'new' },
    { id: '1', depth: 'deep' },
  ]
  await expect(ask('worldbook.save-entries', { worldbookId: id, entries })).rejects.toThrow(
    /bad_input.*entries\.1\.depth/,
  )
  await expect(ask('worldbook.save-entries', { worldbookId: id, entries: [7] })).rejects.toThrow(/bad_input/)
  await ask('worldbook.save-entries', { worldbookId: id, entries: [{ id: '0', position: 4 }] })
  expect(await ask<Book>('worldbook.get', { worldbookId: id })).toMatchObject({
    version: 2,
    entries: [{ content: 'The pier is old.', position: 'at-depth' }, {}],
  })
})

it('what is said of a book is changed without its entries, as a version like any other', async () => {
  const { ask } = room()
  const { id } = await ask<Book>('worldbook.save', save)
  const head = { name: ' Quay ', settings: { scanDepth: 7 } }
  expect(await ask('worldbook.save-entries', { worldbookId: id, head })).toMatchObject({ version: 2, saved: [] })
  const book = await ask<Book>('worldbook.get', { worldbookId: id })
  expect(book).toMatchObject({ name: 'Quay', settings: { scanDepth: 7, recursive: null } })
  expect(book.entries.length).toBe(save.book.entries.length)
  expect(await ask('worldbook.save-entries', { worldbookId: id, head })).toMatchObject({ version: 2 })
  expect(await ask('worldbook.undo', { worldbookId: id })).toMatchObject({
    name: 'Harbour',
    settings: { scanDepth: null },
    version: 3,
  })
})

describe('entries found by meaning', () => {
  const book = {
    name: 'Harbour',
    entries: [
      { comment: 'near', content: 'near', vectorized: true },
      { comment: 'far', content: 'far', vectorized: true },
      { comment: 'plain', content: 'near' },
    ],
  }
  /** The angle to “question” in words. */
  const embedder: Embedder = {
    space: { provider: 'p', baseUrl: '', model: 'm', recipe: 'r' },
    label: 'test',
    scripts: [],
    ready: () => true,
    warm: () => {},
    embed: async (texts) =>
      texts.map((text) => ({
        channel: 'sentence',
        vector: Float32Array.from(text === 'far' ? [0.1, Math.sqrt(0.99)] : text === 'near' ? [0.6, 0.8] : [1, 0]),
      })),
    close: async () => {},
  }
  const look = async (similar: FindSimilar | undefined, more: object = {}) => {
    const { ask } = room(similar)
    const { id } = await ask<Book>('worldbook.save', { book })
    const input = { books: [id], messages: [{ role: 'user', text: 'question' }], ...more }
    return ask<EvaluateResult>('worldbook.evaluate', input)
  }

  it('fire as in a turn where there is an embedder; the others say how near they were', async () => {
    const { fired, notFired } = await look(createFindSimilar(() => embedder))
    expect(fired).toMatchObject([{ comment: 'near', why: { kind: 'similarity', text: 'similarity 0.60' } }])
    const far = notFired.find(({ comment }) => comment === 'far')
    expect(far).toMatchObject({ reason: 'no_keys', facts: { score: expect.closeTo(0.1) } })
    expect(far?.detail).toContain('similarity 0.10 is under 0.25')
    expect(notFired.find(({ comment }) => comment === 'plain')?.facts).toBeUndefined()
  })

  it('never fire without one, and one that fails is a warning', async () => {
    expect((await look(createFindSimilar(() => undefined))).fired).toEqual([])
    const failing = { ...embedder, embed: () => Promise.reject(new Error('no route')) }
    const { fired, warnings } = await look(createFindSimilar(() => failing))
    expect(fired).toEqual([])
    expect(warnings).toMatchObject([{ code: 'similarity_failed', message: expect.stringContaining('no route') }])
  })
})
