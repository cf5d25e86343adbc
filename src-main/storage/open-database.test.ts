import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder'
import { listBackups } from './backup-names'
import { backupHandlers, STAGED_FILE } from './backups'
import { createFileLooks } from './check-files'
import type { Migration } from './database'
import { openDatabase } from './open-database'
import { storageError } from './storage-error'

const nowIso = () => '2026-11-30T12:00:00.000Z'
const looks = createFileLooks('SELECT 0 AS chats, count(*) AS messages, NULL AS newestAt FROM note')
const first: Migration = { name: 'notes/001-tables', up: (db) => db.exec('CREATE TABLE note (text TEXT) STRICT') }
const second: Migration = {
  name: 'notes/002-size',
  up: (db) => db.exec('ALTER TABLE note ADD COLUMN size INTEGER; UPDATE note SET size = length(text)'),
}

const open = (dataDir: string, migrations: readonly Migration[] = [first]) =>
  openDatabase({ dataDir, migrations, nowIso })

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const texts = (database: Awaited<ReturnType<typeof open>>['database']) =>
  database
    .prepare<[], { text: string }>('SELECT text FROM note ORDER BY rowid')
    .all()
    .map((row) => row.text)

it('opens a fresh folder in WAL mode with foreign keys, and without a backup', async () => {
  const dataDir = join(temporaryFolder(), 'new')
  const { database, readOnlyReason, restored } = await open(dataDir)
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
  expect({ readOnlyReason, restored }).toEqual({ readOnlyReason: undefined, restored: false })
  expect(existsSync(join(dataDir, 'backups'))).toBe(false)
  database.close()
})

it('leaves a backup with the old rows before it migrates them', async () => {
  const dataDir = temporaryFolder()
  const before = await open(dataDir)
  before.database.exec("INSERT INTO note VALUES ('ferry')")
  before.database.close()
  const after = await open(dataDir, [first, second])
  expect(after.database.prepare('SELECT text, size FROM note').all()).toEqual([{ text: 'ferry', size: 5 }])
  expect(after.database.prepare('SELECT name FROM migration ORDER BY rowid').all()).toEqual([
    { name: 'notes/001-tables' },
    { name: 'notes/002-size' },
  ])
  expect(listBackups(dataDir)).toMatchObject([{ reason: 'migration', id: 'before-migration-2026-11-30T12-00-00-000Z' }])
  after.database.close()
  const again = await open(dataDir, [first, second])
  expect(listBackups(dataDir)).toHaveLength(1)
  again.database.close()
})

it('a migration that fails changes nothing and is tried again', async () => {
  const dataDir = temporaryFolder()
  const before = await open(dataDir)
  before.database.exec("INSERT INTO note VALUES ('ferry')")
  before.database.close()
  const broken: Migration = {
    name: 'notes/002-size',
    up: (db) => db.exec('ALTER TABLE note ADD COLUMN size INTEGER; SELECT * FROM nowhere'),
  }
  await expect(open(dataDir, [first, broken])).rejects.toMatchObject({ code: 'internal' })
  const { database } = await open(dataDir, [first, second])
  expect(database.prepare('SELECT size FROM note').get()).toEqual({ size: 5 })
  database.close()
})

it('opens what a newer version wrote for reading only', async () => {
  const dataDir = temporaryFolder()
  const newer = await open(dataDir, [first, second])
  newer.database.exec("INSERT INTO note VALUES ('from tomorrow', 1)")
  newer.database.close()
  const { database, readOnlyReason } = await open(dataDir)
  expect(readOnlyReason).toContain('notes/002-size')
  expect(texts(database)).toEqual(['from tomorrow'])
  const refusal = thrownBy(() => database.exec("INSERT INTO note VALUES ('x', 1)"))
  expect(storageError(refusal, readOnlyReason)).toMatchObject({
    code: 'storage.newer_version',
    message: expect.stringContaining('Install the newer version.'),
  })
  database.close()
})

it('refuses two migrations of one name, and odd names', async () => {
  await expect(open(temporaryFolder(), [first, first])).rejects.toThrow('notes/001-tables')
  await expect(open(temporaryFolder(), [{ name: 'Notes', up: () => {} }])).rejects.toThrow('<room>/<nnn>-<what>')
})

