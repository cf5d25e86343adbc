import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { runningApp } from '../testing/running-app'
import { temporaryFolder } from '../testing/temporary-folder'
import { closeToOthers } from './private-files'

const mode = (path: string) => lstatSync(path).mode & 0o777
const isWindows = process.platform === 'win32'

/** Every file and folder below, but links, that another account could open. */
function openBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const stat = lstatSync(join(folder, name))
    return !stat.isSymbolicLink() && (stat.mode & 0o077) !== 0
  })
}

let umask: number | undefined
afterEach(() => {
  if (umask !== undefined) process.umask(umask)
  umask = undefined
})

it.skipIf(isWindows)('an open folder’s files become private, old and new ones', async () => {
  umask = process.umask(0)
  const dataDir = join(temporaryFolder(), 'open')
  const first = await runningApp(dataDir)
  const attach = (app: typeof first, text: string) =>
    app.call('attachments.add', {
      name: 'tides.txt',
      mediaType: 'text/plain',
      dataBase64: Buffer.from(text).toString('base64'),
    })
  const old = await attach(first, 'at ten')
  const { id } = await first.call('sessions.create', {})
  await first.call('messages.append', { sessionId: id, text: 'When?', attachments: [old.id] })
  await first.call('backups.create', {})
  await first.app.close()
  for (const name of ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]) {
    const path = join(dataDir, name)
    chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666)
  }
  const again = await runningApp(dataDir)
  expect((await again.call('app.info', {})).openRights).toBeUndefined()
  await again.call('backups.create', {})
  await attach(again, 'at eleven')
  await expect.poll(() => openBelow(dataDir)).toEqual([])
  expect(mode(dataDir)).toBe(0o777)
  await again.app.close()
})

it.skipIf(isWindows)('other people’s files in the folder keep their rights, and links are not followed', () => {
  const outside = temporaryFolder()
  const secret = join(outside, 'shared.txt')
  writeFileSync(secret, 'x', { mode: 0o644 })
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'notes.txt'), 'x')
  writeFileSync(join(dataDir, 'strata.sqlite'), '')
  mkdirSync(join(dataDir, 'Documents'))
  symlinkSync(secret, join(dataDir, 'window.json'))
  symlinkSync(outside, join(dataDir, 'attachments'))
  for (const name of ['notes.txt', 'strata.sqlite']) chmodSync(join(dataDir, name), 0o644)
  for (const path of [join(dataDir, 'Documents'), outside]) chmodSync(path, 0o755)
  expect(closeToOthers(dataDir)).toBeUndefined()
  expect(mode(join(dataDir, 'strata.sqlite'))).toBe(0o600)
  expect(mode(join(dataDir, 'notes.txt'))).toBe(0o644)
  expect([mode(join(dataDir, 'Documents')), mode(outside)]).toEqual([0o755, 0o755])
  expect(mode(secret)).toBe(0o644)
})

it.skipIf(isWindows)('what cannot be closed is told with the reason', async () => {
  vi.resetModules()
  const refusal = Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' })
  vi.doMock('node:fs', async (original) => ({
    ...(await original<typeof import('node:fs')>()),
    chmodSync: () => {
      throw refusal
    },
  }))
  const refused = await import('./private-files')
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'strata.sqlite'), '')
  chmodSync(join(dataDir, 'strata.sqlite'), 0o644)
  expect(refused.closeToOthers(dataDir)).toEqual({ files: ['strata.sqlite'], reason: 'refused' })
  vi.resetModules()
  vi.doMock('node:fs', async (original) => ({
    ...(await original<typeof import('node:fs')>()),
    chmodSync: () => undefined,
  }))
  const forgetful = await import('./private-files')
  expect(forgetful.closeToOthers(dataDir)).toEqual({ files: ['strata.sqlite'], reason: 'no-rights' })
  vi.doUnmock('node:fs')
})
