import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sha256Of } from './sessions/attachments/blob-store'
import type { Damage } from './storage/contract'
import { flipBytes, garbage, leafPages, overwrite } from './testing/flip-bytes'
import { runningApp, type TestApp } from './testing/running-app'
import { temporaryFolder } from './testing/temporary-folder'

let opened: TestApp[] = []
afterEach(async () => {
  for (const app of opened) await app.app.close()
  opened = []
})

async function start(dataDir: string): Promise<TestApp> {
  const app = await runningApp(dataDir)
  opened.push(app)
  return app
}

async function stop(app: TestApp): Promise<void> {
  opened = opened.filter((each) => each !== app)
  await app.app.close()
}

const fileOf = (dataDir: string) => join(dataDir, 'strata.sqlite')
const hashOf = (path: string) => sha256Of(readFileSync(path))

/** A chat of some hundred messages with a backup after the first half of them. */
async function usedFolder(): Promise<string> {
  const dataDir = join(temporaryFolder(), 'data')
  const app = await start(dataDir)
  const { id } = await app.call('sessions.create', { title: 'Tides' })
  for (let index = 0; index < 150; index += 1) {
    if (index === 75) await app.call('backups.create', {})
    await app.call('messages.append', { sessionId: id, text: `Message ${index}. ${'潮水 tide '.repeat(60)}` })
  }
  await stop(app)
  return dataDir
}

const messagePages = (dataDir: string) => leafPages(fileOf(dataDir), 'message')

const kinds: [string, Damage['kind'], (dataDir: string) => void][] = [
  ['bytes flipped in the header', 'not-a-database', (dir) => overwrite(fileOf(dir), 3, garbage(5))],
  ['bytes flipped in the list of tables', 'pages', (dir) => overwrite(fileOf(dir), 100, garbage(60))],
  ['bytes flipped in a page of messages', 'pages', (dir) => flipBytes(fileOf(dir), 'message', [9])],
  ['a file cut short', 'pages', (dir) => truncateSync(fileOf(dir), Math.floor(statSync(fileOf(dir)).size / 3))],
  [
    'a file cut in the middle of a page',
    'pages',
    (dir) => truncateSync(fileOf(dir), statSync(fileOf(dir)).size - 1000),
  ],
  [
    'another file under the name',
    'not-a-database',
    (dir) => writeFileSync(fileOf(dir), 'a letter to the harbour master '.repeat(400)),
  ],
  ['an empty file', 'empty', (dir) => truncateSync(fileOf(dir), 0)],
  ['no file', 'missing', (dir) => rmSync(fileOf(dir))],
]

describe.each(kinds)('%s', (_name, kind, damage) => {
  it('is told, changes nothing, and a backup puts it right in the same process', async () => {
    const dataDir = await usedFolder()
    damage(dataDir)
    const before = existsSync(fileOf(dataDir)) ? hashOf(fileOf(dataDir)) : undefined
    const backups = readdirSync(join(dataDir, 'backups')).sort()
    const app = await start(dataDir)
    expect(app.app.damage).toMatchObject({ kind, running: false })
    expect((await app.call('app.info', {})).damage).toMatchObject({ kind })
    const refused = await app.app.call('sessions.list', {})
    expect(refused).toMatchObject({ ok: false, error: { code: 'storage.damaged' } })
    expect(await app.app.call('backups.create', {})).toMatchObject({ ok: false, error: { code: 'storage.damaged' } })
    const list = await app.call('backups.list', {})
    expect(list).toMatchObject([{ state: 'whole', holds: { chats: 1, messages: 75 } }])
    expect(existsSync(fileOf(dataDir)) ? hashOf(fileOf(dataDir)) : undefined).toBe(before)

    expect(await app.call('backups.restore', { id: list[0]?.id ?? '' })).toEqual({ staged: true, restartNeeded: false })
    expect(app.app.damage).toBeUndefined()
    const { sessions } = await app.call('sessions.list', {})
    expect(sessions.map(({ title, messageCount }) => [title, messageCount])).toEqual([['Tides', 75]])
    const aside = readdirSync(dataDir).filter((name) => /^strata\.damaged-.*\.sqlite$/.test(name))
    expect(aside.map((name) => hashOf(join(dataDir, name)))).toEqual(before === undefined ? [] : [before])
    expect(readdirSync(join(dataDir, 'backups')).sort()).toEqual(backups)
    await stop(app)
    const again = await start(dataDir)
    expect(again.app.damage).toBeUndefined()
    expect((await again.call('sessions.list', {})).sessions).toHaveLength(1)
  })
})

it('a folder in place of the file is told, and a backup puts it right beside it', async () => {
  const dataDir = await usedFolder()
  rmSync(fileOf(dataDir))
  mkdirSync(fileOf(dataDir))
  writeFileSync(join(fileOf(dataDir), 'letter.txt'), 'to the harbour master')
  const app = await start(dataDir)
  expect(app.app.damage).toMatchObject({ kind: 'not-a-database' })
  const [backup] = await app.call('backups.list', {})
  await app.call('backups.restore', { id: backup?.id ?? '' })
  expect((await app.call('sessions.list', {})).sessions).toHaveLength(1)
  const [aside = ''] = readdirSync(dataDir).filter((name) => /^strata\.damaged-.*\.sqlite$/.test(name))
  expect(readdirSync(join(dataDir, aside))).toEqual(['letter.txt'])
})

