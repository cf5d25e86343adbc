import { afterAll, describe, expect, it } from 'vitest'
import type { Embedder } from '../../models/embedding/contract'
import { memoryDatabase } from '../../testing/memory-database'
import { message, sessionSettings, turnInput } from '../../testing/turn-builders'
import type { TurnInput } from '../block-source'
import type { Book } from './book-contract'
import { createCompiledBooks } from './compiled-books'
import { worldbookMigrations } from './migrations'
import { hideBook } from './repository'
import { createScanner, type Scanner } from './scanner'
import { createFindSimilar } from './similarity'
import { insertBook } from './testing/insert-book'
import { book, entry } from './testing/small-books'
import type { Trace } from './trace-contract'
import { createWorldbookSource, recordOf } from './worldbook-block'

const scanner = createScanner()
afterAll(() => scanner.close())

function room(books: Book[], embedder?: Embedder, slow: { build?: Scanner['build']; waitMs?: number } = {}) {
  const database = memoryDatabase(worldbookMigrations)
  for (const one of books) insertBook(database, one, { id: one.id, nowIso: one.createdAt })
  const findSimilar = createFindSimilar(() => embedder)
  const source = createWorldbookSource({
    database,
    timersOf: () => database,
    scanner,
    compiled: createCompiledBooks({ build: slow.build ?? scanner.build }),
    findSimilar,
    ...(slow.waitMs === undefined ? {} : { waitMs: slow.waitMs }),
  })
  const collect = (more: Partial<TurnInput> = {}) =>
    source.collect(
      turnInput({ session: sessionSettings({ worldbookIds: books.map(({ id }) => id) }), ...more }),
      new AbortController().signal,
    )
  return { database, collect }
}

const says = (...texts: string[]) =>
  texts.map((text, index) =>
    message(index % 2 === 0 ? `u${index}` : `a${index}`, index % 2 === 0 ? 'user' : 'assistant', text),
  )
const sent = (replyMessageId: string) => ({ turnId: 't', userMessageId: 'u', replyMessageId })

