import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { SOURCE_HOOK } from '../../ipc/thread'
import { openDatabase } from '../../storage/open-database'
import { fakeEmbedder, testRoom } from '../../testing/memory-room-rig'
import { temporaryFolder } from '../../testing/temporary-folder'
import { createLanceIndex, stateOf } from './lance-index'
import { memoryMigrations } from './migrations'
import { servingSpace } from './spaces'

const CHILD = fileURLToPath(new URL('../../testing/memory-crash-child.ts', import.meta.url))

interface Told {
  saved: Set<string>
  removed: Set<string>
}

/** Lets the child write for a while, then kills it without warning. What it had told is what it had committed. */
function runAndKill(folder: string, start: number, saves: number, more: string[] = []): Promise<Told> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', SOURCE_HOOK, CHILD, folder, String(start), ...more],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const told: Told = { saved: new Set(), removed: new Set() }
  let trouble = ''
  let rest = ''
  child.stderr.on('data', (chunk) => {
    trouble += chunk
  })
  child.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [what, id = ''] = line.split(' ')
      if (what === 'saved') told.saved.add(id)
      if (what === 'removed') told.removed.add(id)
    }
    if (told.saved.size >= saves) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) =>
      signal === 'SIGKILL'
        ? resolve(told)
        : reject(new Error(`The child ended with ${code}: ${trouble.slice(0, 2_000)}`)),
    )
  })
}

test('killed in mid-write again and again: nothing committed is lost, and the index catches up', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder()
  const saved = new Set<string>()
  const removed = new Set<string>()
  for (const [round, saves] of [3, 11, 26, 42].entries()) {
    const told = await runAndKill(folder, round * 1_000, saves)
    for (const id of told.saved) saved.add(id)
    for (const id of told.removed) removed.add(id)
  }
  const nowIso = () => '2026-11-30T12:00:00.000Z'
  const { database } = await openDatabase({ dataDir: folder, migrations: memoryMigrations, nowIso })
  const present = new Set(
    database
      .prepare<[], { id: string }>('SELECT id FROM memory')
      .all()
      .map((row) => row.id),
  )
  for (const id of saved) if (!removed.has(id)) expect(present.has(id), `${id} is there`).toBe(true)
  for (const id of removed) expect(present.has(id), `${id} is gone`).toBe(false)
  const changes = database
    .prepare<[], { n: number }>(
      'SELECT count(*) AS n FROM memory WHERE revision <> (SELECT count(*) FROM memory_history WHERE memory_id = memory.id)',
    )
    .get()
  expect(changes?.n).toBe(0)

  const embedder = fakeEmbedder('letters', 16)
  const { room } = testRoom(folder, { database, embedder: () => embedder, ids: () => 'unused' })
  await room.start()
  await room.idle()
  expect(room.handlers['memory.status']({})).toMatchObject({ indexed: present.size, pending: 0, failed: 0 })
  expect(database.prepare('SELECT * FROM memory_outbox').all()).toEqual([])
  await room.close()

  const space = servingSpace(database)
  if (space === undefined) throw new Error('No space serves.')
  const index = createLanceIndex({ folder: `${folder}/memory.lance`, database, indexFrom: 15_000 })
  onTestFinished(() => index.close())
  // Nothing to rebuild: the on-disk index holds exactly what SQLite says.
  expect(await index.open(space)).toEqual({ rebuilt: false })
  expect(stateOf(database, space.id).count).toBe(present.size)
})

test('killed while the space of another embedder is built: the old one serves on, and the new one is finished', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder()
  // The sentinel and about half of the sixty texts.
  await runAndKill(folder, 0, 30, ['rebuild'])
  const nowIso = () => '2026-11-30T12:00:00.000Z'
  const { database } = await openDatabase({ dataDir: folder, migrations: memoryMigrations, nowIso })
  const before = database
    .prepare<[], { state: string; dimensions: number; read: number }>(
      `SELECT state, dimensions, (SELECT count(*) FROM memory_vec WHERE space = memory_space.id) AS read
       FROM memory_space ORDER BY id`,
    )
    .all()
  expect(before).toMatchObject([
    { state: 'serving', dimensions: 16, read: 60 },
    { state: 'building', dimensions: 32 },
  ])
  const read = before[1]?.read ?? 0
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(60)
  const embedder = fakeEmbedder('other letters', 32)
  const older = fakeEmbedder('letters', 16)
  const { room } = testRoom(folder, {
    database,
    embedder: () => embedder,
    embedderFor: () => older,
    ids: () => 'unused',
  })
  onTestFinished(() => room.close())
  await room.start()
  await room.idle()
  expect(room.handlers['memory.status']({})).toMatchObject({ dims: 32, indexed: 60, pending: 0, failed: 0 })
  // What was read before the kill is not read again.
  expect(embedder.calls.flat().filter((text) => text.startsWith('Fact '))).toHaveLength(60 - read)
  const { hits } = await room.search({ query: 'my fact 7 about the cello', limit: 3 })
  expect(hits.map((hit) => hit.memory.text)).toContain('Fact 7 about the cello')
})