it('a fresh start is a choice of its own and keeps the old file', async () => {
  const dataDir = await usedFolder()
  overwrite(fileOf(dataDir), 100, garbage(60))
  const before = hashOf(fileOf(dataDir))
  const app = await start(dataDir)
  const { keptAs } = await app.call('recovery.start-fresh', {})
  expect(keptAs.map((name) => hashOf(join(dataDir, name)))).toEqual([before])
  expect((await app.call('sessions.list', {})).sessions).toEqual([])
  expect(await app.app.call('recovery.start-fresh', {})).toMatchObject({ ok: false, error: { code: 'conflict' } })
  expect(await app.call('backups.list', {})).toHaveLength(1)
})

it('a rescue brings every readable message, in one branch, and finds them again', async () => {
  const dataDir = await usedFolder()
  flipBytes(fileOf(dataDir), 'message', [5, 12, 13])
  const before = hashOf(fileOf(dataDir))
  const app = await start(dataDir)
  const rescued = await app.call('recovery.rescue', {})
  expect(rescued.incomplete).toContain('message')
  const [session] = (await app.call('sessions.list', {})).sessions
  const { messages } = await app.call('sessions.get', { sessionId: session?.id ?? '' })
  expect(messages.length).toBe(rescued.holds.messages)
  expect(messages.length).toBeGreaterThan(120)
  expect(messages.length).toBeLessThan(150)
  expect(messages.at(-1)?.text).toContain('Message 149.')
  const aside = readdirSync(dataDir).filter((name) => name.startsWith('strata.damaged-'))
  expect(aside.map((name) => hashOf(join(dataDir, name)))).toEqual([before])
  await expect
    .poll(async () => (await app.call('sessions.search', { query: 'Message 149' })).total, { timeout: 10_000 })
    .toBeGreaterThan(0)
})

it('a file with a wrong head alone is rescued whole', async () => {
  const dataDir = await usedFolder()
  overwrite(fileOf(dataDir), 0, garbage(16))
  const app = await start(dataDir)
  expect(await app.call('recovery.rescue', {})).toMatchObject({ holds: { chats: 1, messages: 150 }, incomplete: [] })
})

it('a broken journal is told, and what stands before the break can be gone on with', async () => {
  const source = await usedFolder()
  const app = await start(source)
  const { sessions } = await app.call('sessions.list', {})
  for (let index = 0; index < 20; index += 1) {
    await app.call('messages.append', {
      sessionId: sessions[0]?.id ?? '',
      text: `Late ${index}. ${'fog '.repeat(400)}`,
    })
  }
  // as a kill leaves it
  const dataDir = join(temporaryFolder(), 'killed')
  cpSync(source, dataDir, { recursive: true, filter: (from) => !/lock|holder|-shm/.test(from) })
  const journal = `${fileOf(dataDir)}-wal`
  const { size } = statSync(journal)
  expect((await start(cpOf(dataDir))).app.damage).toBeUndefined()
  overwrite(journal, Math.floor(size / 2), garbage(40))
  const damaged = await start(dataDir)
  expect(damaged.app.damage).toMatchObject({ kind: 'journal', files: ['strata.sqlite', 'strata.sqlite-wal'] })
  const rescued = await damaged.call('recovery.rescue', {})
  expect(rescued.holds.messages).toBeGreaterThanOrEqual(150)
  expect(rescued.holds.messages).toBeLessThan(170)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('strata.damaged-'))).toHaveLength(2)
})

/** A torn end is how any kill may leave a journal. */
function cpOf(dataDir: string): string {
  const copy = join(temporaryFolder(), 'torn')
  cpSync(dataDir, copy, { recursive: true })
  const journal = `${fileOf(copy)}-wal`
  truncateSync(journal, statSync(journal).size - 1500)
  return copy
}

it('damaged backups are marked and refused', async () => {
  const dataDir = await usedFolder()
  const name = readdirSync(join(dataDir, 'backups')).find((each) => each.endsWith('.sqlite')) ?? ''
  overwrite(join(dataDir, 'backups', name), 100, garbage(60))
  truncateSync(fileOf(dataDir), 0)
  const app = await start(dataDir)
  const [backup] = await app.call('backups.list', {})
  expect(backup).toMatchObject({ state: 'damaged' })
  expect(await app.app.call('backups.restore', { id: backup?.id })).toMatchObject({
    ok: false,
    error: { code: 'import.unreadable' },
  })
  expect(app.app.damage).toMatchObject({ kind: 'empty' })
  expect(statSync(fileOf(dataDir)).size).toBe(0)
})

it('damage that shows while the app runs is told once, with its own code', async () => {
  const dataDir = await usedFolder()
  const app = await start(dataDir)
  const pages = messagePages(dataDir)
  for (const page of pages) overwrite(fileOf(dataDir), (page - 1) * 4096, garbage(4096))
  const [session] = (await app.call('sessions.list', {})).sessions
  const reply = await app.app.call('sessions.get', { sessionId: session?.id ?? '' })
  expect(reply).toMatchObject({ ok: false, error: { code: 'storage.damaged' } })
  expect(await app.event('storage.damaged')).toMatchObject({ kind: 'pages', running: true })
  expect(app.events.filter(({ name }) => name === 'storage.damaged')).toHaveLength(1)
  expect((await app.call('app.info', {})).damage).toMatchObject({ running: true })
  expect((await app.call('sessions.list', {})).sessions).toHaveLength(1)
  const [backup] = await app.call('backups.list', {})
  await app.call('backups.restore', { id: backup?.id ?? '' })
  expect((await app.call('sessions.get', { sessionId: session?.id ?? '' })).messages).toHaveLength(75)
})

it('an empty file in a folder that was never used is a first start', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(fileOf(dataDir), '')
  const app = await start(dataDir)
  expect(app.app.damage).toBeUndefined()
  expect((await app.call('sessions.list', {})).sessions).toEqual([])
})
