import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'

const SECRETS = [
  'sk-proj-abcdefghijklmnopqrstuvwx',
  'ghp_abcdefghijklmnopqrstuvwxyz0123',
  'hunter2secret',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU',
  'swordfish',
]
const TOLD = [
  `I keep bees. The key is ${SECRETS[0]} and the token ${SECRETS[1]}.`,
  `My password is ${SECRETS[2]}, and DB_PASSWORD=${SECRETS[4]} for the hive server.`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${SECRETS[3]}\n-----END OPENSSH PRIVATE KEY-----`,
]

let server: ModelServer
let app: TestApp

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  const { id } = await app.call('connections.save', {
    name: 'Scripted',
    kind: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
  })
  const [model] = await app.call('models.refresh', { connectionId: id })
  await app.call('settings.update', {
    patch: {
      general: { defaultModelId: model?.id ?? '' },
      recentConversations: { minUserTurns: 1, minIntervalMinutes: 0 },
      memory: { extraction: 'ask', embedder: { kind: 'none' } },
      userProfile: { daily: false },
    },
  })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

const quiet = () =>
  expect
    .poll(
      async () =>
        (await app.call('jobs.list', {})).filter(({ state }) => state === 'waiting' || state === 'running').length,
      { timeout: 20_000 },
    )
    .toBe(0)

test('title, summary, extraction and profile read no secret of the chat; the chat sends its own', async () => {
  server.otherwise = { text: '{"memories": [], "facts": []}' }
  const { id } = await app.call('sessions.create', {})
  const chat: number[] = []
  for (const text of TOLD) {
    chat.push(server.requests.length)
    const { turnId } = await app.call('turns.send', { sessionId: id, text })
    await app.event('turn.done', (payload) => payload.turnId === turnId)
    await quiet()
  }
  await app.call('recent-conversations.save', { sessionId: id, text: `Bees; ${TOLD[0]}` })
  await app.call('user-profile.generate', {})
  await quiet()
  const bodies = server.requests.map(({ body }) => JSON.stringify(body))
  const background = bodies.filter((_body, index) => !chat.includes(index))
  for (const asked of ['Name this conversation', 'keep short notes', 'look for lasting facts', 'careful picture'])
    expect(background.join('\n')).toContain(asked)
  expect(background.join('\n')).toContain('I keep bees.')
  for (const secret of SECRETS) {
    expect(background.join('\n'), secret).not.toContain(secret)
    expect(bodies.join('\n'), secret).toContain(secret)
  }
})
