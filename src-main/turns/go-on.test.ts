import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'

interface Asked {
  messages: { role: string; content: string }[]
}

let app: TestApp
let close: () => Promise<void>
let asked: Asked[]
/** How the server answers the next requests: a text with its finish reason, or a refusal. */
let answers: ({ text: string; finish: string } | { status: number; words: string } | { text: string; breaks: true })[]
let sessionId: string

function answer(response: ServerResponse): void {
  const next = answers.shift() ?? { text: 'Fine.', finish: 'stop' }
  if ('status' in next) {
    response.writeHead(next.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: next.words, type: 'invalid_request_error' } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (delta: object, finish?: string) =>
    response.write(
      `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish ?? null }] })}\n\n`,
    )
  chunk({ content: next.text })
  if ('breaks' in next) {
    setTimeout(() => response.destroy(), 30)
    return
  }
  chunk({}, next.finish)
  response.end('data: [DONE]\n\n')
}

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return JSON.parse(Buffer.concat(pieces).toString())
}

beforeEach(async () => {
  asked = []
  answers = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') response.end('{"data":[]}')
    else {
      asked.push(await bodyOf(request))
      answer(response)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => new Promise((resolve) => server.close(() => resolve()))
  app = await runningApp()
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const { id } = await app.call('connections.save', { name: 'Own', kind: 'openai-compatible', baseUrl })
  await app.call('models.save', { id: `${id}/m`, contextWindow: 32_000 })
  await app.call('settings.update', {
    patch: { general: { titleFromModel: false, defaultModelId: `${id}/m` }, recentConversations: { enabled: false } },
  })
  sessionId = (await app.call('sessions.create', { title: 'Tales' })).id
})
afterEach(async () => {
  await app.close()
  await close()
})

async function ended(turnId: string): Promise<string> {
  const over = (payload: { turnId: string }) => payload.turnId === turnId
  return Promise.race([
    app.event('turn.done', over).then(() => 'done'),
    app.event('turn.failed', over).then(({ message }) => message),
  ])
}

async function say(text: string) {
  const sent = await app.call('turns.send', { sessionId, text })
  await ended(sent.turnId)
  return sent.replyMessageId
}

const goOn = async (messageId: string) => ended((await app.call('turns.continue', { sessionId, messageId })).turnId)
const newest = async () => (await app.call('sessions.get', { sessionId })).messages.at(-1)

test('an answer goes on after a line of the user’s, which the record books to the app', async () => {
  answers = [
    { text: 'The first half', finish: 'length' },
    { text: 'The first half and the rest.', finish: 'stop' },
  ]
  const messageId = await say('Tell.')
  expect(await goOn(messageId)).toBe('done')
  expect(asked[1]?.messages.slice(-2)).toEqual([
    { role: 'assistant', content: 'The first half' },
    { role: 'user', content: expect.stringContaining('“The first half”') },
  ])
  expect(await newest()).toMatchObject({
    text: 'The first half and the rest.',
    state: 'complete',
    finishReason: 'stop',
  })
  const { ledger, wire } = await app.call('turns.record', { messageId })
  const line = ledger.filter(({ sourceId }) => sourceId === 'frame:continue')
  expect(line.map(({ segment }) => segment)).toEqual(['app', 'app'])
  for (const { text } of line) expect(wire.body).toContain(text)
  await say('And then?')
  expect(asked[2]?.messages.some(({ content }) => content.includes('cut off'))).toBe(false)
})

test.each([
  ['refused', { status: 400, words: 'The conversation must end with a user message.' }],
  ['overloaded', { status: 503, words: 'Overloaded.' }],
])('a Continue that is %s leaves the answer as it was, and in every later request', async (_how, refusal) => {
  answers = [{ text: 'The first half', finish: 'length' }, refusal, refusal, refusal, refusal]
  const messageId = await say('Tell.')
  expect(await goOn(messageId)).toContain(refusal.words)
  const { error, ...kept } = (await newest()) ?? {}
  expect(kept).toMatchObject({ text: 'The first half', state: 'complete', finishReason: 'length' })
  expect(error?.message).toContain(refusal.words)
  answers = []
  await say('Never mind. What is next?')
  expect(asked.at(-1)?.messages.map(({ content }) => content)).toContain('The first half')
})

test('what came before the line broke is kept, and the answer stays in its place', async () => {
  answers = [
    { text: 'The first half', finish: 'length' },
    { text: ' and a bit', breaks: true },
    { text: ' more.', finish: 'stop' },
  ]
  const messageId = await say('Tell.')
  await goOn(messageId)
  expect(await newest()).toMatchObject({ text: 'The first half and a bit', state: 'complete' })
  expect(await goOn(messageId)).toBe('done')
  const { error, ...message } = (await newest()) ?? {}
  expect(message).toMatchObject({ text: 'The first half and a bit more.', state: 'complete' })
  expect(error).toBeUndefined()
})
