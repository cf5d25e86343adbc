import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectModel } from '../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'

let server: ModelServer
let app: TestApp
let sessionId: string

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  await connectModel(app, server)
  sessionId = (await app.call('sessions.create', {})).id
})
afterEach(async () => {
  await app.close()
  await server.close()
})

const refused = async (name: string, input: object) => {
  const reply = await app.app.call(name, { sessionId, text: 'again', ...input })
  return reply.ok ? 'taken' : reply.error.code
}
const delivered = async (id: string) => (await app.call('messages.delivered', { id })).delivered
const idle = () => expect.poll(async () => (await app.call('turns.running', {})).length, { timeout: 15_000 }).toBe(0)

test('a message is stored once, whichever way it is handed over again, and who lost the answer can ask', async () => {
  expect(await delivered('message-one')).toBe(false)
  server.answer({ text: 'Still writing.', holdAfter: 1 })
  const sent = await app.call('turns.send', { sessionId, text: 'one', id: 'message-one' })
  expect(sent.userMessageId).toBe('message-one')
  await app.event('turn.delta', (delta) => delta.turnId === sent.turnId)
  await app.call('queue.add', { sessionId, text: 'two', id: 'message-two' })
  expect([await delivered('message-one'), await delivered('message-two')]).toEqual([true, true])
  for (const id of ['message-one', 'message-two']) {
    for (const name of ['turns.send', 'queue.add', 'messages.append']) {
      expect(['conflict', 'busy'], `${name} ${id}`).toContain(await refused(name, { id }))
    }
  }
  server.release()
  await expect.poll(() => server.requests.length, { timeout: 15_000 }).toBe(2)
  await idle()
  // the one that waited keeps its id when it is sent
  const { messages } = await app.call('sessions.get', { sessionId })
  expect(messages.filter(({ role }) => role === 'user').map(({ id, text }) => [id, text])).toEqual([
    ['message-one', 'one'],
    ['message-two', 'two'],
  ])
  expect(await refused('queue.add', { id: 'message-two' })).toBe('conflict')
  await app.call('messages.append', { sessionId, text: 'three', id: 'message-three' })
  expect(await refused('turns.send', { id: 'message-three' })).toBe('conflict')
  expect(server.requests).toHaveLength(2)
})
