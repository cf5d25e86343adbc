import { expect, it } from 'vitest'
import { memoryDatabase } from '../../testing/memory-database'
import { listVersions } from './book-changes'
import { readBook } from './book-rows'
import { restoreVersion } from './large-changes'
import { worldbookMigrations } from './migrations'
import { textOf } from './packed-book'
import { entry } from './testing/small-books'

const [tables, ...later] = worldbookMigrations

it('reads books and versions from before entries could stand elsewhere', async () => {
  const database = memoryDatabase(tables ? [tables] : [])
  const head = { name: 'Old', description: '', settings: {}, extra: {}, origin: null }
  database
    .prepare("INSERT INTO worldbook VALUES ('b1', 'New', '', '{}', '{}', NULL, 2, '2026-01-01', '2026-01-02')")
    .run()
  const put = database.prepare('INSERT INTO worldbook_entry VALUES (?, ?, ?, ?)')
  for (const [at, id] of ['a', 'b'].entries()) put.run('b1', id, at, textOf(entry(id)).body)
  const undo = JSON.stringify({ head, added: ['b'], entries: [entry('a', { content: 'old' })], order: ['a'] })
  database.prepare("INSERT INTO worldbook_version VALUES ('b1', 1, '2026-01-01', 'Old', 1, ?)").run(undo)
  for (const migration of later) migration.up(database)
  expect(readBook(database, 'b1')?.entries.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(listVersions(database, 'b1')).toMatchObject([{ version: 1, name: 'Old', entries: 1 }])
  await restoreVersion({ database, ids: () => 'x', breathe: () => undefined }, 'b1', 1, '2026-01-03')
  expect(readBook(database, 'b1')).toMatchObject({ name: 'Old', version: 3, entries: [{ id: 'a', content: 'old' }] })
})
