import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectModel } from '../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../e2e/support/model-server'
import { runningApp, type TestApp } from './testing/running-app'

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

/** The body of the n-th question, as text. */
const bodyText = (index: number): string => JSON.stringify(server.requests.at(index)?.body)

const connect = () => connectModel(app, server)

const done = (turnId: string) => app.event('turn.done', (payload) => payload.turnId === turnId)

describe('a turn through the whole app', () => {
  test('both prompts are layered, and the preview is what left, byte for byte', async () => {
    await connect()
    const prompt = await app.call('system-prompts.save', { name: 'Editor', text: 'You edit fiction.' })
    const session = await app.call('sessions.create', { globalPromptId: prompt.id, topicPrompt: 'Act three.' })
    const draft = 'When does the ferry ground?'
    // Time is off, so that the clock cannot move between the two.
    await app.call('settings.update', { patch: { context: { sendTime: false, landmarks: { enabled: false } } } })
    // Each waits for the exact counter a while: on a busy machine the first look would be an estimate, the second exact.
    for (const text of ['a', 'b', 'c', 'd']) await app.call('models.count-tokens', { text })
    const preview = await app.call('turns.preview', { sessionId: session.id, draft })
    const { turnId, replyMessageId, userMessageId } = await app.call('turns.send', {
      sessionId: session.id,
      text: draft,
    })
    await done(turnId)
    expect(preview.wire.body).toBe(bodyText(0))
    expect(preview.wire.body).toContain(
      '<system_prompt>\\nYou edit fiction.\\n</system_prompt>\\n\\n<topic_prompt>\\nAct three.\\n</topic_prompt>',
    )
    expect(JSON.stringify(preview.wire.headers)).not.toContain('sk-scripted')
    const record = await app.call('turns.record', { messageId: replyMessageId })
    expect(record.wire.body).toBe(preview.wire.body)
    expect(record.sha256).toBe(preview.sha256)
    expect(record.usage.quality).toBe('reported')
    expect(record.usage.used).toBe(record.reported?.inputTokens)
    expect(record.usage.segments.reduce((sum, segment) => sum + segment.tokens, 0)).toBe(record.usage.used)
    const asDraft = (span: (typeof record.ledger)[number]) => ({
      ...span,
      sourceId: span.sourceId === userMessageId ? 'draft' : span.sourceId,
    })
    expect(record.ledger.map(asDraft)).toEqual(preview.ledger)
    const { messages } = await app.call('sessions.get', { sessionId: session.id })
    expect(messages.map((message) => [message.role, message.state])).toEqual([
      ['user', 'complete'],
      ['assistant', 'complete'],
    ])
  })

  test('a stopped answer keeps its text and can be continued in place', async () => {
    await connect()
    const session = await app.call('sessions.create', {})
    server.answer({ text: 'one two three four five six', holdAfter: 3 }, { text: ' and more' })
    const { turnId, replyMessageId } = await app.call('turns.send', { sessionId: session.id, text: 'count' })
    await app.event('turn.delta', (payload) => payload.turnId === turnId)
    expect(await app.call('turns.stop', { turnId })).toEqual({ stopped: true })
    server.release()
    const stopped = (await app.call('sessions.get', { sessionId: session.id })).messages.at(-1)
    expect(stopped?.state).toBe('stopped')
    expect(stopped?.text).toMatch(/^one/)
    const again = await app.call('turns.continue', { sessionId: session.id, messageId: replyMessageId })
    await done(again.turnId)
    const message = (await app.call('sessions.get', { sessionId: session.id })).messages.at(-1)
    expect(message?.id).toBe(replyMessageId)
    expect(message?.text).toBe(`${stopped?.text.trimEnd()} and more`)
    const sent = server.requests.at(-1)?.body as { messages: { role: string; content: string }[] }
    expect(sent.messages.at(-2)).toEqual({ role: 'assistant', content: stopped?.text })
    expect(sent.messages.at(-1)?.content).toMatch(/^<system-reminder>\nThe answer above was cut off/)
  })

  test('a refusal fails the answer with words, and the message is kept', async () => {
    await connect()
    const session = await app.call('sessions.create', {})
    server.answer({ error: { status: 400, html: '<html><body>Bad gateway of sorts</body></html>' } })
    const { turnId } = await app.call('turns.send', { sessionId: session.id, text: 'hello' })
    const failed = await app.event('turn.failed', (payload) => payload.turnId === turnId)
    expect(failed.code).toBe('model.rejected')
    const { messages } = await app.call('sessions.get', { sessionId: session.id })
    expect(messages.map((message) => [message.text, message.state])).toEqual([
      ['hello', 'complete'],
      ['', 'failed'],
    ])
  })

  test('regenerate, another version and fork carry the same blocks', async () => {
    await connect()
    await app.call('settings.update', { patch: { context: { sendTime: false, landmarks: { enabled: false } } } })
    const session = await app.call('sessions.create', { topicPrompt: 'Tides.' })
    const first = await app.call('turns.send', { sessionId: session.id, text: 'why' })
    await done(first.turnId)
    const second = await app.call('turns.regenerate', { sessionId: session.id, messageId: first.replyMessageId })
    await done(second.turnId)
    expect(bodyText(1)).toBe(bodyText(0))
    const fork = await app.call('sessions.fork', { sessionId: session.id, messageId: first.userMessageId })
    const forked = (await app.call('sessions.get', { sessionId: fork.id })).messages.at(-1)
    const third = await app.call('turns.regenerate', { sessionId: fork.id, messageId: forked?.id ?? '' })
    await done(third.turnId)
    expect(bodyText(2)).toBe(bodyText(0))
  })

  test('a temporary chat leaves nothing on disk', async () => {
    await connect()
    const session = await app.call('sessions.create', { temporary: true })
    const canary = 'canary-temporary-7231'
    const { turnId, replyMessageId } = await app.call('turns.send', { sessionId: session.id, text: canary })
    await done(turnId)
    expect((await app.call('turns.record', { messageId: replyMessageId })).wire.body).toContain(canary)
    await app.app.close()
    const { readdirSync, readFileSync, statSync } = await import('node:fs')
    const files = readdirSync(app.dataDir, { recursive: true, encoding: 'utf8' }).map(
      (name) => `${app.dataDir}/${name}`,
    )
    const holding = files.filter((file) => statSync(file).isFile() && readFileSync(file).includes(canary))
    expect(holding).toEqual([])
    app = await runningApp(app.dataDir)
  })

  test('white space alone is refused before anything is stored', async () => {
    await connect()
    const session = await app.call('sessions.create', {})
    const reply = await app.app.call('turns.send', { sessionId: session.id, text: ' \n ' })
    expect(reply).toMatchObject({ ok: false, error: { code: 'bad_input' } })
    expect((await app.call('sessions.get', { sessionId: session.id })).messages).toEqual([])
  })
})

