import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { runningApp } from './testing/running-app'
import { temporaryFolder } from './testing/temporary-folder'

/** Columns that hold JSON in some row, found in the file itself. */
function jsonColumns(database: BetterSqlite3.Database): { table: string; column: string }[] {
  const tables = database
    .prepare<[], { name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sent_%'",
    )
    .all()
  return tables.flatMap(({ name: table }) =>
    (database.pragma(`table_info("${table}")`) as { name: string }[])
      .map(({ name: column }) => ({ table, column }))
      .filter(({ column }) =>
        database.prepare(`SELECT 1 FROM "${table}" WHERE "${column}" LIKE '[%' OR "${column}" LIKE '{%' LIMIT 1`).get(),
      ),
  )
}

it('JSON that nobody can read in one column hides nothing else', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  const first = await runningApp(dataDir)
  const { id } = await first.call('sessions.create', { title: 'Tides' })
  await first.call('messages.append', { sessionId: id, text: 'At ten.' })
  await first.call('drafts.save', { sessionId: id, text: 'And then', attachments: [], queue: ['later'] })
  await first.call('settings.update', { patch: { general: { firstRunDone: true } } })
  await first.call('memory.save', { text: 'The ferry leaves at ten.' })
  await first.app.close()
  const database = new BetterSqlite3(join(dataDir, 'strata.sqlite'))
  const columns = jsonColumns(database)
  expect(columns.length).toBeGreaterThan(8)
  for (const { table, column } of columns) database.prepare(`UPDATE "${table}" SET "${column}" = '{"broken'`).run()
  database.close()
  const app = await runningApp(dataDir)
  const reads: [string, unknown][] = [
    ['settings.get', {}],
    ['sessions.list', {}],
    ['sessions.get', { sessionId: id }],
    ['drafts.get', { sessionId: id }],
    ['connections.list', {}],
    ['models.list', {}],
    ['memory.list', {}],
    ['user-profile.get', {}],
    ['jobs.list', {}],
    ['commands.list', {}],
  ]
  for (const [name, input] of reads) {
    const reply = await app.app.call(name, input)
    expect(reply.ok ? 'ok' : reply.error, name).toBe('ok')
  }
  const { messages } = await app.call('sessions.get', { sessionId: id })
  expect(messages.map(({ text }) => text)).toEqual(['At ten.'])
  expect((await app.call('drafts.get', { sessionId: id })).text).toBe('And then')
  await app.app.close()
})

it('a damaged attachment is told as such, and the same file put again makes it whole', async () => {
  const app = await runningApp(join(temporaryFolder(), 'data'))
  const file = { name: 'tides.txt', mediaType: 'text/plain', dataBase64: Buffer.from('at ten').toString('base64') }
  const { sha256 } = await app.call('attachments.add', file)
  writeFileSync(join(app.dataDir, 'attachments', sha256.slice(0, 2), sha256), 'at TEN')
  expect(await app.app.call('attachments.read', { sha256 })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is damaged') },
  })
  await app.call('attachments.add', file)
  const { dataBase64 } = await app.call('attachments.read', { sha256 })
  expect(Buffer.from(dataBase64, 'base64').toString()).toBe('at ten')
  await app.app.close()
})
