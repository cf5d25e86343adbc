import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectModel } from '../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'

let server: ModelServer
let app: TestApp
let modelId: string
let connectionId: string
beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  modelId = await connectModel(app, server)
  connectionId = modelId.split('/')[0] ?? ''
  await app.call('models.save', { id: modelId, capabilities: { tools: true } })
  // a clock in the request would tell preview and sending apart
  await app.call('settings.update', { patch: { context: { sendTime: false, landmarks: { enabled: false } } } })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

type Body = Record<string, unknown>
const bodies = () => server.requests.map((request) => request.body as Body)
const refusal = (status: number, message: string, more: object = {}) => ({
  status,
  body: { error: { message, ...more } },
})
const chat = async () => (await app.call('sessions.create', { modelId })).id

async function say(sessionId: string, text = 'Low water?') {
  const { turnId } = await app.call('turns.send', { sessionId, text })
  const ended = await Promise.race([
    app.event('turn.done', (done) => done.turnId === turnId),
    app.event('turn.failed', (failed) => failed.turnId === turnId),
  ])
  return { turnId, failed: 'code' in ended, notices: app.events.filter(({ name }) => name === 'turn.notice').length }
}

const learned = async () =>
  (await app.call('connections.list', {})).find((one) => one.id === connectionId)?.learned ?? []

/** As a gateway in front of a reasoning model does: one complaint at a time. */
const strict = (body: Body) => {
  if ('stream_options' in body)
    return {
      status: 422,
      body: {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
      },
    }
  if ('max_tokens' in body)
    return refusal(400, "Use 'max_completion_tokens' and not 'max_tokens' here.", { param: 'max_tokens' })
  if ('tools' in body)
    return refusal(400, 'Provider returned error', {
      metadata: { raw: '{"message":"no function calling on this model: unsupported"}' },
    })
  return undefined
}

describe('a server that refuses fields', () => {
  test('each field once within one turn, all remembered, nothing refused again, preview and wire the same', async () => {
    server.refuse = strict
    const sessionId = await chat()
    expect(await say(sessionId)).toMatchObject({ failed: false, notices: 3 })
    expect(bodies().map((body) => ['stream_options', 'max_tokens', 'tools'].filter((name) => name in body))).toEqual([
      ['stream_options', 'max_tokens', 'tools'],
      ['max_tokens', 'tools'],
      ['tools'],
      [],
    ])
    expect(bodies()[2]).toMatchObject({ max_completion_tokens: bodies()[0]?.max_tokens })
    expect((await learned()).map(({ what, status, model }) => [what, status, model])).toEqual([
      ['Tools are not sent', 400, 'test-model'],
      ['max_tokens is sent as max_completion_tokens', 400, 'test-model'],
      ['stream_options is not sent', 422, 'test-model'],
    ])
    expect((await learned())[0]?.said).toBe('no function calling on this model: unsupported')
    app = await app.restart()
    const preview = await app.call('turns.preview', { sessionId, draft: 'And high water?' })
    await say(sessionId, 'And high water?')
    expect(server.requests).toHaveLength(5)
    expect(JSON.stringify(bodies()[4])).toBe(preview.wire.body)
    expect(bodies()[4]).not.toHaveProperty('tool_choice')
  })

  test('forgetting tries it again, and can be undone', async () => {
    server.refuse = strict
    const sessionId = await chat()
    await say(sessionId)
    const lessons = await learned()
    const options = lessons.find(({ what }) => what.startsWith('stream_options'))
    const lessonIds = [options?.id ?? '']
    expect((await app.call('connections.forget', { id: connectionId, lessonIds })).learned).toHaveLength(2)
    expect((await app.call('connections.recall', { id: connectionId, lessonIds })).learned).toEqual(lessons)
    await app.call('connections.forget', { id: connectionId, lessonIds })
    await say(sessionId)
    expect(
      bodies()
        .slice(4)
        .map((body) => 'stream_options' in body),
    ).toEqual([true, false])
    expect(await learned()).toHaveLength(3)
  })

  test('tools that were refused stay out of a fresh list, and come back by hand', async () => {
    server.refuse = strict
    await say(await chat())
    const [model] = await app.call('models.refresh', { connectionId })
    expect(model?.capabilities.tools).toBe(false)
    await app.call('models.save', { id: modelId, capabilities: { tools: true } })
    expect((await learned()).map(({ what }) => what)).not.toContain('Tools are not sent')
    expect((await app.call('models.list', {})).find(({ id }) => id === modelId)?.capabilities.tools).toBe(true)
  })

  test('what made no difference is not remembered, and the person reads the server’s words', async () => {
    server.refuse = () => refusal(400, "Unknown parameter: 'stream_options'.", { param: 'stream_options' })
    const { failed } = await say(await chat())
    expect(failed).toBe(true)
    expect(server.requests).toHaveLength(2)
    expect(await learned()).toEqual([])
    const end = app.events.find(({ name }) => name === 'turn.failed')
    expect(end?.payload).toMatchObject({ message: expect.stringContaining("Unknown parameter: 'stream_options'.") })
  })

  test.each([
    ['another address’s key', 401, 'tools are not allowed with this key'],
    ['a limit of requests', 429, 'too many requests with stream_options'],
    ['a field nobody sent', 400, 'Unknown field: best_of'],
    ['one tool’s schema', 400, "Invalid schema for function 'get_time': tools[0] is not supported"],
  ])('%s teaches nothing', async (_what, status, message) => {
    server.refuse = () => refusal(status, message)
    await say(await chat())
    expect(server.requests).toHaveLength(1)
    expect(await learned()).toEqual([])
  })

  test('a number above the limit is lowered to it, not dropped', async () => {
    await app.call('settings.update', { patch: { context: { reservedOutput: 20_000 } } })
    server.refuse = (body) =>
      Number(body.max_tokens) > 4096
        ? refusal(400, `max_tokens is too large: ${body.max_tokens}. At most 4,096 completion tokens.`)
        : undefined
    const sessionId = await chat()
    await say(sessionId)
    await say(sessionId)
    expect(bodies().map((body) => body.max_tokens)).toEqual([20_000, 4096, 4096])
    expect((await learned())[0]?.what).toBe('max_tokens is 4096 at most')
  })

  test('background calls learn as well', async () => {
    await app.call('settings.update', { patch: { general: { titleFromModel: true } } })
    const isTitle = (body: Body) => JSON.stringify(body.messages).includes('Name this conversation')
    server.refuse = (body) => (isTitle(body) ? strict(body) : undefined)
    const sessionId = await chat()
    await say(sessionId)
    await expect
      .poll(async () => (await app.call('jobs.list', { state: 'all' })).find((job) => job.kind === 'title')?.state, {
        timeout: 15_000,
      })
      .toBe('done')
    expect(bodies().filter(isTitle)).toHaveLength(3)
    expect(await learned()).toHaveLength(2)
  })
})

