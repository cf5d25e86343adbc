import BetterSqlite3 from 'better-sqlite3'
import { beforeEach, expect, it } from 'vitest'
import type { WriteDatabase } from '../storage/database'
import { migrate } from '../storage/open-database'
import { testKeyCipher } from '../testing/key-ciphers'
import { describeSecrets, keepSecretsInFile, keyMigrations, readSecret, removeSecrets, saveSecret } from './keys'

const NOW = '2026-01-02T03:04:05.000Z'
const place = { owner: 'connection/c1', name: 'key' }
let database: WriteDatabase
beforeEach(() => {
  database = new BetterSqlite3(':memory:')
  migrate(database, keyMigrations, () => NOW)
})

it('keeps a key unreadable in the table and gives it back', async () => {
  const cipher = testKeyCipher()
  await saveSecret(database, cipher, { ...place, text: 'sk-abcdef123456', now: NOW })
  const rows = database.prepare('SELECT * FROM secret').all()
  expect(Buffer.from(JSON.stringify(rows)).includes('sk-abcdef')).toBe(false)
  expect(await readSecret(database, cipher, place)).toBe('sk-abcdef123456')
  expect(describeSecrets(database, place.owner)).toEqual([{ name: 'key', store: 'os', hint: '…3456' }])
})

it('gives no hint of a short key', async () => {
  await saveSecret(database, testKeyCipher(), { ...place, text: 'short', now: NOW })
  expect(describeSecrets(database, place.owner)).toEqual([{ name: 'key', store: 'os' }])
})

it('a key that was only in memory is gone in the next process', async () => {
  const cipher = testKeyCipher({ kind: 'memory' })
  await saveSecret(database, cipher, { ...place, text: 'sk-abcdef123456', now: NOW })
  expect(await readSecret(database, cipher, place)).toBe('sk-abcdef123456')
  database.prepare("UPDATE secret SET process = 'an earlier one'").run()
  expect(await readSecret(database, cipher, place)).toBeUndefined()
  expect(describeSecrets(database, place.owner)).toEqual([])
})

it('moves keys from memory to the file once that is agreed', async () => {
  const cipher = testKeyCipher({ canAllowFile: true })
  await saveSecret(database, cipher, { ...place, text: 'sk-abcdef123456', now: NOW })
  expect(await keepSecretsInFile(database, cipher, NOW)).toBe(1)
  database.prepare("UPDATE secret SET process = 'an earlier one'").run()
  expect(await readSecret(database, cipher, place)).toBe('sk-abcdef123456')
})

it('says that a damaged key must be entered again', async () => {
  const cipher = testKeyCipher()
  await saveSecret(database, cipher, { ...place, text: 'sk-abcdef123456', now: NOW })
  database.prepare("UPDATE secret SET bytes = x'a5a5a5'").run()
  await expect(readSecret(database, cipher, place)).rejects.toMatchObject({ code: 'model.unauthorised' })
})

it('removes one or all secrets of an owner', async () => {
  const cipher = testKeyCipher()
  for (const name of ['key', 'header:x', 'header:y'])
    await saveSecret(database, cipher, { ...place, name, text: 'abc', now: NOW })
  expect(removeSecrets(database, place)).toBe(1)
  expect(removeSecrets(database, { owner: place.owner })).toBe(2)
})

it('says when the system takes no key, and stores nothing', async () => {
  const locked = { ...testKeyCipher(), encrypt: () => Promise.reject(new Error('locked')) }
  await expect(saveSecret(database, locked, { ...place, text: 'abc', now: NOW })).rejects.toMatchObject({
    message: expect.stringContaining('Unlock it'),
  })
  expect(describeSecrets(database, place.owner)).toEqual([])
})
