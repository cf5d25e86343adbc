import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'

let server: ModelServer
let app: TestApp
beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  await app.call('settings.update', { patch: { general: { titleFromModel: false } } })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

async function say(sessionId: string, text: string): Promise<void> {
  const { turnId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (done) => done.turnId === turnId)
}

test('a refusal overrules what was set by hand, once, and setting it again counts again', async () => {
  const connection = { name: 'Mine', kind: 'openai-compatible', baseUrl: `${server.url}/v1` } as const
  const profile = { leadingSystems: 'many', midSystem: 'anywhere', alternate: false, userFirst: false } as const
  const { id } = await app.call('connections.save', { ...connection, profile })
  const [model] = await app.call('models.refresh', { connectionId: id })
  const { id: sessionId } = await app.call('sessions.create', {
    modelId: model?.id ?? null,
    topicPrompt: 'Only speak of tides.',
    enhancedPrompt: 'In one line.',
  })
  server.rule = 'one-leading-system'
  await say(sessionId, 'Low water?')
  await say(sessionId, 'And high water?')
  // the first was refused and sent again, the second went through at once
  expect(server.requests).toHaveLength(3)
  expect(app.events.filter(({ name }) => name === 'turn.notice')).toHaveLength(1)
  const learned = (await app.call('connections.list', {})).find((one) => one.id === id)
  expect(learned?.profile).toMatchObject({ ...profile, midSystem: 'none' })
  expect(learned?.learned).toHaveLength(1)
  const again = await app.call('connections.save', { id, ...connection, profile: { midSystem: 'anywhere' } })
  expect(again.profile).toMatchObject(profile)
})