describe('windows', () => {
  async function truncate(id: string) {
    server.answer({ text: 'a', usage: { input: 9000, output: 1 } }, { text: 'b', usage: { input: 3900, output: 1 } })
    const sessionId = (await app.call('sessions.create', { modelId: id })).id
    await say(sessionId, 'word '.repeat(8000))
    await say(sessionId, 'word '.repeat(8000))
    return app.events.flatMap(({ name, payload }) =>
      name === 'turn.notice' ? [payload as { code: string; message: string }] : [],
    )
  }

  test('the one a server states is kept when it reports less than was sent, with the numbers on the turn', async () => {
    const [notice] = await truncate(modelId)
    expect(notice?.code).toBe('maybe_truncated')
    expect(notice?.message).toMatch(/^\d+ tokens were sent and the server reports 3900 as read.*stays at 32768 tokens/)
    expect((await app.call('models.list', {})).find(({ id }) => id === modelId)).toMatchObject({
      contextWindow: 32_768,
      windowSource: 'server',
    })
  })

  test('an unknown one is guessed from it', async () => {
    const unlisted = `${connectionId}/nobody-knows`
    await truncate(unlisted)
    expect((await app.call('models.list', {})).find(({ id }) => id === unlisted)).toMatchObject({
      contextWindow: 4096,
      windowSource: 'guess',
    })
  })

  test('Ollama is told a modest one, and a larger one when a request needs it', async () => {
    server.models = [{ id: 'big', contextWindow: 131_072 }]
    const { id } = await app.call('connections.save', { name: 'Own', kind: 'ollama', baseUrl: server.url })
    const [model] = await app.call('models.list', { connectionId: id })
    expect(model).toMatchObject({ contextWindow: 16_384, largestWindow: 131_072, windowSource: 'app' })
    const { id: sessionId } = await app.call('sessions.create', { modelId: model?.id ?? '' })
    await say(sessionId, 'Hello')
    const text = 'word '.repeat(20_000)
    const preview = await app.call('turns.preview', { sessionId, draft: text })
    expect(preview.usage).toMatchObject({ window: 32_768, over: 0 })
    await say(sessionId, text)
    await say(sessionId, 'And now?')
    expect(bodies().map((body) => (body.options as { num_ctx: number }).num_ctx)).toEqual([16_384, 32_768, 32_768])
    const notices = app.events.filter(({ name }) => name === 'turn.notice')
    expect(notices.map(({ payload }) => (payload as { code: string }).code)).toEqual(['window_raised'])
    expect((await app.call('models.list', { connectionId: id }))[0]?.contextWindow).toBe(32_768)
  })
})