it('says what to do about a file that is no database', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'strata.sqlite'), 'not a database, but long enough to be looked at '.repeat(50))
  await expect(open(dataDir)).rejects.toMatchObject({
    code: 'storage.damaged',
    message: expect.stringContaining('backups'),
    details: { kind: 'not-a-database', files: ['strata.sqlite'] },
  })
})

it('backs up by hand, stages a restore, and swaps it in at the next start', async () => {
  const dataDir = temporaryFolder()
  const { database } = await open(dataDir)
  const events: string[] = []
  const calls = backupHandlers({
    database,
    dataDir,
    now: () => Date.parse(nowIso()),
    emit: (_name, { ids }) => events.push(...ids),
    looks,
  })
  database.exec("INSERT INTO note VALUES ('old')")
  const backup = await calls['backups.create']({})
  expect(backup).toMatchObject({ reason: 'manual', id: 'manual-2026-11-30T12-00-00-000Z' })
  const twin = await calls['backups.create']({})
  expect(twin.id).toBe('manual-2026-11-30T12-00-00-000Z-2')
  database.exec("INSERT INTO note VALUES ('new')")
  await expect(calls['backups.restore']({ id: '../strata' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await calls['backups.restore']({ id: backup.id })).toEqual({ staged: true, restartNeeded: true })
  expect(texts(database)).toEqual(['old', 'new'])
  database.close()
  const next = await open(dataDir)
  expect(next.restored).toBe(true)
  expect(texts(next.database)).toEqual(['old'])
  expect(existsSync(join(dataDir, STAGED_FILE))).toBe(false)
  next.database.close()
  const saved = listBackups(dataDir).find((known) => known.reason === 'before-restore')
  expect(saved).toBeDefined()
  const back = backupHandlers({ database, dataDir, now: Date.now, emit: () => {}, looks })
  await back['backups.restore']({ id: saved?.id ?? '' })
  const last = await open(dataDir)
  expect(texts(last.database)).toEqual(['old', 'new'])
  last.database.close()
  expect(events).toEqual([backup.id, twin.id, backup.id])
})

it('does not stage a damaged backup', async () => {
  const dataDir = temporaryFolder()
  const { database } = await open(dataDir)
  const calls = backupHandlers({ database, dataDir, now: Date.now, emit: () => {}, looks })
  const backup = await calls['backups.create']({})
  writeFileSync(join(dataDir, 'backups', backup.fileName), 'damaged '.repeat(1000))
  await expect(calls['backups.restore']({ id: backup.id })).rejects.toMatchObject({ code: 'import.unreadable' })
  expect(readdirSync(dataDir)).not.toContain(STAGED_FILE)
  database.close()
})

it('a full disk and a busy file have their own codes', async () => {
  const dataDir = temporaryFolder()
  const { database } = await open(dataDir)
  const pages = database.pragma('page_count', { simple: true }) as number
  database.pragma(`max_page_count = ${pages + 2}`)
  const refusal = thrownBy(() => database.prepare('INSERT INTO note VALUES (?)').run('x'.repeat(100_000)))
  expect(storageError(refusal)?.code).toBe('storage.full')
  expect(storageError(new TypeError('a bug'))).toBeUndefined()
  expect(storageError(Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' }))?.code).toBe('storage.locked')
  database.close()
})

it('a backup keeps the files beside the database, and brings back the ones that are gone', async () => {
  const dataDir = temporaryFolder()
  const { database } = await open(dataDir)
  const folder = join(dataDir, 'attachments/ab')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'abc'), 'picture')
  writeFileSync(join(folder, 'half.1-1.part'), 'pic')
  const calls = backupHandlers({ database, dataDir, now: () => Date.parse(nowIso()), emit: () => {}, looks })
  const { id } = await calls['backups.create']({})
  expect(readdirSync(join(dataDir, `backups/${id}.files/ab`))).toEqual(['abc'])
  rmSync(join(folder, 'abc'))
  writeFileSync(join(folder, 'abd'), 'came later')
  await calls['backups.restore']({ id })
  expect(readFileSync(join(folder, 'abc'), 'utf8')).toBe('picture')
  expect(readFileSync(join(folder, 'abd'), 'utf8')).toBe('came later')
  database.close()
})
