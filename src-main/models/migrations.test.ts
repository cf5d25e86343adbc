import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { migrate } from '../storage/open-database'
import { modelMigrations } from './migrations'
import { findModel, listConnections } from './repository'

it('the dry run joins connections that were there before', () => {
  const database = new BetterSqlite3(':memory:')
  migrate(database, modelMigrations.slice(0, 1), () => '')
  database.exec("INSERT INTO connection (id, name, kind, created_at) VALUES ('old', 'Old', 'ollama', '2020-01-01')")
  database.exec("INSERT INTO model (connection_id, name, position) VALUES ('old', 'llama3.1:8b', 0)")
  migrate(database, modelMigrations.slice(1), () => '')
  const [old, dryRun] = listConnections(database)
  if (!old || !dryRun) throw new Error('A connection is missing.')
  expect([old.id, dryRun.id]).toEqual(['old', 'dry-run'])
  expect(findModel(database, old, 'llama3.1:8b')).toMatchObject({ id: 'old/llama3.1:8b', windowSource: 'known' })
  expect(findModel(database, dryRun, 'dry-run')).toMatchObject({ contextWindow: 128_000, windowSource: 'server' })
})
