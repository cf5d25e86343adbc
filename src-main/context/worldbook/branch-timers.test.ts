import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectModel } from '../../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../../e2e/support/model-server'
import { runningApp, type TestApp } from '../../testing/running-app'
import type { Trace } from './trace-contract'

let server: ModelServer
let app: TestApp

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  await connectModel(app, server)
})
afterEach(async () => {
  await app.close()
  await server.close()
})

async function bind(entries: Record<string, unknown>[], temporary = false) {
  const book = await app.call('worldbook.save', { book: { name: 'B', entries, settings: { scanDepth: 1 } } })
  return (await app.call('sessions.create', { worldbookIds: [book.id], temporary })).id
}

const ended = (turnId: string) => app.event('turn.done', (payload) => payload.turnId === turnId)

async function send(sessionId: string, text: string) {
  const turn = await app.call('turns.send', { sessionId, text })
  await ended(turn.turnId)
  return turn
}

const firedIn = (trace: unknown) => (trace as Trace).fired.map(({ comment, why }) => `${comment}:${why.kind}`)

async function firedFor(sessionId: string, draft: string) {
  return firedIn((await app.call('turns.preview', { sessionId, draft })).worldbook)
}
const recorded = async (messageId: string) => firedIn((await app.call('turns.record', { messageId })).worldbook)

const BELL = { comment: 'bell', keys: ['bell'], content: 'The bell tolls.', sticky: 4 }

describe.each([false, true])('timers of a chat (temporary: %s)', (temporary) => {
  test('hold along the branch, and a regenerated, removed or forked branch has its own', async () => {
    const session = await bind([BELL], temporary)
    const bell = await send(session, 'the bell')
    expect(await recorded(bell.replyMessageId)).toEqual(['bell:key'])
    expect(await firedFor(session, 'quiet')).toEqual(['bell:sticky'])

    const second = await send(session, 'quiet')
    expect(await recorded(second.replyMessageId)).toEqual(['bell:sticky'])
    const again = await app.call('turns.regenerate', { sessionId: session, messageId: second.replyMessageId })
    await ended(again.turnId)
    expect(await recorded(again.replyMessageId)).toEqual(['bell:sticky'])

    await app.call('messages.select', { messageId: second.replyMessageId })
    const third = await send(session, 'quiet still')
    expect(await recorded(third.replyMessageId)).toEqual([])
    await app.call('messages.remove', { messageId: third.userMessageId })
    await app.call('messages.remove', { messageId: second.userMessageId })
    expect(await firedFor(session, 'quiet')).toEqual(['bell:sticky'])

    if (!temporary) {
      const fork = await app.call('sessions.fork', { sessionId: session, messageId: bell.replyMessageId })
      expect(await firedFor(fork.id, 'quiet')).toEqual(['bell:sticky'])
    }
    const other = await app.call('turns.edit-and-resend', {
      sessionId: session,
      messageId: bell.userMessageId,
      text: 'no sound',
    })
    await ended(other.turnId)
    expect(await firedFor(session, 'quiet')).toEqual([])
    await app.call('messages.select', { messageId: bell.userMessageId })
    expect(await firedFor(session, 'quiet')).toEqual(['bell:sticky'])
  })
})

test('luck is the same in preview, send and record, and another version rolls anew', async () => {
  const members = Array.from({ length: 12 }, (_none, at) => ({
    comment: `m${at}`,
    constant: true,
    content: `Member ${at}.`,
    group: at < 6 ? 'g' : '',
    probability: 50,
  }))
  const session = await bind(members)
  const seen = new Set<string>()
  let last = { replyMessageId: '' }
  for (const text of ['one', 'two', 'three']) {
    const foretold = await firedFor(session, text)
    last = await send(session, text)
    expect(await recorded(last.replyMessageId)).toEqual(foretold)
    seen.add(foretold.join())
    const body = JSON.stringify(server.requests.at(-1)?.body)
    for (const name of foretold) expect(body).toContain(`Member ${name.match(/\d+/)?.[0]}.`)
  }
  const preview = await app.call('turns.preview', { sessionId: session, regenerate: last.replyMessageId })
  const again = await app.call('turns.regenerate', { sessionId: session, messageId: last.replyMessageId })
  await ended(again.turnId)
  expect(await recorded(again.replyMessageId)).toEqual(firedIn(preview.worldbook))
  seen.add(firedIn(preview.worldbook).join())
  expect(seen.size).toBeGreaterThan(1)
})

test('a vectorised entry is found by what it means, with the embedder that comes with the app', async () => {
  const session = await bind([
    { comment: 'ships', keys: [], vectorized: true, content: 'Ships and boats sail across the sea to the harbour.' },
    { comment: 'bread', keys: [], vectorized: true, content: 'The baker kneads dough for bread every morning.' },
    { comment: 'plain', keys: [], content: 'A boat on the sea.' },
  ])
  const fired = () => firedFor(session, 'Which vessel sails over the ocean?')
  // The first turns may go without, while the model is being loaded.
  await expect.poll(fired, { timeout: 20_000 }).toEqual(['ships:similarity'])
  const turn = await send(session, 'Which vessel sails over the ocean?')
  const record = (await app.call('turns.record', { messageId: turn.replyMessageId })).worldbook as Trace
  expect(record.fired[0]?.why).toMatchObject({ kind: 'similarity', score: expect.any(Number) })
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Ships and boats')
})
