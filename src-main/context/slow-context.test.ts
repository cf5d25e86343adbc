import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectModel } from '../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'

let server: ModelServer
let app: TestApp

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  await connectModel(app, server)
  await app.call('settings.update', {
    patch: { recentConversations: { minUserTurns: 2 } },
  })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

const bodies = () => server.requests.map((request) => JSON.stringify(request.body))
const settled = (kind: string, state: string) =>
  expect
    .poll(
      async () =>
        (await app.call('jobs.list', { state: 'all' })).filter((job) => job.kind === kind).map((job) => job.state),
      { timeout: 5000 },
    )
    .toContain(state)

async function say(sessionId: string, text: string): Promise<void> {
  const { turnId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
}

const SUMMARY = 'They settled that the ferry Kestrel grounds at 23:05.'
const PROFILE = JSON.stringify({
  overview: 'Writes fiction about a harbour.',
  facts: [{ category: 'work', statement: 'Writes bilingual fiction.', confidence: 0.8 }],
})

describe('summaries and the profile', () => {
  test('enough turns make a summary, the next chat reads it, and the profile follows once and can be reverted', async () => {
    const session = await app.call('sessions.create', { title: 'Ferry' })
    server.answer(
      { text: 'a' },
      { text: 'b' },
      { text: SUMMARY },
      { text: `Here it is:\n\`\`\`json\n${PROFILE}\n\`\`\`` },
    )
    await say(session.id, 'first')
    expect(await app.call('recent-conversations.list', {})).toEqual([])
    await say(session.id, 'second')
    await settled('profile', 'done')
    expect((await app.call('recent-conversations.list', {}))[0]).toMatchObject({
      sessionId: session.id,
      text: SUMMARY,
      source: 'model',
      userTurns: 2,
    })
    const other = await app.call('sessions.create', {})
    await say(other.id, 'hello')
    const body = bodies().at(-1) ?? ''
    expect(body).toContain('<recent_conversation_memory>')
    expect(body).toContain(SUMMARY)
    expect(body).toContain('<user_profile_memory>')
    expect(body).toContain('Writes bilingual fiction.')
    // Never its own summary.
    await say(session.id, 'third')
    expect(bodies().at(-1)).not.toContain('<recent_conversation_memory>')
    const profile = await app.call('user-profile.get', {})
    expect(profile.changes).toHaveLength(1)
    const reverted = await app.call('user-profile.revert', { changeId: profile.changes[0]?.id ?? '' })
    expect(reverted.facts).toEqual([])
    expect(reverted.changes.map((change) => change.origin)).toEqual(['revert', 'model'])
  })

  test('a failure keeps the old summary, shows why, and is tried again', async () => {
    const session = await app.call('sessions.create', { title: 'Ferry' })
    await say(session.id, 'first')
    await app.call('recent-conversations.save', { sessionId: session.id, text: 'Old words.' })
    server.otherwise = { error: { status: 500, message: 'boiler broke' } }
    await app.call('recent-conversations.generate', { sessionId: session.id })
    await settled('summary', 'waiting')
    const [summary] = await app.call('recent-conversations.list', {})
    expect(summary?.text).toBe('Old words.')
    expect(summary?.lastError).toMatch(/boiler broke|500/)
  })

  test('switching the layer off in mid-job leaves no trace in the next request', async () => {
    const session = await app.call('sessions.create', { title: 'Ferry' })
    server.answer({ text: 'a' }, { text: 'b' }, { text: SUMMARY, holdAfter: 1 })
    await say(session.id, 'first')
    await say(session.id, 'second')
    await expect.poll(() => server.requests.length, { timeout: 5000 }).toBe(3)
    await app.call('settings.update', { patch: { recentConversations: { enabled: false } } })
    server.release()
    await settled('summary', 'cancelled')
    await app.call('settings.update', { patch: { recentConversations: { enabled: true } } })
    const other = await app.call('sessions.create', {})
    server.otherwise = { text: 'ok' }
    await say(other.id, 'hello')
    expect(bodies().at(-1)).not.toContain('Kestrel')
    expect((await app.call('recent-conversations.list', {})).filter((summary) => summary.text !== '')).toEqual([])
  })

  test('an isolated chat is never summarised, and reads nothing', async () => {
    const told = await app.call('sessions.create', { title: 'Ferry' })
    await say(told.id, 'first')
    await app.call('recent-conversations.save', { sessionId: told.id, text: 'canary-summary-55' })
    await app.call('user-profile.save', { overview: 'canary-profile-56' })
    const isolated = await app.call('sessions.create', { worldbookIds: ['book'], isolation: true })
    const from = server.requests.length
    await say(isolated.id, 'one')
    await say(isolated.id, 'two')
    expect(bodies().slice(from).join()).not.toMatch(/canary/)
    const reply = await app.app.call('recent-conversations.generate', { sessionId: isolated.id })
    expect(reply).toMatchObject({ ok: false, error: { code: 'isolated' } })
    expect((await app.call('jobs.list', { state: 'all' })).filter((job) => job.kind === 'summary')).toEqual([])
  })

  test('a manual edit keeps the model away that day', async () => {
    await app.call('user-profile.save', { overview: 'By hand.', facts: [{ category: 'work', statement: 'Edits.' }] })
    const reply = await app.app.call('user-profile.generate', {})
    expect(reply).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect((await app.call('user-profile.get', {})).lockedUntil).toBeDefined()
  })

  test('a deleted summary is blanked in the records that showed it', async () => {
    const told = await app.call('sessions.create', { title: 'Ferry' })
    await say(told.id, 'first')
    await app.call('recent-conversations.save', { sessionId: told.id, text: 'canary-summary-77' })
    const other = await app.call('sessions.create', {})
    const { turnId, replyMessageId } = await app.call('turns.send', { sessionId: other.id, text: 'hello' })
    await app.event('turn.done', (payload) => payload.turnId === turnId)
    expect((await app.call('turns.record', { messageId: replyMessageId })).wire.body).toContain('canary-summary-77')
    await app.call('recent-conversations.remove', { sessionId: told.id })
    const record = await app.call('turns.record', { messageId: replyMessageId })
    expect(JSON.stringify(record)).not.toContain('canary-summary-77')
    expect(record.wire.body).toContain('hello')
  })
})

test('cache-first: a summary refreshed in mid-session waits for the next opening; a deleted one goes at once', async () => {
  const session = await app.call('sessions.create', { title: 'Reader' })
  await app.call('sessions.update', { sessionId: session.id, patch: { layout: 'cache-first' } })
  const [told, other] = [
    await app.call('sessions.create', { title: 'Ferry' }),
    await app.call('sessions.create', { title: 'Tram' }),
  ]
  const read = async (sessionId: string) => {
    const { ledger } = await app.call('turns.preview', { sessionId, draft: 'Hello' })
    return ledger.filter((span) => span.sourceId.startsWith('summary:')).map((span) => span.text)
  }
  await say(told.id, 'first')
  server.otherwise = { text: 'Old words.' }
  await app.call('recent-conversations.generate', { sessionId: told.id })
  await settled('summary', 'done')
  await app.call('sessions.get', { sessionId: session.id })
  expect(await read(session.id)).toEqual([expect.stringContaining('Old words.')])
  await app.call('recent-conversations.save', { sessionId: other.id, text: 'News.' })
  expect(await read(session.id)).toEqual([expect.stringContaining('Old words.')])
  await app.call('recent-conversations.remove', { sessionId: told.id })
  expect(await read(session.id)).toEqual([])
  await app.call('sessions.get', { sessionId: other.id })
  await app.call('sessions.get', { sessionId: session.id })
  expect(await read(session.id)).toEqual([expect.stringContaining('News.')])
})
