import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { WriteDatabase } from '../../storage/database'
import { idSequence } from '../../testing/id-sequence'
import { memoryDatabase } from '../../testing/memory-database'
import { temporaryFolder } from '../../testing/temporary-folder'
import { createLanceIndex } from './lance-index'
import { memoryMigrations } from './migrations'
import { removeMemories, saveMemory } from './write'

const DIMENSIONS = 8
const newId = idSequence('m')

function axis(at: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  vector[at % DIMENSIONS] = 1
  return vector
}

function addMemory(database: WriteDatabase, at: number): string {
  const { row } = saveMemory(
    database,
    { text: `memory number ${at}` },
    {
      nowIso: '2026-11-30T12:00:00.000Z',
      newId,
    },
  )
  database
    .prepare('INSERT INTO memory_vec (space, memory_id, chunk, revision, channel, vector) VALUES (1, ?, 0, ?, ?, ?)')
    .run(row.id, row.text_revision, 'sentence', Buffer.from(axis(at).buffer))
  return row.id
}

function filled(count: number) {
  const database = memoryDatabase(memoryMigrations)
  database
    .prepare(
      `INSERT INTO memory_space (id, provider, base_url, model, recipe, dimensions, sentinel, label, state, created_at)
       VALUES (1, 'test', '', 'm', 'r', ?, ?, 'Test', 'serving', '2026-11-30T12:00:00.000Z')`,
    )
    .run(DIMENSIONS, Buffer.from(axis(0).buffer))
  const ids = Array.from({ length: count }, (_, at) => addMemory(database, at))
  const folder = join(temporaryFolder(), 'memory.lance')
  const open = () => {
    const index = createLanceIndex({ folder, database, indexFrom: 15_000 })
    onTestFinished(() => index.close())
    return index
  }
  return { database, ids, folder, open }
}
const SPACE = { id: 1, dimensions: DIMENSIONS }

function allFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? allFiles(join(folder, entry.name)) : [join(folder, entry.name)],
  )
}

test('builds from SQLite, finds the nearest, and trusts an index that matches', async () => {
  const { ids, open } = filled(8)
  const index = open()
  expect(await index.open(SPACE)).toEqual({ rebuilt: true })
  const hits = await index.search(axis(3), 'sentence', 2)
  expect(hits[0]?.memory).toBe(ids[3])
  await index.close()
  expect(await open().open(SPACE)).toEqual({ rebuilt: false })
})

test('a change that never reached the index is noticed at the next start', async () => {
  const { database, ids, open } = filled(4)
  const index = open()
  await index.open(SPACE)
  await index.close()
  const added = addMemory(database, 5)
  removeMemories(database, [ids[0] ?? ''])
  const next = open()
  expect(await next.open(SPACE)).toEqual({ rebuilt: true })
  const found = (await next.search(axis(5), 'sentence', 10)).map((hit) => hit.memory)
  expect(found[0]).toBe(added)
  expect(found).not.toContain(ids[0])
})

test('writing the same change twice leaves one row, and a removed memory leaves none', async () => {
  const { database, ids, open } = filled(3)
  const index = open()
  await index.open(SPACE)
  await index.sync(ids)
  await index.sync(ids)
  removeMemories(database, [ids[1] ?? ''])
  await index.sync(ids)
  await index.tidy()
  expect((await index.search(axis(1), 'sentence', 10)).map((hit) => hit.memory).sort()).toEqual([ids[0], ids[2]].sort())
})

const HARMS: Record<string, (folder: string) => void> = {
  deleted: (folder) => rmSync(folder, { recursive: true }),
  'overwritten with noise': (folder) => {
    for (const file of allFiles(folder)) writeFileSync(file, 'noise')
  },
  'emptied of its data files': (folder) => {
    for (const file of allFiles(folder)) if (file.includes('/data/')) rmSync(file)
  },
  'replaced by a plain file': (folder) => {
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'no folder')
  },
}

test.each(Object.keys(HARMS))('an index folder %s is built again', async (name) => {
  const { ids, folder, open } = filled(5)
  const index = open()
  await index.open(SPACE)
  await index.close()
  HARMS[name]?.(folder)
  const next = open()
  await next.open(SPACE)
  expect((await next.search(axis(4), 'sentence', 1))[0]?.memory).toBe(ids[4])
})
