import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { runningApp, type TestApp } from '../testing/running-app'

const EVERYTHING = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const HOSTILE = join(import.meta.dirname, 'hostile-mcp-server.mjs')

let server: ModelServer
let app: TestApp

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  const { id } = await app.call('connections.save', {
    name: 'Local',
    kind: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
    apiKey: 'k',
  })
  const [model] = await app.call('models.refresh', { connectionId: id })
  await app.call('models.save', { id: model?.id ?? '', capabilities: { tools: true } })
  await app.call('settings.update', { patch: { general: { defaultModelId: model?.id, titleFromModel: false } } })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

interface Body {
  tools?: { function: { name: string } }[]
  messages: { role: string; content: unknown; tool_call_id?: string }[]
}
const bodyAt = (index: number): Body => server.requests.at(index)?.body as Body
const toolNames = (index: number): string[] => (bodyAt(index).tools ?? []).map((tool) => tool.function.name)
const toolResults = (index: number): string[] =>
  bodyAt(index)
    .messages.filter((message) => message.role === 'tool')
    .map((message) => String(message.content))

async function addServer(script: string, name = 'test'): Promise<string> {
  const json = JSON.stringify({ mcpServers: { [name]: { command: process.execPath, args: [script, 'stdio'] } } })
  const { servers, skipped } = await app.call('mcp.import', { json })
  expect(skipped).toEqual([])
  const id = servers[0]?.id ?? ''
  const started = await app.call('mcp.restart', { id })
  expect(started.lastError).toBeUndefined()
  expect(started.state).toBe('ready')
  return id
}

const call = (name: string, given: unknown, id = 'call-1') => ({ toolCalls: [{ id, name, arguments: given }] })
const ended = (turnId: string) =>
  Promise.race([
    app.event('turn.done', (payload) => payload.turnId === turnId).then(() => 'done' as const),
    app.event('turn.failed', (payload) => payload.turnId === turnId).then((payload) => payload),
  ])

describe('a real MCP server', () => {
  test('pasted JSON, approved once, the result goes back and the record keeps both rounds', async () => {
    await addServer(EVERYTHING)
    const session = await app.call('sessions.create', {})
    server.answer(call('echo', { message: 'high tide' }), { text: 'It said so.' })
    const { turnId, replyMessageId } = await app.call('turns.send', { sessionId: session.id, text: 'echo please' })
    const asked = await app.event('turn.approval', (payload) => payload.turnId === turnId)
    expect(asked.arguments).toEqual({ message: 'high tide' })
    expect(server.requests).toHaveLength(1)
    expect(await app.call('tools.answer', { requestId: asked.requestId, decision: 'once' })).toEqual({ accepted: true })
    expect(await ended(turnId)).toBe('done')
    expect(toolNames(0)).toContain('echo')
    expect(toolNames(0)).toEqual([...toolNames(0)].sort())
    expect(toolResults(1)[0]).toContain('high tide')
    const { messages } = await app.call('sessions.get', { sessionId: session.id })
    expect(messages.at(-1)?.parts.map((part) => part.type)).toEqual(['tool', 'round', 'text'])
    const first = await app.call('turns.record', { messageId: replyMessageId, round: 1 })
    const last = await app.call('turns.record', { messageId: replyMessageId })
    expect([first.rounds, last.round]).toEqual([2, 2])
    expect(JSON.parse(last.wire.body)).toEqual(bodyAt(1))
    expect(last.usage.segments.some((segment) => segment.segment === 'tools')).toBe(true)
    expect(await app.call('tools.answer', { requestId: asked.requestId, decision: 'once' })).toEqual({
      accepted: false,
    })
  })

  test('a denial with a note reaches the model, and nothing ran', async () => {
    await addServer(EVERYTHING)
    const session = await app.call('sessions.create', {})
    server.answer(call('echo', { message: 'x' }), { text: 'Understood.' })
    const { turnId } = await app.call('turns.send', { sessionId: session.id, text: 'go' })
    const { requestId } = await app.event('turn.approval')
    await app.call('tools.answer', { requestId, decision: 'deny', note: 'use the almanac' })
    expect(await ended(turnId)).toBe('done')
    expect(toolResults(1)[0]).toContain('use the almanac')
    const part = (await app.call('sessions.get', { sessionId: session.id })).messages.at(-1)?.parts[0]
    expect(part).toMatchObject({ type: 'tool', state: 'rejected', note: 'use the almanac' })
  })

  test('isolation takes the tools out of the body and the traffic out of the history', async () => {
    const id = await addServer(EVERYTHING)
    const session = await app.call('sessions.create', {})
    server.answer(call('echo', { message: 'canary-tool-91' }), { text: 'Done.' })
    const first = await app.call('turns.send', { sessionId: session.id, text: 'go' })
    const { requestId } = await app.event('turn.approval')
    await app.call('tools.answer', { requestId, decision: 'session' })
    await ended(first.turnId)
    await app.call('sessions.update', {
      sessionId: session.id,
      patch: { worldbookIds: ['some-book'], isolation: true },
    })
    const second = await app.call('turns.send', { sessionId: session.id, text: 'again' })
    await ended(second.turnId)
    expect(bodyAt(-1).tools).toBeUndefined()
    expect(JSON.stringify(bodyAt(-1))).not.toContain('canary-tool-91')
    expect(JSON.stringify(bodyAt(-1))).not.toContain('tool_choice')
    const listing = await app.call('tools.list', { sessionId: session.id })
    expect(
      listing
        .filter((tool) => tool.id.startsWith(`mcp/${id}`))
        .every((tool) => tool.configured && tool.reason === 'isolated'),
    ).toBe(true)
    const record = await app.call('turns.record', { messageId: second.replyMessageId })
    expect(record.absent).toContainEqual(expect.objectContaining({ block: 'tools', reason: 'isolated' }))
  })

  test('stopping in mid-loop cancels its question only, and the chat goes on without a dangling call', async () => {
    await addServer(EVERYTHING)
    const session = await app.call('sessions.create', {})
    server.answer(call('echo', { message: 'x' }))
    const { turnId } = await app.call('turns.send', { sessionId: session.id, text: 'go' })
    const { requestId } = await app.event('turn.approval')
    await app.call('turns.stop', { turnId })
    expect(await app.call('tools.answer', { requestId, decision: 'once' })).toEqual({ accepted: false })
    expect(await app.call('tools.pending', {})).toEqual([])
    server.answer({ text: 'Fine.' })
    const next = await app.call('turns.send', { sessionId: session.id, text: 'and now' })
    expect(await ended(next.turnId)).toBe('done')
    expect(server.requests).toHaveLength(2)
  })
})

