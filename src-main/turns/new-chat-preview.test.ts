import { afterEach, expect, test } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'

let app: TestApp | undefined
afterEach(() => app?.close())

test('a chat that does not exist yet previews as a new one would, and stays unborn', async () => {
  app = await runningApp()
  const prompt = await app.call('system-prompts.save', { name: 'Editor', text: 'Mind the tides.' })
  await app.call('system-prompts.set-default', { id: prompt.id })
  await app.call('connections.save', { name: 'Dry run', kind: 'dry-run' })
  const preview = await app.call('turns.preview', { sessionId: null, draft: 'When is low water?' })
  expect(preview.ledger.map((span) => span.text).join('')).toContain('Mind the tides.')
  expect(preview.usage.segments.map((each) => each.segment)).toContain('draft')
  expect((await app.call('sessions.list', {})).sessions).toEqual([])
})

test('an empty chat without a single block has no request to show, and its bar still adds up', async () => {
  app = await runningApp()
  await app.call('connections.save', { name: 'Dry run', kind: 'dry-run' })
  await app.call('settings.update', { patch: { context: { sendTime: false } } })
  const { wire, usage } = await app.call('turns.preview', { sessionId: null, draft: ' ' })
  expect(wire).toEqual({ method: '', url: '', headers: {}, body: '' })
  expect(usage.segments.map((each) => each.segment)).toEqual(['tools'])
  expect(usage.used + usage.reserved + (usage.free ?? 0)).toBe(usage.window)
})

test('{{session}} is the title the chat will have, in the preview and in what is sent', async () => {
  app = await runningApp()
  const { id: connectionId } = await app.call('connections.save', { name: 'Dry run', kind: 'dry-run' })
  await app.call('settings.update', { patch: { general: { defaultModelId: `${connectionId}/dry-run` } } })
  const session = await app.call('sessions.create', { topicPrompt: 'This chat is named {{session}}.' })
  const named = (ledger: readonly { text: string; segment: string }[]) =>
    ledger
      .filter((span) => span.segment === 'topic_prompt')
      .map((span) => span.text)
      .join('')
  const preview = await app.call('turns.preview', { sessionId: session.id, draft: 'When is low water?' })
  expect(named(preview.ledger)).toContain('named When is low water?.')
  const { turnId, replyMessageId } = await app.call('turns.send', {
    sessionId: session.id,
    text: 'When is low water?',
  })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  expect(named((await app.call('turns.record', { messageId: replyMessageId })).ledger)).toBe(named(preview.ledger))
})

test('the first message of a chat leaves as it was previewed before there was a chat', async () => {
  app = await runningApp()
  const modelId = 'dry-run/dry-run'
  const context = { sendTime: false, landmarks: { enabled: false }, enhancedPrompt: 'Answer in one line.' }
  await app.call('settings.update', { patch: { general: { defaultModelId: modelId }, context } })
  const prompt = await app.call('system-prompts.save', { name: 'Editor', text: 'Mind {{session}}. {{outlet::lore}}' })
  await app.call('system-prompts.set-default', { id: prompt.id })
  const text = 'When is low water in Kinsale?'
  const preview = await app.call('turns.preview', { sessionId: null, draft: text })
  const { id: sessionId } = await app.call('sessions.create', {})
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (done) => done.turnId === turnId)
  const record = await app.call('turns.record', { messageId: replyMessageId })
  expect(record.wire.body).toBe(preview.wire.body)
  expect(record.sha256).toBe(preview.sha256)
  // what draws lots is bound to a chat, so that nothing is drawn before there is one
  expect(preview.worldbook).toBeNull()
})

test('what cannot be stored or is gone is previewed as sending takes it', async () => {
  app = await runningApp()
  await app.call('settings.update', { patch: { context: { sendTime: false, landmarks: { enabled: false } } } })
  const { id: sessionId } = await app.call('sessions.create', { modelId: 'dry-run/dry-run' })
  const text = 'half \ud83d a \udf0a pair, \u0000, \u202e and 🌊'
  const preview = await app.call('turns.preview', { sessionId, draft: text })
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (done) => done.turnId === turnId)
  expect((await app.call('turns.record', { messageId: replyMessageId })).wire.body).toBe(preview.wire.body)
  const gone = { sessionId, attachments: ['nowhere'] }
  await expect(app.call('turns.preview', { ...gone, draft: 'Look' })).rejects.toMatchObject({ code: 'bad_input' })
  await expect(app.call('turns.send', { ...gone, text: 'Look' })).rejects.toMatchObject({ code: 'bad_input' })
})

test('with nothing typed, the newest question counts as history once it is answered', async () => {
  app = await runningApp()
  const { id: sessionId } = await app.call('sessions.create', { modelId: 'dry-run/dry-run' })
  const { turnId } = await app.call('turns.send', { sessionId, text: 'When is low water?' })
  await app.event('turn.done', (done) => done.turnId === turnId)
  const segments = async (draft: string) =>
    (await app?.call('turns.preview', { sessionId, draft }))?.usage.segments.map((each) => each.segment)
  expect(await segments('')).not.toContain('draft')
  expect(await segments('And tomorrow?')).toContain('draft')
})
