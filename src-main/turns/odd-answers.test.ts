import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '../sessions/contract'
import { runningApp, type TestApp } from '../testing/running-app'

/** Answers in turn; each is the pieces of text one response holds, then its end. */
type Script = (response: ServerResponse) => void

let app: TestApp
let scripts: Script[]
let bodies: string[]
let close: () => void
let sessionId: string

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const DONE = 'data: [DONE]\n\n'
const piece = (delta: object, finish: string | null = null) => data({ choices: [{ delta, finish_reason: finish }] })

/** The text in pieces of three characters. */
const says =
  (text: string, end: string = piece({}, 'stop') + DONE): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of text.match(/[\s\S]{1,3}/g) ?? []) response.write(piece({ content: part }))
    response.end(end)
  }

beforeEach(async () => {
  scripts = []
  bodies = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method === 'GET') return void response.end('{"data":[{"id":"m"}]}')
    bodies.push(body)
    const script = scripts.shift() ?? says('Understood.')
    script(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  app = await runningApp()
  await app.call('settings.update', {
    patch: {
      general: { titleFromModel: false },
      recentConversations: { enabled: false },
      userProfile: { daily: false },
    },
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const { id } = await app.call('connections.save', { name: 'Odd', kind: 'openai-compatible', baseUrl })
  sessionId = (await app.call('sessions.create', { modelId: `${id}/m` })).id
})
afterEach(async () => {
  await app.close()
  close()
})

const ended = (turnId: string) =>
  Promise.race([
    app.event('turn.done', (done) => done.turnId === turnId),
    app.event('turn.failed', (failed) => failed.turnId === turnId),
  ])

async function say(text: string, script: Script): Promise<Message> {
  scripts.push(script)
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text })
  await ended(turnId)
  return app.call('messages.get', { messageId: replyMessageId })
}

async function goOn(messageId: string, script: Script): Promise<Message> {
  scripts.push(script)
  const { turnId } = await app.call('turns.continue', { sessionId, messageId })
  await ended(turnId)
  return app.call('messages.get', { messageId })
}

const thoughts = ({ parts }: Message) => parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))

describe('thinking in the text', () => {
  test('is kept as reasoning and goes into no later request', async () => {
    const first = await say('Cats?', says('<think>\nINNER\n</think>\n\nYes.'))
    expect(first).toMatchObject({ text: 'Yes.', state: 'complete' })
    expect(thoughts(first)).toEqual(['INNER'])
    await say('More?', says('No.'))
    expect(bodies.at(-1)).toContain('Yes.')
    expect(bodies.at(-1)).not.toContain('INNER')
  })

  test('of an answer that begins inside it is taken back from the text, in the window and on disk', async () => {
    const reply = await say('Cats?', says('INNER one.\n\nINNER two.\n</think>\n\nYes.'))
    expect(reply.text).toBe('Yes.')
    expect(thoughts(reply)).toEqual(['INNER one.\n\nINNER two.'])
    const rewritten = app.events.find(({ name }) => name === 'turn.rewritten')
    expect(rewritten?.payload).toMatchObject({ messageId: reply.id })
    await say('More?', says('No.'))
    expect(bodies.at(-1)).not.toContain('INNER')
  })

  test('a cut answer is thinking only, says so, and can be gone on with', async () => {
    const cut = await say('Cats?', says('<think>\nINNER', piece({}, 'length') + DONE))
    expect(cut).toMatchObject({ text: '', state: 'complete', finishReason: 'length' })
    expect(thoughts(cut)).toEqual(['INNER'])
    const whole = await goOn(cut.id, says('<think>\nINNER again\n</think>\n\nYes.'))
    expect(bodies.at(-1)).not.toContain('INNER')
    expect(whole).toMatchObject({ text: 'Yes.', state: 'complete', finishReason: 'stop' })
  })

  test('what was answered before a Continue stays, whatever the rest turns out to be', async () => {
    const half = await say('Cats?', says('Cats are', ''))
    expect(half).toMatchObject({ text: 'Cats are', state: 'failed' })
    const whole = await goOn(half.id, says('INNER\n</think>\n\n quick.'))
    expect(whole.text).toContain('Cats are')
    expect(whole.text).not.toContain('INNER')
    expect(thoughts(whole)).toEqual(['INNER'])
  })
})

describe('what is said on an answer', () => {
  test('a piece that could not be read: with the message, in its record, never sent', async () => {
    const reply = await say('Delete?', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: {"choices":[{"del\n\n${piece({ content: 'the file.' }, 'stop')}${DONE}`)
    })
    expect(reply).toMatchObject({ text: 'the file.', state: 'complete' })
    const note = reply.parts.find((part) => part.type === 'note')
    expect(note?.text).toContain('could not be read')
    expect(note?.words?.key).toContain('{0}')
    const record = await app.call('turns.record', { messageId: reply.id })
    expect(record.notes).toEqual([{ text: note?.text, words: note?.words }])
    await say('Sure?', says('Yes.'))
    expect(bodies.at(-1)).not.toContain('could not be read')
  })

  test.each(['content_filter', 'length'])('an end by %s is stored', async (finish) => {
    const reply = await say('Cats?', says('Half', piece({}, finish) + DONE))
    app = await app.restart()
    const again = await app.call('messages.get', { messageId: reply.id })
    expect(again).toMatchObject({ text: 'Half', state: 'complete', finishReason: finish.replace('_', '-') })
  })

  test('the server’s words after text has begun', async () => {
    const reply = await say('Cats?', says('Half', data({ error: { message: 'socket terminated: out of memory' } })))
    expect(reply).toMatchObject({ text: 'Half', state: 'failed' })
    expect(reply.error?.message).toContain('socket terminated: out of memory')
  })

  test('the limit of silence a person sets', async () => {
    await app.call('settings.update', { patch: { general: { silenceLimitSeconds: 1 } } })
    const reply = await say('Cats?', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(piece({ content: 'Half' }))
    })
    expect(reply).toMatchObject({ text: 'Half', state: 'failed' })
    expect(reply.error?.message).toContain('said nothing for 1 s')
  })
})
