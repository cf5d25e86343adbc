import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { migrate } from '../storage/open-database'
import { putRope, readRope, sweepTexts, textStoreMigration, tombstoneSource } from './text-store'

function openStore() {
  const database = new BetterSqlite3(':memory:')
  migrate(database, [textStoreMigration], () => '2026-11-30T12:00:00+00:00')
  return database
}

const rows = (database: BetterSqlite3.Database) =>
  database.prepare<[], { count: number }>('SELECT count(*) AS count FROM sent_text').get()?.count ?? 0

describe('text store', () => {
  test('any sequence reads back as it was, and the same sequence has the same root', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 200 }), (texts) => {
        const database = openStore()
        const pieces = texts.map((text) => ({ text }))
        const root = putRope(database, pieces)
        expect(readRope(database, root)).toEqual(texts)
        expect(putRope(database, pieces)).toBe(root)
        database.close()
      }),
      { numRuns: 60 },
    )
  })

  test('a thousand growing requests cost little more than their texts', () => {
    const database = openStore()
    const texts = Array.from({ length: 1000 }, (_, index) => ({ text: `message ${index} of a long conversation` }))
    for (let sent = 1; sent <= texts.length; sent += 1) putRope(database, texts.slice(0, sent))
    // Without sharing this would be half a million rows: here each request adds its text and a few nodes.
    expect(rows(database)).toBeLessThan(texts.length * 8)
  })

  test('a deleted source is blanked where it was told, and nowhere else', () => {
    const database = openStore()
    const secret = 'Lives in Lisbon.'
    const root = putRope(database, [{ text: 'before' }, { text: secret, sourceId: 'memory-1' }, { text: secret }])
    expect(tombstoneSource(database, 'memory-1', '[deleted]')).toBe(1)
    expect(readRope(database, root)).toEqual(['before', '[deleted]', secret])
  })

  test('a sweep keeps what a root reaches and removes the rest', async () => {
    const database = openStore()
    const kept = putRope(database, [{ text: 'a' }, { text: 'b' }])
    putRope(database, [{ text: 'b' }, { text: 'c' }])
    expect(
      await sweepTexts(database, { pages: () => [[kept]], fresh: () => [] }, async () => undefined),
    ).toBeGreaterThan(0)
    expect(readRope(database, kept)).toEqual(['a', 'b'])
    expect(database.prepare("SELECT 1 FROM sent_text WHERE text = 'c'").get()).toBeUndefined()
  })

  test('what is put while a sweep runs is kept, also where it names texts nobody else names', async () => {
    const database = openStore()
    const old = Array.from({ length: 1200 }, (_, index) => ({ text: `line ${index}` }))
    putRope(database, old)
    const meanwhile: string[] = []
    let pauses = 0
    const removed = await sweepTexts(database, { pages: () => [[]], fresh: () => meanwhile.splice(0) }, async () => {
      pauses += 1
      if (pauses === 1) meanwhile.push(putRope(database, old.slice(0, 40)))
    })
    expect(pauses).toBeGreaterThan(1)
    expect(removed).toBeGreaterThan(1000)
    expect(readRope(database, putRope(database, old.slice(0, 40)))).toHaveLength(40)
  })
})
