import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectModel } from '../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'
import type { Trace } from './worldbook/trace-contract'

const SAMPLE = join(import.meta.dirname, '../../resources/worldbooks/fogharbour.json')

let server: ModelServer
let app: TestApp
let book: string

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  await connectModel(app, server)
  const dataBase64 = readFileSync(SAMPLE).toString('base64')
  book = (await app.call('worldbook.import', { fileName: 'fogharbour.json', dataBase64 })).worldbookIds[0] ?? ''
})
afterEach(async () => {
  await app.close()
  await server.close()
})

const traceOf = (preview: { worldbook: unknown }) => preview.worldbook as Trace
const lastBody = () => JSON.stringify(server.requests.at(-1)?.body)
async function say(sessionId: string, text: string) {
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  return replyMessageId
}

describe('worldbooks in a turn', () => {
  test('a key in the draft fires, is counted where it came from, and the trace says why', async () => {
    const session = await app.call('sessions.create', { worldbookIds: [book] })
    const preview = await app.call('turns.preview', { sessionId: session.id, draft: 'When is the spring tide, 潮汐?' })
    const trace = traceOf(preview)
    expect(trace.fired.length).toBeGreaterThan(0)
    expect(preview.usage.segments.map((segment) => segment.segment)).toContain('worldbook')
    const spans = preview.ledger.filter((span) => span.segment === 'worldbook' && !span.sourceId.startsWith('frame:'))
    const placed = new Set(spans.map((span) => span.sourceId))
    for (const fired of trace.fired)
      if (fired.content !== '') expect(placed.has(`${fired.worldbookId}/${fired.entryId}`)).toBe(true)
    const listed = new Set([...trace.fired, ...trace.notFired].map((entry) => entry.entryId))
    expect(listed.size).toBe(trace.fired.length + trace.notFired.length)
  })

  test('previews write no timers, sends do, and preview and send agree', async () => {
    const saved = await app.call('worldbook.save', {
      book: { name: 'Timers', entries: [{ keys: ['bell'], content: 'The bell tolls.', comment: 'Bell', sticky: 6 }] },
    })
    const session = await app.call('sessions.create', { worldbookIds: [saved.id] })
    await app.call('turns.preview', { sessionId: session.id, draft: 'bell' })
    expect(traceOf(await app.call('turns.preview', { sessionId: session.id, draft: 'quiet' })).fired).toEqual([])
    await say(session.id, 'the bell')
    await say(session.id, 'quiet')
    await say(session.id, 'quiet still')
    const preview = await app.call('turns.preview', { sessionId: session.id, draft: 'quiet again' })
    expect(lastBody()).toContain('The bell tolls.')
    expect(traceOf(preview).fired).toEqual([])
  })

  test('isolation withholds everything but prompts and books from every body that leaves', async () => {
    await app.call('memory.save', { text: 'canary-memory-31: likes the harbour bell.' })
    await app.call('user-profile.save', { overview: 'canary-profile-32' })
    await app.call('settings.update', { patch: { general: { titleFromModel: true }, memory: { topK: 0 } } })
    const open = await app.call('sessions.create', { topicPrompt: 'Bells.' })
    await say(open.id, 'harbour bell')
    expect(lastBody()).toContain('canary-memory-31')
    await expect.poll(() => server.requests.length, { timeout: 5000 }).toBe(2)
    const from = server.requests.length
    const session = await app.call('sessions.create', { worldbookIds: [book], isolation: true, topicPrompt: 'Bells.' })
    await say(session.id, 'harbour bell and 潮汐')
    await say(session.id, 'and the tide?')
    await expect.poll(() => server.requests.length, { timeout: 5000 }).toBe(from + 3)
    const bodies = server.requests
      .slice(from)
      .map((request) => JSON.stringify(request.body))
      .join('\n')
    expect(bodies).not.toMatch(/canary-/)
    expect(bodies).not.toContain('<time>')
    expect(bodies).toContain('<worldbook_')
    expect(bodies).toContain('Bells.')
    const preview = await app.call('turns.preview', { sessionId: session.id, draft: 'x' })
    for (const block of ['time', 'memory', 'recent_conversation_memory', 'user_profile_memory', 'tools']) {
      expect(preview.absent).toContainEqual(expect.objectContaining({ block, reason: 'isolated' }))
    }
  })
})
