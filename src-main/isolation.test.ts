import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../e2e/support/model-server'
import { runningApp, type TestApp } from './testing/running-app'

/** Written under isolation: in no body that leaves for anybody but the chat's own model. */
const CANARY = 'quokka-7731'

let own: ModelServer
let elsewhere: ModelServer
let app: TestApp
let ownModel: string
let otherModel: string
let book: string
const embedded = () => elsewhere.embedding.asked.map(({ text }) => text).join('\n')

async function connect(server: ModelServer, name: string): Promise<{ connectionId: string; modelId: string }> {
  const { id } = await app.call('connections.save', { name, kind: 'openai-compatible', baseUrl: `${server.url}/v1` })
  const [model] = await app.call('models.refresh', { connectionId: id })
  await app.call('models.save', { id: model?.id ?? '', capabilities: { tools: true } })
  return { connectionId: id, modelId: model?.id ?? '' }
}

beforeEach(async () => {
  own = await startModelServer()
  elsewhere = await startModelServer()
  // fits whatever background work asks for
  elsewhere.otherwise = { text: '{"memories": [], "facts": []}' }
  app = await runningApp()
  const other = await connect(elsewhere, 'Elsewhere')
  otherModel = other.modelId
  ownModel = (await connect(own, 'Own machine')).modelId
  const { id } = await app.call('worldbook.save', {
    book: {
      name: 'Fogharbour',
      entries: [{ keys: ['ferry'], content: 'The ferry is the Kestrel.', vectorized: true }],
    },
  })
  book = id
  await app.call('settings.update', {
    patch: {
      general: { defaultModelId: otherModel, backgroundModelId: otherModel },
      recentConversations: { minUserTurns: 1, minIntervalMinutes: 0 },
      memory: {
        extraction: 'automatic',
        embedder: { kind: 'openai-compatible', connectionId: other.connectionId, model: 'vectors' },
      },
    },
  })
  await app.call('memory.save', { text: 'The user rows a boat on Sundays.' })
  await expect.poll(async () => (await app.call('memory.status', {})).indexed, { timeout: 15_000 }).toBe(1)
})
afterEach(async () => {
  await app.close()
  await own.close()
  await elsewhere.close()
})

async function say(sessionId: string, text: string): Promise<{ replyMessageId: string; userMessageId: string }> {
  const { turnId, ...ids } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  return ids
}
const isolate = (sessionId: string, isolation: boolean) =>
  app.call('sessions.update', { sessionId, patch: { isolation } })
const quiet = () =>
  expect
    .poll(
      async () =>
        (await app.call('jobs.list', {})).filter(({ state }) => state === 'waiting' || state === 'running').length,
      { timeout: 20_000 },
    )
    .toBe(0)
const bodies = (server: ModelServer) => server.requests.map(({ body }) => JSON.stringify(body)).join('\n')
const begin = async (fields: object = {}) =>
  (await app.call('sessions.create', { modelId: ownModel, worldbookIds: [book], isolation: true, ...fields })).id

/** Isolated for two turns, then not: what is left is a chat that holds marked messages. */
async function chatWithSecret(): Promise<string> {
  const id = await begin()
  await say(id, `The word of the ferry is ${CANARY}.`)
  await say(id, `${CANARY}, I said.`)
  await isolate(id, false)
  return id
}
const notElsewhere = () => {
  expect(bodies(elsewhere)).not.toContain(CANARY)
  expect(embedded()).not.toContain(CANARY)
}

