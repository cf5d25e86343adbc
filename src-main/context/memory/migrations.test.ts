import BetterSqlite3 from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../../storage/open-database'
import { listProposals } from './extraction/proposals'
import { memoryMigrations } from './migrations'
import { countMemories, listMemories } from './repository'

test('rows of the first version are listed, counted and searched after every later migration', () => {
  const database = new BetterSqlite3(':memory:')
  const nowIso = '2026-11-30T12:00:00.000Z'
  migrate(database, memoryMigrations.slice(0, 1), () => nowIso)
  const insert = database.prepare(
    `INSERT INTO memory (id, text, normal_hash, kind, source_kind, importance, confidence, entities, valid_until, archived, created_at, updated_at)
     VALUES (?, ?, ?, 'fact', 'manual', 0.5, 0.8, '[]', ?, ?, ?, ?)`,
  )
  insert.run('old', 'The user plays the cello', 'h1', null, 0, nowIso, nowIso)
  insert.run('ended', 'The user played the harp', 'h2', '2020-01-01T00:00:00+02:00', 0, nowIso, nowIso)
  insert.run('put-away', 'The user sold a harp', 'h3', null, 1, nowIso, nowIso)
  migrate(database, memoryMigrations.slice(1), () => nowIso)
  const ids = (status: 'active' | 'past' | 'archived' | 'all', query?: string) =>
    listMemories(database, { status, limit: 10, nowIso, ...(query === undefined ? {} : { query }) }).rows.map(
      (row) => row.id,
    )
  expect(countMemories(database, nowIso)).toEqual({ total: 3, archived: 1, holding: 1 })
  expect([ids('active'), ids('past'), ids('archived')]).toEqual([['old'], ['ended'], ['put-away']])
  expect(ids('all', 'HARP')).toEqual(['put-away', 'ended'])
  expect(ids('all', '%')).toEqual([])
  expect(listProposals(database)).toEqual([])
})

test('a search counts all hits and pages through them without repeating one', () => {
  const database = new BetterSqlite3(':memory:')
  migrate(database, memoryMigrations, () => '2026-11-30T12:00:00.000Z')
  const insert = database.prepare(
    `INSERT INTO memory (id, text, normal_hash, kind, source_kind, importance, confidence, entities, created_at, updated_at)
     VALUES (?, ?, ?, 'fact', 'manual', 0.5, 0.8, '[]', 'now', 'now')`,
  )
  for (let at = 0; at < 25; at += 1) insert.run(`m${at}`, at % 2 === 0 ? `cello ${at}` : `harp ${at}`, `h${at}`)
  const seen: string[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const { rows, total } = listMemories(database, {
      status: 'active',
      query: 'cello',
      limit: 5,
      before,
      nowIso: '2026-11-30T12:00:00.000Z',
    })
    expect(total).toBe(13)
    const last = rows.at(-1)
    if (last === undefined) break
    seen.push(...rows.map((row) => row.id))
    before = last.seq
  }
  expect(seen).toEqual(Array.from({ length: 13 }, (_, at) => `m${24 - 2 * at}`))
})
