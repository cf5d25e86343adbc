import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scoreOf } from '../retrieval-contract'
import { RetrievalEngine } from './engine'
import type { IndexedMemory, RetrievalQuery } from './model'

const NOW = Date.UTC(2026, 10, 30)

function memory(id: string, text: string, more: Partial<IndexedMemory> = {}): IndexedMemory {
  return {
    id,
    revision: 1,
    text,
    neighbours: [],
    entities: [],
    rawTurn: false,
    importance: 0.5,
    confidence: 0.8,
    updatedAt: NOW - 86_400_000,
    superseded: false,
    archived: false,
    ...more,
  }
}

function ask(draft: string, more: Partial<RetrievalQuery> = {}): RetrievalQuery {
  return { draft, mode: 'hybrid', topK: 3, now: NOW, ...more }
}

function engineOf(...memories: IndexedMemory[]): RetrievalEngine {
  const engine = new RetrievalEngine()
  for (const entry of memories) engine.upsert(entry)
  return engine
}

const injectedBy = (engine: RetrievalEngine, query: RetrievalQuery) =>
  engine.search(query).candidates.flatMap((entry) => (entry.verdict === 'injected' ? [entry.memoryId] : []))
const verdictsBy = (engine: RetrievalEngine, query: RetrievalQuery) =>
  Object.fromEntries(engine.search(query).candidates.map((entry) => [entry.memoryId, entry.verdict]))

/** A unit vector in the direction of one axis, leaning a little towards the next. */
function axis(at: number, lean = 0): Float32Array {
  const vector = new Float32Array(16)
  vector[at] = Math.sqrt(1 - lean * lean)
  vector[(at + 1) % 16] = lean
  return vector
}

describe('words', () => {
  test('the memory with the rarer common word comes first', () => {
    const engine = engineOf(
      memory('a', 'The user likes coffee in the morning'),
      memory('b', 'The user likes tea'),
      memory('c', 'The user walks in the morning'),
    )
    expect(injectedBy(engine, ask('which tea do I drink in the morning'))[0]).toBe('b')
  })

  test('fewer relevant memories than K stay fewer', () => {
    const engine = engineOf(memory('a', 'The cat is called Miso'), memory('b', 'Rent is due on Friday'))
    expect(injectedBy(engine, ask('what is my cat called', { topK: 5 }))).toEqual(['a'])
  })

  test('a changed text is found by its new words only, a removed one by none', () => {
    const engine = engineOf(memory('a', 'lives in Lisbon'))
    engine.upsert(memory('a', 'lives in Oslo', { revision: 2 }))
    expect(injectedBy(engine, ask('my time in Lisbon'))).toEqual([])
    expect(injectedBy(engine, ask('my time in Oslo'))).toEqual(['a'])
    engine.remove('a')
    expect(engine.search(ask('my time in Oslo')).candidates).toEqual([])
  })

  test('a neighbouring turn helps, and less than the words themselves', () => {
    const engine = engineOf(
      memory('own', 'We visited Kyoto'),
      memory('beside', 'It rained all day', { neighbours: ['We visited Kyoto'] }),
      memory('none', 'Bread was expensive'),
    )
    const { candidates } = engine.search(ask('my trip to Kyoto'))
    expect(candidates.map((entry) => entry.memoryId)).toEqual(['own', 'beside'])
  })

  test('a short draft leans on the turn before it', () => {
    const engine = engineOf(memory('a', 'Anna plays the cello'), memory('b', 'Ben plays chess on Sundays'))
    expect(injectedBy(engine, ask('which instrument?'))).toEqual([])
    expect(injectedBy(engine, ask('which instrument?', { previous: 'Let us talk about Anna and her cello' }))).toEqual([
      'a',
    ])
  })
})

