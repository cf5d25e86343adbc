import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectModel } from '../../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../../e2e/support/model-server'
import { runningApp, type TestApp } from '../../testing/running-app'

let server: ModelServer
let app: TestApp

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  await connectModel(app, server)
})
afterEach(async () => {
  await app.close()
  await server.close()
})

async function say(sessionId: string, text: string): Promise<string> {
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  return replyMessageId
}
const indexed = (pending: number, count: number) =>
  expect
    .poll(
      async () => {
        const { pending: left, indexed: done } = await app.call('memory.status', {})
        return [left, done]
      },
      { timeout: 60_000 },
    )
    .toEqual([pending, count])

/** The index writes and drops files of its own at any moment: one that just went holds nothing. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Files below the data folder that hold these bytes. */
function filesWith(text: string): string[] {
  const wanted = Buffer.from(text)
  return readdirSync(app.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => bytesOf(path).includes(wanted))
    .map((path) => path.slice(app.dataDir.length + 1))
}

/** Files of the index with rows of this memory. Its log may still name the id that was deleted, which says nothing. */
const indexedRows = (id: string) => filesWith(id).filter((path) => /^memory\.lance.*[\\/]data[\\/]/.test(path))

const CANARY = 'zanzibarine'
const QUOTE = 'quothcanary'

async function tellAndDelete(): Promise<{ injectedIn: string; rejectedIn: string; id: string }> {
  const session = await app.call('sessions.create', {})
  const memory = await app.call('memory.save', {
    text: `The user restores a ${CANARY} cello`,
    source: { kind: 'conversation', sessionId: session.id, messageId: 'm', quote: `my ${QUOTE}` },
  })
  await app.call('memory.save', { text: 'Rent is due on Friday' })
  await indexed(0, 2)
  const injectedIn = await say(session.id, 'What about my cello?')
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(CANARY)
  const rejectedIn = await say(session.id, 'When is my rent due?')
  await app.call('memory.save', { id: memory.id, text: `The user restored an old ${CANARY} cello` })
  await indexed(0, 2)
  expect(filesWith(CANARY).length).toBeGreaterThan(0)
  expect(indexedRows(memory.id).length).toBeGreaterThan(0)
  await app.call('memory.remove', { ids: [memory.id] })
  await indexed(0, 1)
  return { injectedIn, rejectedIn, id: memory.id }
}

test('a deleted memory leaves the disk: words, quote, history, index, and the requests that showed it', {
  timeout: 180_000,
}, async () => {
  const { injectedIn, rejectedIn, id } = await tellAndDelete()
  await expect.poll(() => indexedRows(id), { timeout: 20_000 }).toEqual([])
  expect(filesWith(CANARY)).toEqual([])
  expect(filesWith(QUOTE)).toEqual([])
  for (const messageId of [injectedIn, rejectedIn]) {
    const record = await app.call('turns.record', { messageId })
    expect(JSON.stringify(record)).not.toContain(CANARY)
    expect(record.usage.used).toBeGreaterThan(0)
  }
  expect((await app.call('turns.record', { messageId: injectedIn })).wire.body).toContain('What about my cello?')
})

test('where the user chose to keep them, stored requests stay readable', { timeout: 180_000 }, async () => {
  await app.call('settings.update', { patch: { records: { deletedText: 'keep' } } })
  const { injectedIn } = await tellAndDelete()
  expect((await app.call('turns.record', { messageId: injectedIn })).wire.body).toContain(CANARY)
})