describe('the worldbook block', () => {
  it('says why it is absent', async () => {
    expect((await room([]).collect()).absent?.reason).toBe('none_bound')
    const { database, collect } = room([book([entry('e', { keys: ['x'] })])])
    expect((await collect()).absent?.reason).toBe('no_entry_fired')
    hideBook(database, 'b1')
    expect((await collect()).absent).toMatchObject({ reason: 'none_bound', detail: expect.stringContaining('removed') })
  })

  it('leaves a turn that would wait too long for an index, and the next one has it', async () => {
    const gate = Promise.withResolvers<void>()
    const build: Scanner['build'] = async (terms) => {
      await gate.promise
      return scanner.build(terms)
    }
    const { collect } = room([book([entry('e', { keys: ['hello'] })])], undefined, { build, waitMs: 5 })
    expect((await collect({ branch: says('hello') })).absent).toMatchObject({
      reason: 'timed_out',
      detail: expect.stringContaining('still being built'),
    })
    gate.resolve()
    await expect.poll(async () => (await collect({ branch: says('hello') })).items.length).toBe(1)
  })

  it('takes for lasting only what fires in every turn', async () => {
    const always = { constant: true, content: 'Fog.' }
    const entries = [
      entry('sure', always),
      entry('drawn', { ...always, probability: 99.9 }),
      entry('cooling', { ...always, cooldown: 2 }),
      entry('asked', { keys: ['hello'], content: 'Fog.' }),
      entry('sometimes', { ...always, triggers: ['normal'] }),
      entry('counted', { ...always, content: '@@activate_only_after 0\nFog.' }),
    ]
    const { items } = await room([book(entries)]).collect({ branch: says('hello'), seed: 7 })
    expect(items.map(({ id, cacheHint }) => [id.split('/')[1], cacheHint])).toEqual([
      ['sure', 'stable'],
      ['drawn', 'dynamic'],
      ['cooling', 'dynamic'],
      ['asked', 'dynamic'],
      ['sometimes', 'dynamic'],
      ['counted', 'dynamic'],
    ])
  })

  it('goes on without entries found by meaning when the embedder takes too long', async () => {
    const silent: Embedder = {
      space: { provider: 'p', baseUrl: '', model: 'm', recipe: 'r' },
      label: 'Silent',
      scripts: [],
      embed: () => new Promise(() => {}),
      ready: () => true,
      warm: () => {},
      close: async () => {},
    }
    const { collect } = room([book([entry('v', { vectorized: true }), entry('c', { constant: true })])], silent, {
      waitMs: 300,
    })
    const block = await collect({ branch: says('hello') })
    expect(block.items.map(({ id }) => id)).toEqual(['b1/c'])
    expect((block.record as Trace).warnings).toMatchObject([{ code: 'similarity_late' }])
  })

  it('puts every fired entry in its place, in book order', async () => {
    const entries = [
      entry('late', { constant: true, order: 200 }),
      entry('early', { keys: ['hello'], order: 10 }),
      entry('deep', { constant: true, position: 'at-depth', depth: -1, role: 'user' }),
      entry('out', { constant: true, position: 'outlet', outletName: 'box' }),
      entry('silent', { constant: true, content: '' }),
      entry('not', { keys: ['hello'], secondaryKeys: ['x'] }),
    ]
    const block = await room([book(entries)]).collect()
    expect(block.items.map(({ id, order, placement }) => ({ id, order, placement }))).toEqual([
      { id: 'b1/late', order: 200, placement: { at: 'worldbook_before' } },
      { id: 'b1/early', order: 10, placement: { at: 'worldbook_before' } },
      { id: 'b1/deep', order: 100, placement: { at: 'depth', depth: 0, role: 'user' } },
      { id: 'b1/out', order: 100, placement: { at: 'outlet', name: 'box' } },
    ])
    expect(block.items.map(({ why }) => why.code)).toEqual(['constant', 'key', 'constant', 'constant'])
    expect(block.rejected).toMatchObject([{ sourceId: 'b1/not', reason: 'secondary_failed' }])
    expect(block.ownText).toBe(false)
    expect(block.absent).toBeUndefined()
  })

  it('writes timers only when the turn is sent, and reads those of the visible branch', async () => {
    const { database, collect } = room([book([entry('e', { keys: ['bell'], sticky: 4 })])])
    const rows = () => database.prepare('SELECT message_id FROM worldbook_timers').all()
    const first = await collect({ branch: says('bell') })
    expect(rows()).toEqual([])
    first.commit?.(sent('a1'))
    expect(rows()).toEqual([{ message_id: 'a1' }])
    const later = says('bell', 'x', 'quiet', 'x', 'quiet').slice(0, 3)
    const next = await collect({
      branch: says('bell', 'x', 'y').with(2, message('u2', 'user', 'y')),
      settings: { ...turnInput().settings, worldbook: { ...turnInput().settings.worldbook, scanDepth: 1 } },
    })
    expect(next.items.map(({ why }) => why.code)).toEqual(['sticky'])
    const swiped = await collect({
      branch: later.with(1, message('a1-other', 'assistant', 'x')),
      settings: { ...turnInput().settings, worldbook: { ...turnInput().settings.worldbook, scanDepth: 1 } },
    })
    expect(swiped.items).toEqual([])
  })

  it('gives the same for the same turn, and counts exactly where the budget is near', async () => {
    const exact = new Set<string>()
    const counter: TurnInput['counter'] = {
      count: (text) => (exact.has(text) ? 4 : 1),
      prime: async (texts) => {
        for (const text of texts) exact.add(text)
        return true
      },
      quality: 'estimated',
    }
    const entries = ['a', 'b', 'c'].map((id) => entry(id, { constant: true }))
    const { collect } = room([book(entries)])
    const block = await collect({ counter, contextWindow: 20 })
    expect(block.items.map(({ id }) => id)).toEqual(['b1/a'])
    expect(block.rejected.map(({ reason }) => reason)).toEqual(['over_budget', 'over_budget'])
    const trace = (one: typeof block) => ({ ...(one.record as Trace), elapsedMs: 0 })
    expect(trace(await collect({ counter, contextWindow: 20 }))).toEqual(trace(block))
  })

  it('asks the embedder for vectorised entries; without it the keys still work', async () => {
    const vectors: Record<string, number[]> = { 'about the sea': [1, 0], 'salt water': [0.9, 0.436], stone: [0, 1] }
    const embed: Embedder['embed'] = async (texts) =>
      texts.map((text) => ({ channel: 'sentence', vector: Float32Array.from(vectors[text] ?? [0, 0]) }))
    const embedder: Embedder = {
      space: { provider: 'p', baseUrl: '', model: 'm', recipe: '1' },
      label: 'test',
      scripts: [],
      embed,
      ready: () => true,
      warm: () => {},
      close: async () => {},
    }
    const entries = [
      entry('sea', { vectorized: true, content: 'salt water' }),
      entry('rock', { vectorized: true, content: 'stone' }),
      entry('key', { keys: ['sea'] }),
    ]
    const branch = says('about the sea')
    const block = await room([book(entries)], embedder).collect({ branch })
    expect(block.items.map(({ id, why }) => [id, why.code])).toEqual([
      ['b1/sea', 'similarity'],
      ['b1/key', 'key'],
    ])
    const failing = {
      ...embedder,
      embed: async () => {
        throw new Error('no connection')
      },
    }
    const without = await room([book(entries)], failing).collect({ branch })
    expect(without.items.map(({ id }) => id)).toEqual(['b1/key'])
    expect((without.record as Trace).warnings).toMatchObject([{ code: 'similarity_failed' }])
  })

  it('keeps the record of a large book small', async () => {
    const entries = Array.from({ length: 3000 }, (_none, index) =>
      entry(`e${index}`, { keys: index === 0 ? ['hello'] : ['other'], secondaryKeys: index === 0 ? ['x'] : [] }),
    )
    const trace = (await room([book(entries)]).collect()).record as Trace
    expect(trace.notFired.map(({ entryId }) => entryId)).toEqual(['e0'])
    expect(trace.omitted).toEqual({ no_key_matched: 2999 })
    expect(recordOf({ ...trace, notFired: [] }).omitted).toEqual(trace.omitted)
  })
})
