import BetterSqlite3 from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../storage/open-database'
import { toolMigrations } from './migrations'
import { commandTools, knownTools, putKnownTools, putServer, storedServers } from './repository'

const now = () => '2026-11-30T12:00:00.000Z'

test('a server of before has no known tools, and keeps what it is', () => {
  const database = new BetterSqlite3(':memory:')
  migrate(database, toolMigrations.slice(0, 1), now)
  const transport = JSON.stringify({ kind: 'stdio', command: 'npx', args: [], env: {} })
  database.prepare('INSERT INTO mcp_server VALUES (?, ?, ?, ?, ?, ?, ?)').run('s', 'old', transport, '[]', 1, 1, now())
  migrate(database, toolMigrations.slice(1), now)
  expect(knownTools(database, 's')).toEqual([])
  expect(storedServers(database)).toMatchObject([{ id: 's', name: 'old', selectedForChat: true, enabled: true }])
  putKnownTools(database, 's', [{ name: 'echo', description: '', schema: { type: 'object' } }])
  const [server] = storedServers(database)
  if (server) putServer(database, { ...server, name: 'renamed' }, now())
  expect(knownTools(database, 's')).toHaveLength(1)
  database.close()
})

test('a command of before counts what is named like a secret as one', () => {
  const database = new BetterSqlite3(':memory:')
  migrate(database, toolMigrations.slice(0, 2), now)
  const env = JSON.stringify({ API_KEY: 'x', HARBOUR: 'Lisbon' })
  database
    .prepare('INSERT INTO command_tool VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run('c', 'say', '', '{}', '["true"]', null, env, 30, 1000, 1, now())
  migrate(database, toolMigrations.slice(2), now)
  expect(commandTools(database)).toMatchObject([{ id: 'c', secretNames: ['API_KEY'], env: { API_KEY: 'x' } }])
  database.close()
})
