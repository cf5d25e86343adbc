import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'

let own: ModelServer
let elsewhere: ModelServer
let app: TestApp
let ownModel: string
let otherModel: string

async function connect(server: ModelServer, name: string): Promise<string> {
  const { id } = await app.call('connections.save', { name, kind: 'openai-compatible', baseUrl: `${server.url}/v1` })
  const [model] = await app.call('models.refresh', { connectionId: id })
  return model?.id ?? ''
}

beforeEach(async () => {
  own = await startModelServer()
  elsewhere = await startModelServer()
  app = await runningApp()
  otherModel = await connect(elsewhere, 'Elsewhere')
  ownModel = await connect(own, 'Own machine')
  await app.call('settings.update', {
    patch: {
      general: { defaultModelId: otherModel },
      recentConversations: { minUserTurns: 1 },
      // would follow the summary at once, and be counted or not
      userProfile: { daily: false },
    },
  })
})
afterEach(async () => {
  await app.close()
  await own.close()
  await elsewhere.close()
})

async function say(sessionId: string, text: string): Promise<string> {
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  return replyMessageId
}

const jobsDone = (kind: string) =>
  expect
    .poll(async () => (await app.call('jobs.list', { state: 'all' })).filter((job) => job.kind === kind)[0]?.state, {
      timeout: 15_000,
    })
    .toBe('done')

describe('side calls of a chat', () => {
  test('go to the model that answered it, not to the default one elsewhere', async () => {
    const session = await app.call('sessions.create', { modelId: ownModel })
    await say(session.id, 'The vault code is quoll.')
    await jobsDone('title')
    await jobsDone('summary')
    expect(own.requests).toHaveLength(3)
    expect(elsewhere.requests.map((request) => JSON.stringify(request.body)).join()).not.toContain('quoll')
  })

  test('go to the background model where one is chosen', async () => {
    await app.call('settings.update', { patch: { general: { backgroundModelId: otherModel } } })
    const session = await app.call('sessions.create', { modelId: ownModel })
    await say(session.id, 'Good evening.')
    await jobsDone('title')
    await jobsDone('summary')
    expect(own.requests).toHaveLength(1)
  })
})

test('a server that counts in its own way does not shrink the window to nothing', async () => {
  await app.call('settings.update', {
    patch: { general: { titleFromModel: false }, recentConversations: { enabled: false } },
  })
  const session = await app.call('sessions.create', { modelId: ownModel })
  const text = 'word '.repeat(1500)
  own.answer({ text: 'a', usage: { input: 1800, output: 1 } }, { text: 'b', usage: { input: 90, output: 1 } })
  await say(session.id, text)
  const replyMessageId = await say(session.id, text)
  const { usage } = await app.call('turns.record', { messageId: replyMessageId })
  expect(usage.truncatedByServer?.reported).toBe(90)
  expect((await app.call('models.list', {})).find((model) => model.id === ownModel)?.contextWindow).toBe(32_768)
})
