import { afterEach, expect, test } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'

let app: TestApp | undefined
afterEach(() => app?.close())

test('a model that takes less than its window bounds the budget of preview and record', async () => {
  app = await runningApp()
  const modelId = 'dry-run/dry-run'
  await app.call('models.save', { id: modelId, maxInputTokens: 900 })
  const { id: sessionId } = await app.call('sessions.create', { modelId })
  const { usage } = await app.call('turns.preview', { sessionId, draft: 'When is low water?' })
  expect(usage).toMatchObject({ window: 128_000, maxInput: 900, budget: 900 })
  expect(usage.used + (usage.free ?? 0) - usage.over).toBe(900)
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text: 'When is low water?' })
  await app.event('turn.done', (done) => done.turnId === turnId)
  expect((await app.call('turns.record', { messageId: replyMessageId })).usage).toMatchObject({ budget: 900 })
  await app.call('models.save', { id: modelId, maxInputTokens: null })
  const open = (await app.call('turns.preview', { sessionId, draft: '' })).usage
  expect(open.used + open.reserved + (open.free ?? 0)).toBe(128_000)
})