describe('what was written under isolation', () => {
  test('leaves for nobody but the chat’s own model, also after isolation was switched off', async () => {
    const id = await chatWithSecret()
    // short, so that the turn before it would be asked about too
    const { replyMessageId } = await say(id, 'And boats?')
    await quiet()
    await app.call('recent-conversations.generate', { sessionId: id })
    await quiet()
    const anew = await app.call('turns.regenerate', { sessionId: id, messageId: replyMessageId })
    await app.event('turn.done', (payload) => payload.turnId === anew.turnId)
    const { messages } = await app.call('sessions.get', { sessionId: id })
    const first = messages[1]?.id ?? ''
    const again = await app.call('turns.regenerate', { sessionId: id, messageId: first })
    await app.event('turn.done', (payload) => payload.turnId === again.turnId)
    const edited = await app.call('turns.edit-and-resend', {
      sessionId: id,
      messageId: messages[0]?.id ?? '',
      text: `Once more: ${CANARY}.`,
    })
    await app.event('turn.done', (payload) => payload.turnId === edited.turnId)
    await say(id, 'Thanks.')
    await quiet()
    notElsewhere()
    expect(bodies(own)).toContain(CANARY)
    // the net has no hole: what was written outside does leave
    expect(bodies(elsewhere)).toContain('And boats?')
    expect(embedded()).toContain('And boats?')
    await app.call('user-profile.generate', {})
    await quiet()
    const other = await app.call('sessions.create', { modelId: otherModel })
    await say(other.id, 'What do you know of me?')
    notElsewhere()
    expect((await app.call('memory.list', {})).memories.map(({ text }) => text).join()).not.toContain(CANARY)
  })

  test('looking at what isolation withholds asks no embedder either', async () => {
    const id = await begin()
    await say(id, `The word of the ferry is ${CANARY}.`)
    await app.call('turns.preview', { sessionId: id, overrides: { isolation: false } })
    await app.call('turns.preview', { sessionId: id, draft: `ferry ${CANARY}`, overrides: { isolation: false } })
    const { worldbook, wire } = await app.call('turns.preview', { sessionId: id, draft: `ferry ${CANARY}` })
    // its keywords work as ever, and what was not asked for is told
    expect(wire.body).toContain('The ferry is the Kestrel.')
    expect(JSON.stringify((worldbook as { warnings: unknown }).warnings)).toContain('written under isolation')
    notElsewhere()
  })

  test('a turn that was sent isolated, or was under way when isolation came, is marked', async () => {
    const id = await begin({ isolation: false })
    const sent = await app.call('turns.send', { sessionId: id, text: CANARY, overrides: { isolation: true } })
    await app.event('turn.done', (payload) => payload.turnId === sent.turnId)
    await quiet()
    own.answer({ text: `It is ${CANARY}, as you know well.`, holdAfter: 1 }, { text: 'Fine.' })
    const other = await begin({ isolation: false })
    const { turnId } = await app.call('turns.send', { sessionId: other, text: 'Go on.' })
    await expect.poll(() => bodies(own)).toContain('Go on.')
    await isolate(other, true)
    own.release()
    await app.event('turn.done', (payload) => payload.turnId === turnId)
    const marks = async (sessionId: string) =>
      (await app.call('sessions.get', { sessionId })).messages.map((message) => message.isolated ?? false)
    expect(await marks(id)).toEqual([true, true])
    expect(await marks(other)).toEqual([false, true])
  })

  test('the model saves no memory in a chat that holds it, and its searches stay here', async () => {
    await app.call('settings.update', { patch: { memory: { activeRetrieval: true } } })
    const id = await chatWithSecret()
    const tools = await app.call('tools.list', { sessionId: id })
    expect(tools.find((tool) => tool.name === 'save_memory')).toMatchObject({
      available: false,
      reason: 'holds_isolated',
    })
    own.answer(
      { toolCalls: [{ id: 'c', name: 'search_memory', arguments: { query: `${CANARY} boat` } }] },
      { text: 'Found.' },
    )
    await say(id, 'Look it up.')
    expect(bodies(own)).toContain('rows a boat')
    notElsewhere()
  })

  test('a fork and an export carry the marks; an export of before counts all of an isolated chat', async () => {
    const id = await chatWithSecret()
    await say(id, 'Outside.')
    const fork = await app.call('sessions.fork', { sessionId: id })
    expect(fork.isolatedMessages).toBe(5)
    const { dataBase64 } = await app.call('transfer.export', { sessionIds: [id], format: 'json' })
    const text = Buffer.from(dataBase64, 'base64').toString()
    await app.call('sessions.purge', { sessionIds: [id] })
    await app.call('transfer.import', { fileName: 'x.strata.json', dataBase64 })
    const { messages } = await app.call('sessions.get', { sessionId: id })
    expect(messages.map((message) => message.isolated ?? false)).toEqual([true, true, true, true, false, true])
    await app.call('sessions.purge', { sessionIds: [id] })
    const older = text.replaceAll(/"isolated":(?:true|false),?/g, '').replace('"isolation":false', '"isolation":true')
    await app.call('transfer.import', { fileName: 'x.strata.json', dataBase64: Buffer.from(older).toString('base64') })
    expect((await app.call('sessions.get', { sessionId: id })).session.isolatedMessages).toBe(6)
  })

  test('released by the person it counts like everything else', async () => {
    const id = await chatWithSecret()
    expect((await app.call('sessions.get', { sessionId: id })).session.isolatedMessages).toBe(4)
    const { released, session } = await app.call('sessions.release-isolated', { sessionId: id })
    expect(released).toBe(4)
    expect(session).not.toHaveProperty('isolatedMessages')
    await say(id, 'And boats?')
    await quiet()
    expect(bodies(elsewhere)).toContain(CANARY)
    expect(embedded()).toContain(CANARY)
  })
})

test('isolating a chat takes its summary, and what the profile knows from it alone, back at once', async () => {
  await app.call('settings.update', { patch: { memory: { extraction: 'off' }, userProfile: { daily: false } } })
  const id = await begin({ isolation: false, title: 'Herons' })
  elsewhere.answer({ text: `A note about ${CANARY}.` })
  await say(id, 'I keep herons.')
  await quiet()
  elsewhere.answer({
    text: JSON.stringify({
      overview: `Keeps ${CANARY}.`,
      facts: [{ category: 'work', statement: `Feeds ${CANARY}.` }],
    }),
  })
  await app.call('user-profile.generate', {})
  await quiet()
  const told = async () => {
    const { id: asked } = await app.call('sessions.create', { modelId: ownModel })
    const { wire } = await app.call('turns.preview', { sessionId: asked, draft: 'Hello there' })
    return wire.body.split(CANARY).length - 1
  }
  expect(await told()).toBe(3)
  await isolate(id, true)
  expect(await told()).toBe(0)
  elsewhere.requests.length = 0
  const other = await begin({ isolation: false })
  await say(other, 'I row.')
  await quiet()
  await app.call('user-profile.generate', {})
  await quiet()
  expect(elsewhere.requests.length).toBeGreaterThan(0)
  notElsewhere()
  await isolate(id, false)
  expect(await told()).toBeGreaterThan(0)
})
