import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder'
import type { Migration } from './database'
import { openDatabase } from './open-database'

const SOURCE = join(import.meta.dirname, '..')

const isMigration = (value: unknown): value is Migration =>
  typeof value === 'object' && value !== null && 'name' in value && 'up' in value && typeof value.up === 'function'

/** Every migration any room exports, found in the files and not through the app's own list. */
async function exportedMigrations(): Promise<Migration[]> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|[\\/])migrations\.ts$/.test(name),
  )
  const found = await Promise.all(
    files.sort().map(async (name) => {
      const exported = Object.values((await import(join(SOURCE, name))) as Record<string, unknown>)
      return exported.flatMap((value) => (Array.isArray(value) ? value.filter(isMigration) : []))
    }),
  )
  return found.flat()
}

it('the app runs every migration a room exports, each under its own name', async () => {
  const { migrations } = await import('../app-migrations')
  const names = migrations.map((migration) => migration.name)
  const exported = await exportedMigrations()
  expect(exported.length).toBeGreaterThan(5)
  expect(names).toEqual(expect.arrayContaining(exported.map((migration) => migration.name)))
  expect(new Set(names).size).toBe(names.length)
})

it('a room’s migrations run in the order of their numbers', async () => {
  const { migrations } = await import('../app-migrations')
  const byRoom = Map.groupBy(migrations, (migration) => migration.name.split('/')[0])
  for (const [, own] of byRoom) {
    const names = own.map((migration) => migration.name)
    expect(names).toEqual([...names].sort())
  }
})

it('a fresh folder goes through all of them and remembers each', async () => {
  const { migrations } = await import('../app-migrations')
  const { database } = await openDatabase({
    dataDir: temporaryFolder(),
    migrations,
    nowIso: () => '2026-11-30T12:00:00.000Z',
  })
  const ledger = database.prepare<[], { name: string }>('SELECT name FROM migration ORDER BY rowid').all()
  expect(ledger.map((row) => row.name)).toEqual(migrations.map((migration) => migration.name))
  expect(database.pragma('foreign_key_check')).toEqual([])
  const loose = database
    .prepare<[], { name: string }>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0
         AND name NOT LIKE 'sqlite_%'`,
    )
    .all()
  expect(loose).toEqual([])
  database.close()
})
