import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectModel } from '../../../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../../../e2e/support/model-server'
import { runningApp, type TestApp } from '../../../testing/running-app'
import { EXTRACTION_JOB } from './extraction'

let server: ModelServer
let app: TestApp

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  await connectModel(app, server)
  await app.call('settings.update', {
    patch: { memory: { embedder: { kind: 'none' } } },
  })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

const extract = (extraction: 'off' | 'ask' | 'automatic') =>
  app.call('settings.update', { patch: { memory: { extraction } } })
async function say(sessionId: string, text: string): Promise<{ userMessageId: string; replyMessageId: string }> {
  const { turnId, ...ids } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  return ids
}
const jobs = async () => (await app.call('jobs.list', { state: 'all' })).filter((job) => job.kind === EXTRACTION_JOB)
const settled = (...states: string[]) =>
  expect.poll(async () => (await jobs()).map((job) => job.state), { timeout: 5000 }).toEqual(states)
const found = (...memories: Record<string, unknown>[]) => ({
  text: `Sure:\n\`\`\`json\n${JSON.stringify({ memories })}\n\`\`\``,
})
const texts = async () => (await app.call('memory.list', { status: 'all' })).memories.map((memory) => memory.text)
const proposals = async () => (await app.call('memory.proposals', {})).proposals
const onDisk = (text: string) =>
  ['strata.sqlite', 'strata.sqlite-wal'].some((name) => {
    const path = join(app.dataDir, name)
    return existsSync(path) && readFileSync(path).includes(text)
  })
const GARDENER = { text: 'The user is a gardener', quote: 'I am a gardener', kind: 'fact', importance: 0.7 }

test('off by default: nothing is read and nothing is asked', async () => {
  const { id } = await app.call('sessions.create', {})
  await say(id, 'I am a gardener.')
  expect(await jobs()).toEqual([])
  expect(server.requests).toHaveLength(1)
})

test('ask: proposals wait with the words they come from; accepted ones become memories, declined ones never return', async () => {
  await extract('ask')
  const { id } = await app.call('sessions.create', { title: 'Work' })
  const cat = { text: 'The user has a cat called Miso', quote: 'My cat Miso', entities: ['Miso'] }
  server.answer({ text: 'Nice.' }, found(GARDENER, cat))
  const { userMessageId } = await say(id, 'I am a gardener. My cat Miso says hello.')
  await settled('done')
  const [second, first] = await proposals()
  expect(first).toMatchObject({
    text: GARDENER.text,
    source: { kind: 'conversation', sessionId: id, messageId: userMessageId, quote: 'I am a gardener' },
  })
  expect(await texts()).toEqual([])
  const memory = await app.call('memory.accept', { proposalId: first?.id ?? '', text: 'The user works as a gardener' })
  expect(memory).toMatchObject({
    text: 'The user works as a gardener',
    source: { kind: 'conversation', quote: 'I am a gardener' },
  })
  expect(onDisk('has a cat called')).toBe(true)
  expect(await app.call('memory.decline', { proposalIds: [second?.id ?? ''] })).toEqual({ declined: [second?.id] })
  expect(onDisk('has a cat called')).toBe(false)
  expect(await proposals()).toEqual([])
  expect(await app.app.call('memory.accept', { proposalId: second?.id ?? '' })).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  })
  server.answer({ text: 'Again.' }, found(cat))
  await say(id, 'My cat Miso sleeps.')
  await settled('done', 'done')
  expect(await proposals()).toEqual([])
})

test('automatic: saved with its source; without a verbatim quote, with a secret or merely passed on it is not', async () => {
  await extract('automatic')
  const { id } = await app.call('sessions.create', {})
  const message = [
    'I am a gardener. My password is hunter2secret and my card is 4111 1111 1111 1111.',
    'Key sk-abcdefghijklmnopqrstuvwx.',
    '> The author moved to Oslo in May.',
  ].join('\n')
  server.answer(
    { text: 'ok' },
    found(
      GARDENER,
      { text: 'The user lives in Rome', quote: 'I live in Rome' },
      { text: 'The password of the user is hunter2secret', quote: 'I am a gardener' },
      { text: 'The card of the user', quote: 'my card is 4111 1111 1111 1111' },
      { text: 'The user moved to Oslo', quote: 'The author moved to Oslo in May.' },
    ),
  )
  const { userMessageId } = await say(id, message)
  await settled('done')
  const { memories } = await app.call('memory.list', {})
  expect(memories).toHaveLength(1)
  expect(memories[0]).toMatchObject({
    text: GARDENER.text,
    importance: 0.7,
    source: { kind: 'conversation', sessionId: id, messageId: userMessageId, quote: GARDENER.quote },
  })
  expect((await proposals()).map((proposal) => proposal.text)).toEqual(['The user moved to Oslo'])
  const body = JSON.stringify(server.requests.at(-1)?.body)
  expect(body).toContain('I am a gardener')
  expect(body).not.toMatch(/hunter2secret|4111 1111|sk-abcdef/)
})

test('reads only what the person wrote, in the language of the message, and each message once', async () => {
  await extract('automatic')
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: 'canary-answer-31' }, found({ text: '用户住在杭州', quote: '我住在杭州' }))
  const { replyMessageId } = await say(id, '我住在杭州，喜欢喝龙井。')
  await settled('done')
  const body = JSON.stringify(server.requests.at(-1)?.body)
  expect(body).not.toContain('canary-answer-31')
  expect(body).toContain('你从一个人自己写的话里')
  expect(await texts()).toEqual(['用户住在杭州'])
  server.answer({ text: 'other words' })
  const { turnId } = await app.call('turns.regenerate', { sessionId: id, messageId: replyMessageId })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  await settled('done')
})

test('temporary and isolated chats are never read', async () => {
  await extract('automatic')
  const temporary = await app.call('sessions.create', { temporary: true })
  const isolated = await app.call('sessions.create', { worldbookIds: ['book'], isolation: true })
  await say(temporary.id, 'I am a gardener.')
  await say(isolated.id, 'I am a gardener.')
  expect(await jobs()).toEqual([])
  expect(server.requests).toHaveLength(2)
})

test.each([{ enabled: false }, { extraction: 'off' }])(
  'switched off in mid-job by %j: nothing stays',
  async (patch) => {
    await extract('automatic')
    const { id } = await app.call('sessions.create', {})
    server.answer({ text: 'ok' }, { ...found(GARDENER), holdAfter: 1 })
    await say(id, 'I am a gardener.')
    await expect.poll(() => server.requests.length, { timeout: 5000 }).toBe(2)
    await app.call('settings.update', { patch: { memory: patch } })
    server.release()
    await settled('cancelled')
    expect(await texts()).toEqual([])
    expect(await proposals()).toEqual([])
  },
)

test('an answer without the JSON is shown as a failure and tried again', async () => {
  await extract('automatic')
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: 'ok' }, { text: 'I would rather chat.' })
  await say(id, 'I am a gardener.')
  await settled('waiting')
  expect((await jobs())[0]?.lastError).toContain('JSON')
})

test('what waits goes with its chat', async () => {
  await extract('ask')
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: 'ok' }, found(GARDENER))
  await say(id, 'I am a gardener.')
  await settled('done')
  expect(await proposals()).toHaveLength(1)
  await app.call('sessions.remove', { sessionIds: [id] })
  await app.call('sessions.purge', { sessionIds: [id] })
  expect(await proposals()).toEqual([])
})
