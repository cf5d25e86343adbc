import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { migrate } from '../storage/open-database'
import { listLessons } from './lesson-repository'
import { modelMigrations } from './migrations'
import { findConnection, findModel, listConnections } from './repository'

it('the dry run joins connections that were there before', () => {
  const database = new BetterSqlite3(':memory:')
  migrate(database, modelMigrations.slice(0, 1), () => '')
  database.exec("INSERT INTO connection (id, name, kind, created_at) VALUES ('old', 'Old', 'ollama', '2020-01-01')")
  database.exec("INSERT INTO model (connection_id, name, position) VALUES ('old', 'llama3.1:8b', 0)")
  migrate(database, modelMigrations.slice(1), () => '')
  const [old, dryRun] = listConnections(database)
  if (!old || !dryRun) throw new Error('A connection is missing.')
  expect([old.id, dryRun.id]).toEqual(['old', 'dry-run'])
  expect(findModel(database, old, 'llama3.1:8b')).toMatchObject({ id: 'old/llama3.1:8b', windowSource: 'app' })
  expect(findModel(database, dryRun, 'dry-run')).toMatchObject({ contextWindow: 128_000, windowSource: 'server' })
})

it('what was learned of the roles moves in as a lesson, and large windows of Ollama become modest', () => {
  const database = new BetterSqlite3(':memory:')
  migrate(database, modelMigrations.slice(0, 2), () => '')
  const notes = JSON.stringify([
    { at: '2025-01-01T00:00:00.000Z', what: 'First.' },
    { at: '2025-02-01T00:00:00.000Z', what: 'This server takes only one system message.' },
  ])
  database
    .prepare(
      `INSERT INTO connection (id, name, kind, base_url, learned_profile, learned_notes, created_at)
       VALUES ('old', 'Old', 'ollama', NULL, '{"leadingSystems":"one","midSystem":"none"}', ?, '2020-01-01')`,
    )
    .run(notes)
  const add = database.prepare("INSERT INTO model (connection_id, name, position, server) VALUES ('old', ?, 0, ?)")
  add.run('large', '{"contextWindow":131072}')
  add.run('small', '{"contextWindow":8192}')
  migrate(database, modelMigrations.slice(2), () => '')
  const old = findConnection(database, 'old')
  if (!old) throw new Error('The connection is missing.')
  expect(old.learned.profile).toEqual({ leadingSystems: 'one', midSystem: 'none' })
  expect(listLessons(database, 'old')).toMatchObject([
    {
      model: '',
      teaches: { what: 'This server takes only one system message.' },
      words: '',
      learnedAt: '2025-02-01T00:00:00.000Z',
    },
  ])
  expect(findModel(database, old, 'large')).toMatchObject({
    contextWindow: 16_384,
    largestWindow: 131_072,
    windowSource: 'app',
  })
  expect(findModel(database, old, 'small')).toMatchObject({ contextWindow: 8192, windowSource: 'server' })
})
