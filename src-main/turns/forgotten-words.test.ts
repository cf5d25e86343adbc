import { afterEach, beforeEach, expect, test } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'

let app: TestApp
let reply: string

/** Everything about one answer that shows words of layers a person may delete. */
const record = async () => JSON.stringify(await app.call('turns.record', { messageId: reply }))

const WORDS = ['Zorblax', 'QX', 'Ferryman', 'kestrel', 'otters']

beforeEach(async () => {
  app = await runningApp()
  const { id } = await app.call('connections.save', { name: 'Dry run', kind: 'dry-run' })
  await app.call('settings.update', { patch: { general: { defaultModelId: `${id}/dry-run` }, memory: { topK: 0 } } })
  await app.call('memory.save', { text: 'Zorblax lives in Turin.' })
  await app.call('memory.save', { text: 'QX' })
  const other = await app.call('sessions.create', { title: 'Ferryman' })
  await app.call('recent-conversations.save', { sessionId: other.id, text: 'The kestrel grounds.' })
  await app.call('user-profile.save', { facts: [{ category: 'pets', statement: 'Keeps otters.' }] })
  const session = await app.call('sessions.create', {})
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId: session.id, text: 'Hello' })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  reply = replyMessageId
})
afterEach(() => app.close())

async function forgetAll(): Promise<void> {
  const { memories } = await app.call('memory.list', {})
  await app.call('memory.remove', { ids: memories.map((memory) => memory.id) })
  const [summary] = await app.call('recent-conversations.list', {})
  await app.call('recent-conversations.remove', { sessionId: summary?.sessionId ?? '' })
  await app.call('user-profile.clear', {})
}

test('a record names its sources, and forgets text and name of deleted ones alike', async () => {
  const before = await app.call('turns.record', { messageId: reply })
  const named = before.usage.segments.flatMap((segment) => segment.top.map((top) => top.label)).join()
  for (const word of WORDS) expect(await record()).toContain(word)
  expect(named).toContain('Zorblax')
  expect(before.ledger.filter((span) => span.label === '')).toEqual([])
  await forgetAll()
  for (const word of WORDS) expect(await record()).not.toContain(word)
  const after = await app.call('turns.record', { messageId: reply })
  expect(after.usage.used).toBe(before.usage.used)
  expect(after.wire.body).toContain('[deleted]')
  expect(after.ledger.filter((span) => span.label === '[deleted]').length).toBeGreaterThanOrEqual(4)
})

test('a record keeps them where the settings say so', async () => {
  await app.call('settings.update', { patch: { records: { deletedText: 'keep' } } })
  const before = await record()
  await forgetAll()
  expect(await record()).toBe(before)
})
