import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { migrations } from './app-migrations'
import type { WriteDatabase } from './storage/database'
import { memoryDatabase } from './testing/memory-database'
import { walksOf } from './testing/query-plans'

const files = globSync('src-main/**/*.ts', {
  exclude: ['**/*.test.ts', '**/testing/**', '**/seed/**', '**/migrations.ts'],
})

/** Every text of a source file that begins as a statement does. Those with places for other text are not looked at. */
function statementsOf(source: string): string[] {
  const texts = source.matchAll(/(['`"])\s*((?:SELECT|UPDATE|DELETE|INSERT|WITH)\b(?:\\.|(?!\1).)*)\1/gs)
  return [...texts].map((match) => match[2] ?? '').filter((text) => !text.includes('${'))
}

function compiles(database: WriteDatabase, sql: string): boolean {
  try {
    database.prepare(sql)
    return true
  } catch {
    return false // a piece of a statement, or a sentence
  }
}

it('no statement of the app walks a large table', () => {
  const database = memoryDatabase(migrations)
  const statements = files.flatMap((file) => statementsOf(readFileSync(file, 'utf8')).map((sql) => ({ file, sql })))
  const whole = statements.filter(({ sql }) => compiles(database, sql))
  expect(whole.length).toBeGreaterThan(200)
  const walks = whole.flatMap(({ file, sql }) => walksOf(database, sql).map((walk) => `${file}: ${walk}: ${sql}`))
  expect(walks).toEqual([])
})

it('a walk is seen, also behind an alias and through an index', () => {
  const database = memoryDatabase(migrations)
  expect(walksOf(database, 'SELECT text FROM message WHERE role = ?')).toEqual(['SCAN message'])
  expect(walksOf(database, 'DELETE FROM turn_record WHERE outcome IS @none')).toHaveLength(1)
  expect(walksOf(database, 'SELECT m.id FROM message AS m WHERE m.text LIKE ?')).toHaveLength(1)
  expect(walksOf(database, 'SELECT count(*) FROM message')).toHaveLength(1)
  expect(walksOf(database, 'SELECT id FROM message WHERE session_id = ? AND seq > ?')).toEqual([])
})

it('every column that refers to another table leads an index', () => {
  const database = memoryDatabase(migrations)
  const tables = database
    .prepare<[], { name: string }>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all()
  const keys = tables.flatMap(({ name }) =>
    (database.pragma(`foreign_key_list("${name}")`) as { from: string }[]).map(({ from }) => ({ name, from })),
  )
  expect(keys.length).toBeGreaterThan(10)
  const slow = keys.filter(({ name, from }) =>
    database
      .prepare<[null], { detail: string }>(`EXPLAIN QUERY PLAN SELECT 1 FROM "${name}" WHERE "${from}" = ?`)
      .all(null)
      .some(({ detail }) => detail.startsWith('SCAN')),
  )
  expect(slow).toEqual([])
})

it('old rows go through the new indexes', () => {
  const before = migrations.filter(({ name }) => !/\/\d{3}-lookups$/.test(name))
  const database = memoryDatabase(before)
  database.exec("INSERT INTO folder VALUES ('f', 'Old', NULL, 1), ('g', 'Below', 'f', 2)")
  database.exec(`INSERT INTO turn VALUES ('t', 's', NULL, 'm', 'send', 'x', 1, '2026', '{}');
    INSERT INTO sent_source VALUES ('m', 'h')`)
  const fresh = migrations.filter(({ name }) => /\/\d{3}-lookups$/.test(name))
  expect(fresh.map(({ name }) => name)).toEqual(['sessions/008-lookups', 'turns/003-lookups', 'memory/004-lookups'])
  for (const migration of fresh) migration.up(database)
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.prepare("SELECT id FROM turn WHERE reply_message_id = 'm'").get()).toEqual({ id: 't' })
  expect(database.prepare("SELECT id FROM folder WHERE parent_id = 'f'").get()).toEqual({ id: 'g' })
})
