import BetterSqlite3 from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../storage/open-database'
import { toolMigrations } from './migrations'
import { knownTools, putKnownTools, putServer, storedServers } from './repository'

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
