import { afterEach, beforeEach, expect, test } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'

let app: TestApp
beforeEach(async () => {
  app = await runningApp()
  const { id } = await app.call('connections.save', { name: 'Dry run', kind: 'dry-run' })
  await app.call('settings.update', { patch: { general: { defaultModelId: `${id}/dry-run` } } })
})
afterEach(() => app.close())

async function say(sessionId: string, text: string) {
  const sent = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === sent.turnId)
  return sent
}

test('a message of another chat is not found, and nothing is written for it', async () => {
  const [one, other] = [await app.call('sessions.create', {}), await app.call('sessions.create', {})]
  const { userMessageId, replyMessageId } = await say(other.id, 'Hello')
  const sessionId = one.id
  const refused = { ok: false, error: { code: 'not_found' } }
  expect(await app.app.call('turns.regenerate', { sessionId, messageId: replyMessageId })).toMatchObject(refused)
  expect(await app.app.call('turns.continue', { sessionId, messageId: replyMessageId })).toMatchObject(refused)
  expect(
    await app.app.call('turns.edit-and-resend', { sessionId, messageId: userMessageId, text: 'Again' }),
  ).toMatchObject(refused)
  expect((await app.call('sessions.get', { sessionId: other.id })).messages).toHaveLength(2)
})

test('a second message waits for the first answer: only one of two at once is taken', async () => {
  const { id } = await app.call('sessions.create', {})
  const replies = await Promise.all(['one', 'two'].map((text) => app.app.call('turns.send', { sessionId: id, text })))
  expect(replies.map((reply) => (reply.ok ? 'ok' : reply.error.code)).sort()).toEqual(['busy', 'ok'])
  await app.event('turn.done')
  expect((await app.call('sessions.get', { sessionId: id })).messages).toHaveLength(2)
})
