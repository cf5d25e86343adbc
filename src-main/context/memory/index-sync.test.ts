import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { idSequence } from '../../testing/id-sequence'
import { memoryDatabase } from '../../testing/memory-database'
import { fakeEmbedder } from '../../testing/memory-room-rig'
import { temporaryFolder } from '../../testing/temporary-folder'
import { IndexSync } from './index-sync'
import { createLanceIndex } from './lance-index'
import { memoryMigrations } from './migrations'
import { readOutbox } from './outbox'
import { readTexts } from './read-texts'
import { createSpace, readSentinel } from './spaces'
import { Sweep } from './sweep'
import { removeMemories, saveMemory } from './write'

const NOW = '2026-11-30T12:00:00.000Z'

async function opened() {
  const database = memoryDatabase(memoryMigrations)
  const embedder = fakeEmbedder()
  const newId = idSequence('m')
  const sentinel = await readSentinel(embedder)
  if (sentinel === undefined) throw new Error('The sentinel has no vector.')
  const space = createSpace(database, embedder, sentinel, { state: 'serving', nowIso: NOW })
  const save = (text: string) => saveMemory(database, { text }, { nowIso: NOW, newId }).row
  const signal = new AbortController().signal
  const read = async (sweep: Sweep) => {
    const pending = await sweep.next(8)
    await readTexts(database, { space, embedder, pending, signal, onRefused: () => undefined })
    return pending.map((memory) => memory.text)
  }
  const waiting = () => readOutbox(database, 100).map((entry) => entry.memory_id)
  return { database, space, save, read, waiting }
}

test.each([true, false])(
  'what was saved while the index was being written is still read, with an index: %s',
  async (withIndex) => {
    const { database, space, save, read, waiting } = await opened()
    const folder = join(temporaryFolder(), 'memory.lance')
    const lance = createLanceIndex({ folder, database, indexFrom: 15_000 })
    onTestFinished(() => lance.close())
    const sync = new IndexSync({
      database,
      ...(withIndex ? { lance } : {}),
      indexFrom: 15_000,
      isClosed: () => false,
    })
    const gone = save('The user sold the old boat')
    save('The user plays the cello')
    const sweep = new Sweep(database, space.id)
    expect(await read(sweep)).toHaveLength(2)
    expect(await read(sweep)).toEqual([])
    const late = save('Rent is due on Friday')
    removeMemories(database, [gone.id])
    expect(await sync.carry(space)).toEqual({ failed: false, handedOver: false })
    expect(waiting()).toEqual([late.id])
    expect(await read(sweep)).toEqual(['Rent is due on Friday'])
    await sync.carry(space)
    expect(waiting()).toEqual([])
  },
)