describe('sense', () => {
  const store = Array.from({ length: 12 }, (_, at) =>
    memory(`m${at}`, `note ${at}`, { reading: { channel: 'sentence', vectors: [axis(at)] } }),
  )

  test('without a common word a memory needs a clear margin over the rest', () => {
    const engine = engineOf(...store)
    const clear = { channel: 'sentence' as const, vectors: [axis(4, 0.2)] }
    expect(injectedBy(engine, ask('what do I own', { reading: clear }))).toEqual(['m4'])
    const vague = { channel: 'sentence' as const, vectors: [new Float32Array(16).fill(0.25)] }
    expect(injectedBy(engine, ask('what do I own', { reading: vague }))).toEqual([])
  })

  test('what a question about oneself is about need not stand out; a draft about anything must', () => {
    const own = { channel: 'sentence' as const, vectors: [axis(12)] }
    const engine = engineOf(...store, memory('cat', 'Keeps two Siamese cats', { reading: own }))
    // Four notes lie a little nearer than the cats: no memory has a margin over the rest.
    const vector = Float32Array.from({ length: 16 }, (_, at) => (at < 4 ? 0.467 : at === 12 ? 0.444 : 0))
    const reading = { channel: 'sentence' as const, vectors: [vector] }
    expect(injectedBy(engine, ask('which pets are mine', { reading }))).toEqual(['cat'])
    expect(injectedBy(engine, ask('which boats are mine', { reading }))).toEqual([])
    expect(injectedBy(engine, ask('write about pets', { reading }))).toEqual([])
  })

  test('a memory nobody could read is judged by its words alone', () => {
    const engine = engineOf(...store, memory('emoji', '🙂 zebra'))
    const reading = { channel: 'sentence' as const, vectors: [axis(4)] }
    const found = engine.search(ask('my zebra', { reading })).candidates.find((entry) => entry.memoryId === 'emoji')
    expect(found?.parts.dense.weight).toBe(0)
    expect(found?.parts.lexical.weight).toBe(1)
  })

  test('vectors of another channel or length are never compared', () => {
    const engine = engineOf(memory('a', 'one', { reading: { channel: 'hash', vectors: [axis(4)] } }))
    const { candidates } = engine.search(ask('my zebra', { reading: { channel: 'sentence', vectors: [axis(4)] } }))
    expect(candidates).toEqual([])
  })
})

describe('validity', () => {
  const old = memory('old', 'The user lives in Berlin', { superseded: true, validUntil: NOW - 1000 })
  const late = memory('late', 'The user will live in Rome', { validFrom: NOW + 1000 })
  const gone = memory('gone', 'The user lives in Madrid', { archived: true })
  const over = memory('over', 'The user lives in Paris', { validUntil: NOW - 1000 })
  const now = memory('now', 'The user lives in Vienna')

  test('each one that may not be used is listed with its reason', () => {
    const engine = engineOf(old, late, gone, over, now)
    expect(verdictsBy(engine, ask('where do I live'))).toEqual({
      now: 'injected',
      old: 'superseded',
      late: 'not_yet_valid',
      gone: 'archived',
      over: 'expired',
    })
  })

  test('a question about the past admits what no longer holds, labelled, but nothing archived', () => {
    const engine = engineOf(old, gone, now)
    const { candidates } = engine.search(ask('where did I used to live, Berlin?'))
    expect(candidates.find((entry) => entry.memoryId === 'old')).toMatchObject({ verdict: 'injected', past: true })
    expect(candidates.find((entry) => entry.memoryId === 'gone')?.verdict).toBe('archived')
  })
})

test('"hi" against 200 unrelated memories injects none', () => {
  const engine = engineOf(
    ...Array.from({ length: 200 }, (_, at) => memory(`m${at}`, `Fact ${at} about topic ${at * 7}`)),
  )
  expect(engine.search(ask('hi'))).toMatchObject({ emptyQuery: true, candidates: [] })
  expect(injectedBy(engine, ask('Write a haiku about autumn'))).toEqual([])
})