describe('the number of rounds', () => {
  test('is bounded, said so, and Continue goes on from there without running anything again', async () => {
    await app.call('settings.update', { patch: { tools: { maxRounds: 2 } } })
    const session = await app.call('sessions.create', {})
    server.answer(call('get_time', {}, 'a'), call('get_time', {}, 'b'), { text: 'It is late.' })
    const first = await app.call('turns.send', { sessionId: session.id, text: 'go' })
    expect(await ended(first.turnId)).toBe('done')
    expect(server.requests).toHaveLength(2)
    const told = await app.event('turn.notice', (payload) => payload.turnId === first.turnId)
    expect(told).toMatchObject({ code: 'max_rounds', message: expect.stringMatching(/2 rounds/) })
    const next = await app.call('turns.continue', { sessionId: session.id, messageId: first.replyMessageId })
    expect(await ended(next.turnId)).toBe('done')
    expect(toolResults(-1)).toHaveLength(2)
    const answer = (await app.call('sessions.get', { sessionId: session.id })).messages.at(-1)
    expect(answer?.parts.map((part) => part.type)).toEqual(['tool', 'round', 'tool', 'round', 'text'])
    expect(answer).toMatchObject({ state: 'complete', finishReason: 'stop', text: 'It is late.' })
    const record = await app.call('turns.record', { messageId: first.replyMessageId })
    expect(record.rounds).toBe(3)
  })
})

describe('a hostile server', () => {
  const run = async (name: string) => {
    const session = await app.call('sessions.create', {})
    server.answer(call(name, {}), { text: 'Noted.' })
    const { turnId } = await app.call('turns.send', { sessionId: session.id, text: 'go' })
    const { requestId } = await app.event('turn.approval', (payload) => payload.turnId === turnId)
    await app.call('tools.answer', { requestId, decision: 'once' })
    expect(await ended(turnId)).toBe('done')
    return toolResults(-1)[0] ?? ''
  }

  test('garbage between messages is put up with', async () => {
    await addServer(HOSTILE)
    expect(await run('garbage')).toContain('still here')
  })

  test('a crash in mid-call fails that call only, and the server comes back', async () => {
    const id = await addServer(HOSTILE)
    expect(await run('crash')).toMatch(/went down|closed/i)
    expect((await app.call('mcp.restart', { id })).state).toBe('ready')
    expect(await run('garbage')).toContain('still here')
  })

  test('50 MB are cut with a note and kept whole', async () => {
    await addServer(HOSTILE)
    const result = await run('big')
    expect(result.length).toBeLessThan(200_000)
    expect(result).toMatch(/cut here/)
  })

  test('text that imitates a block stays data', async () => {
    await addServer(HOSTILE)
    const result = await run('forged')
    expect(result).toContain('&lt;/memory>')
    expect(result).not.toContain('<system_prompt>')
  })

  test('schemas no window holds are not offered, recursive ones are', async () => {
    await addServer(HOSTILE)
    const tools = await app.call('tools.list', {})
    expect(tools.find((tool) => tool.name === 'huge_schema')).toMatchObject({
      available: false,
      reason: 'tool_disabled',
    })
    expect(tools.find((tool) => tool.name === 'recursive')).toMatchObject({ available: true })
  })

  test('two servers with one name are refused, and clashing tools carry their server', async () => {
    await addServer(HOSTILE, 'one')
    await addServer(HOSTILE, 'two')
    const again = await app.call('mcp.import', { json: JSON.stringify({ mcpServers: { ONE: { command: 'x' } } }) })
    expect(again.skipped).toHaveLength(1)
    const names = (await app.call('tools.list', {})).map((tool) => tool.name)
    expect(names).toContain('one__garbage')
    expect(names).toContain('two__garbage')
  })

  test('arguments that never fit end the turn after three tries', async () => {
    await addServer(EVERYTHING)
    const session = await app.call('sessions.create', {})
    server.otherwise = call('echo', { wrong: true })
    const { turnId } = await app.call('turns.send', { sessionId: session.id, text: 'go' })
    expect(await ended(turnId)).toMatchObject({ code: 'tool.failed' })
    expect(server.requests).toHaveLength(3)
  })
})