describe('what a server teaches', () => {
  test('a model that refuses tools is asked again without them, and is not offered them any more', async () => {
    const modelId = await connect()
    const session = await app.call('sessions.create', {})
    server.answer(
      { error: { status: 400, message: 'registry.example/gemma does not support tools' } },
      { text: 'plain' },
    )
    const { turnId, replyMessageId } = await app.call('turns.send', { sessionId: session.id, text: 'hello' })
    await done(turnId)
    expect(bodyText(0)).toContain('"tools":[')
    expect(bodyText(1)).not.toContain('"tools"')
    const [model] = (await app.call('models.list', {})).filter((candidate) => candidate.id === modelId)
    expect(model?.capabilities.tools).toBe(false)
    expect((await app.call('sessions.get', { sessionId: session.id })).messages.at(-1)?.id).toBe(replyMessageId)
    expect((await app.call('tools.list', { sessionId: session.id }))[0]?.reason).toBe('model_without_tools')
  })
})

test('a folder of a newer version opens for reading, and says so wherever something would be written', async () => {
  await connect()
  const session = await app.call('sessions.create', { title: 'Kept' })
  await app.app.close()
  const database = new BetterSqlite3(join(app.dataDir, 'strata.sqlite'))
  database.prepare("INSERT INTO migration VALUES ('future/001-new', 'later')").run()
  database.close()
  app = await runningApp(app.dataDir)
  expect((await app.call('app.info', {})).readOnlyReason).toContain('newer version')
  expect((await app.call('sessions.list', {})).sessions.map(({ title }) => title)).toEqual(['Kept'])
  await app.call('turns.preview', { sessionId: session.id, draft: 'Hello' })
  const refused = { ok: false, error: { code: 'storage.newer_version' } }
  expect(await app.app.call('turns.send', { sessionId: session.id, text: 'Hello' })).toMatchObject(refused)
  expect(await app.app.call('memory.save', { text: 'A fact.' })).toMatchObject(refused)
  expect(await app.app.call('worldbook.save', { book: { name: 'Book', entries: [] } })).toMatchObject(refused)
})
