import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectModel } from '../../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../../e2e/support/model-server'
import { runningApp, type TestApp } from '../../testing/running-app'

let server: ModelServer
let app: TestApp
let modelId = ''

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T12:00:00Z') })
  server = await startModelServer()
  app = await runningApp()
  modelId = await connectModel(app, server)
  await app.call('settings.update', {
    patch: {
      recentConversations: { minUserTurns: 1 },
      userProfile: { enabled: false },
    },
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
  await server.close()
})

async function say(sessionId: string, text: string): Promise<void> {
  const { turnId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
}
const jobs = async (kind: string) =>
  (await app.call('jobs.list', { state: 'all' })).filter((job) => job.kind === kind).map((job) => job.state)
const done = (kind: string, count: number) =>
  expect.poll(() => jobs(kind), { timeout: 10_000 }).toEqual(Array.from({ length: count }, () => 'done'))
const summaries = async () => (await app.call('recent-conversations.list', {})).map((summary) => summary.text)
const later = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)

test('the last 12 messages are read, each cut at 2,000 characters, and nothing else of the chat', async () => {
  await app.call('settings.update', { patch: { recentConversations: { minUserTurns: 7 } } })
  const { id } = await app.call('sessions.create', {})
  await say(id, `first-canary ${'x'.repeat(10)}`)
  for (let turn = 2; turn <= 6; turn += 1) await say(id, `question ${turn}`)
  server.answer({ text: 'long answer' }, { text: 'A summary.' })
  await say(id, `seventh ${'y'.repeat(3_000)} tail-canary`)
  await done('summary', 1)
  const asked = JSON.stringify(server.requests.at(-1)?.body)
  expect(asked).not.toMatch(/first-canary|tail-canary/)
  expect(asked).toContain('question 2')
  expect(asked).toContain('long answer')
  expect(asked.match(/y{1990,2000}/)?.[0]?.length).toBeLessThanOrEqual(2_000)
})

test("again only after the interval; a person's words stay while nothing new was said", async () => {
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: 'a' }, { text: 'First summary.' })
  await say(id, 'one')
  await done('summary', 1)
  later(119)
  await say(id, 'two')
  expect(await jobs('summary')).toEqual(['done'])
  later(2)
  server.answer({ text: 'c' }, { text: 'Second summary.' })
  await say(id, 'three')
  await done('summary', 2)
  expect(await summaries()).toEqual(['Second summary.'])
  await app.call('recent-conversations.save', { sessionId: id, text: 'By hand.' })
  later(121)
  const { messages } = await app.call('sessions.get', { sessionId: id })
  const { turnId } = await app.call('turns.regenerate', { sessionId: id, messageId: messages.at(-1)?.id ?? '' })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  expect(await jobs('summary')).toHaveLength(2)
  expect(await summaries()).toEqual(['By hand.'])
})

test('switched off for one chat, in a temporary one, or too short: no call is made', async () => {
  await app.call('settings.update', { patch: { recentConversations: { minUserTurns: 2 } } })
  const off = await app.call('sessions.create', {})
  await app.call('sessions.update', { sessionId: off.id, patch: { summarise: false } })
  const temporary = await app.call('sessions.create', { temporary: true })
  const short = await app.call('sessions.create', {})
  for (const { id } of [off, temporary]) for (const text of ['one', 'two']) await say(id, text)
  await say(short.id, 'one')
  expect(await jobs('summary')).toEqual([])
  expect(server.requests).toHaveLength(5)
})

test('a dedicated model is asked, in the language of the chat, and a long answer is cut to whole sentences', async () => {
  await app.call('settings.update', { patch: { recentConversations: { modelId } } })
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: '好的' }, { text: '他们决定周五去看海，带上三本书。'.repeat(30) })
  await say(id, '我们周五去看海吧')
  await done('summary', 1)
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('你负责写简短的备忘')
  const [summary = ''] = await summaries()
  expect(summary.length).toBeLessThanOrEqual(180)
  expect(summary.endsWith('。')).toBe(true)
})

test('the newest five of other chats go in, oldest first, with date and title; deleting takes one out', async () => {
  for (let at = 1; at <= 6; at += 1) {
    const { id } = await app.call('sessions.create', { title: `Chat ${at}` })
    await app.call('recent-conversations.save', { sessionId: id, text: `Summary ${at}.` })
    later(1)
  }
  const reader = await app.call('sessions.create', {})
  const read = async () =>
    (await app.call('turns.preview', { sessionId: reader.id, draft: 'Hello' })).ledger
      .filter((span) => span.sourceId.startsWith('summary:'))
      .map((span) => span.text.trim())
  expect(await read()).toEqual([2, 3, 4, 5, 6].map((at) => `- 2026-11-30 · Chat ${at}: Summary ${at}.`))
  const [newest] = await app.call('recent-conversations.list', {})
  await app.call('recent-conversations.remove', { sessionId: newest?.sessionId ?? '' })
  expect((await read()).at(-1)).toContain('Chat 5')
  expect((await read()).at(0)).toContain('Chat 1')
})
