import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryDatabase } from '../../testing/memory-database'
import { fakeEmbedder, testRoom } from '../../testing/memory-room-rig'
import { temporaryFolder } from '../../testing/temporary-folder'
import { createLocalEngine, type EngineHost } from './engine-host'
import { memoryMigrations } from './migrations'

/** Counts what would have started the search's thread. */
function watchedEngine(): { engine: EngineHost; asked: string[] } {
  const asked: string[] = []
  const inner = createLocalEngine()
  const watch = <A extends unknown[], R>(name: string, run: (...args: A) => R) => {
    return (...args: A): R => {
      asked.push(name)
      return run(...args)
    }
  }
  const engine: EngineHost = {
    upsert: watch('upsert', inner.upsert),
    remove: watch('remove', inner.remove),
    forgetReadings: watch('forgetReadings', inner.forgetReadings),
    setMiddle: watch('setMiddle', inner.setMiddle),
    search: watch('search', inner.search),
    vectorCount: watch('vectorCount', inner.vectorCount),
    close: inner.close,
  }
  return { engine, asked }
}

test('without a memory no thread, no model and no on-disk index is started, whatever is asked', async () => {
  const folder = temporaryFolder()
  const embedder = fakeEmbedder()
  const { engine, asked } = watchedEngine()
  const { room } = testRoom(folder, { engine, embedder: () => embedder })
  onTestFinished(() => room.close())
  await room.start()
  room.settingsChanged()
  room.warm()
  await room.search({ query: 'what do I own' })
  await room.search({ query: 'where did I live before, in the past?' })
  room.handlers['memory.status']({})
  await room.idle()
  expect(asked).toEqual([])
  expect(embedder.calls).toEqual([])
  expect(existsSync(join(folder, 'memory.lance'))).toBe(false)
  room.save({ text: 'The user plays the cello' })
  await room.idle()
  expect(asked).toContain('upsert')
  expect(embedder.calls.flat()).toContain('The user plays the cello')
  expect(existsSync(join(folder, 'memory.lance'))).toBe(true)
})

test('after everything was deleted, the next start is as light as the first', async () => {
  const folder = temporaryFolder()
  const database = memoryDatabase(memoryMigrations)
  const first = testRoom(folder, { database, embedder: () => fakeEmbedder() })
  const { id } = first.room.save({ text: 'The user plays the cello' })
  await first.room.start()
  await first.room.idle()
  await first.room.handlers['memory.remove']({ ids: [id] })
  await first.room.idle()
  await first.room.close()
  expect(database.prepare('SELECT * FROM memory_outbox').all()).toEqual([])
  const embedder = fakeEmbedder()
  const { engine, asked } = watchedEngine()
  const { room } = testRoom(folder, { database, engine, embedder: () => embedder })
  onTestFinished(() => room.close())
  await room.start()
  await room.idle()
  expect(asked).toEqual([])
  expect(embedder.calls).toEqual([])
})
