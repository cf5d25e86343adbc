import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'

let server: ModelServer
let app: TestApp
beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
})
afterEach(async () => {
  await app.close()
  await server.close()
})

async function failedAfterTool(): Promise<{ sessionId: string; messageId: string }> {
  const connection = { name: 'Local', kind: 'openai-compatible', baseUrl: `${server.url}/v1` } as const
  const { id: connectionId } = await app.call('connections.save', connection)
  const [model] = await app.call('models.refresh', { connectionId })
  const context = { sendTime: false, landmarks: { enabled: false } }
  await app.call('settings.update', { patch: { general: { titleFromModel: false }, context } })
  const { id: sessionId } = await app.call('sessions.create', { modelId: model?.id ?? null })
  server.answer(
    { text: 'Let me look.', toolCalls: [{ id: 'c1', name: 'get_time', arguments: {} }] },
    { error: { status: 401, message: 'The key has expired.' } },
  )
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text: 'What time is it?' })
  await app.event('turn.failed', (failed) => failed.turnId === turnId)
  return { sessionId, messageId: replyMessageId }
}

test('asking again after a failed round previews the finished rounds it will send', async () => {
  const { sessionId, messageId } = await failedAfterTool()
  const preview = await app.call('turns.preview', { sessionId, regenerate: messageId })
  const { turnId, replyMessageId } = await app.call('turns.regenerate', { sessionId, messageId })
  await app.event('turn.done', (done) => done.turnId === turnId)
  const record = await app.call('turns.record', { messageId: replyMessageId })
  expect(record.wire.body).toContain('Let me look.')
  expect(preview.wire.body).toBe(record.wire.body)
  expect(preview.ledger.map(({ id }) => id)).toEqual(record.ledger.map(({ id }) => id))
})

test('an answer of another chat cannot be previewed here', async () => {
  const { messageId } = await failedAfterTool()
  const { id: sessionId } = await app.call('sessions.create', {})
  const refused = app.call('turns.preview', { sessionId, regenerate: messageId })
  await expect(refused).rejects.toMatchObject({ code: 'not_found' })
})