test('the same question a hundred times gives the same list, whatever the order of insertion', () => {
  const all = Array.from({ length: 40 }, (_, at) => memory(`m${at}`, `The user owns bicycle number ${at % 5}`))
  const lists = new Set<string>()
  const forward = engineOf(...all)
  for (let time = 0; time < 50; time += 1)
    lists.add(JSON.stringify(forward.search(ask('which bicycle do I own')).candidates.map((entry) => entry.memoryId)))
  const backward = engineOf(...all.toReversed())
  for (let time = 0; time < 50; time += 1)
    lists.add(JSON.stringify(backward.search(ask('which bicycle do I own')).candidates.map((entry) => entry.memoryId)))
  expect(lists.size).toBe(1)
})

test('equal scores go to the newer memory', () => {
  const engine = engineOf(
    memory('older', 'The user owns a kayak', { updatedAt: NOW - 20 * 86_400_000 }),
    memory('newer', 'The user owns a kayak', { updatedAt: NOW - 86_400_000 }),
  )
  expect(engine.search(ask('my kayak')).candidates[0]?.memoryId).toBe('newer')
})

test('stored parts recompute to the stored score, priors stay below 0.1, and ranks have no gaps', () => {
  const word = fc.constantFrom('cat', 'rent', 'Oslo', 'tea', '猫', '茶', '🙂', 'работа', 'swim', 'May 2nd', 'عمل')
  const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, unit, unit), { maxLength: 30 }), text, (entries, draft) => {
      const engine = engineOf(
        ...entries.map(([words, importance, confidence], at) => memory(`m${at}`, words, { importance, confidence })),
      )
      const { candidates } = engine.search(ask(draft))
      candidates.forEach((entry, at) => {
        expect(entry.rank).toBe(at + 1)
        expect(scoreOf(entry.parts)).toBeCloseTo(entry.score, 12)
        const { recency, importance, confidence } = entry.parts
        expect(
          recency.value * recency.weight + importance.value * importance.weight + confidence.value * confidence.weight,
        ).toBeLessThan(0.1)
      })
      expect(candidates.filter((entry) => entry.verdict === 'injected').length).toBeLessThanOrEqual(3)
    }),
    { numRuns: 200 },
  )
})

describe('mixed drafts', () => {
  const units = memory('units', 'Prefers metric units and 24-hour times.')
  const kestrel = memory('kestrel', 'The Kestrel draws 1.8 m.')
  const swims = memory('swims', '沈舟不会游泳，也从不承认。')
  const happy = memory('happy', '用户高兴时唱歌')
  const engine = engineOf(kestrel, units, swims, happy)

  test.each([
    ['如果改成大潮日，他们还来得及抛锚吗？What about the Kestrel?', ['kestrel']],
    ['Rewrite the whole scene with a spring tide and let the crew of the Kestrel drop anchor in time', ['kestrel']],
    ['rewrite the whole scene with a spring tide and let the crew of the kestrel drop anchor in time', ['kestrel']],
    ['把这一段改写成大潮日的夜晚，让船员们来得及抛锚，如果沈舟跳下去救人会怎样', ['swims']],
    ['Let the tide turn before the crew wakes up. Use metric units please.', ['units']],
    ['Write a poem about the tide, the moon, the harbour, the fog and nothing else', []],
    ['大家高兴地出海，请写一首关于秋天落叶和远山的诗', []],
  ])('%s', (draft, expected) => {
    expect(injectedBy(engine, ask(draft))).toEqual(expected)
  })

  test('a name shared by most of the store, or by everybody, admits nothing by itself', () => {
    const store = engineOf(
      ...Array.from({ length: 12 }, (_, at) => memory(`m${at}`, `Yesterday Kestrel crew note number ${at}`)),
      memory('german', 'Last year German was hard for the user'),
    )
    const draft =
      'Rewrite the scene with a spring tide and let the people of the Kestrel drop an anchor in German waters'
    expect(injectedBy(store, ask(draft))).toEqual([])
  })
})
