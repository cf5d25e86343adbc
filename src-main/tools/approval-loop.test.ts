import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOSTILE, type ToolRig, toolCall, toolRig } from '../testing/tool-rig'

let rig: ToolRig
beforeEach(async () => {
  rig = await toolRig()
})
afterEach(() => rig.close())

const approval = (callId: string) => rig.app.event('turn.approval', (payload) => payload.callId === callId)
const approvals = () => rig.app.events.filter((event) => event.name === 'turn.approval')
const garbage = (...ids: string[]) => ({ toolCalls: ids.map((id) => ({ id, name: 'garbage', arguments: {} })) })

describe('approval in a turn', () => {
  beforeEach(async () => {
    await rig.addServer(HOSTILE, 'test', ['plain'])
  })

  test('three calls side by side: “this session” for the first covers the two that wait, and later turns', async () => {
    const sessionId = await rig.session()
    rig.server.answer(garbage('a', 'b', 'c'), { text: 'Noted.' })
    const { turnId } = await rig.send(sessionId)
    const { requestId } = await approval('a')
    expect(await rig.app.call('tools.pending', {})).toHaveLength(1)
    await rig.app.call('tools.answer', { requestId, decision: 'session' })
    expect(await rig.ended(turnId)).toBe('done')
    expect(approvals()).toHaveLength(1)
    expect(rig.results()).toHaveLength(3)
    await rig.run('garbage', {}, sessionId)
    expect(approvals()).toHaveLength(1)
    const other = await rig.session()
    rig.server.answer(garbage('d'), { text: 'Noted.' })
    await rig.send(other)
    await approval('d')
  })

  test('“always” is remembered for every chat and for the next start', async () => {
    rig.server.answer(garbage('a'), { text: 'Noted.' })
    const { turnId } = await rig.send(await rig.session())
    await rig.app.call('tools.answer', { requestId: (await approval('a')).requestId, decision: 'always' })
    await rig.ended(turnId)
    rig.app = await rig.app.restart()
    rig.server.answer(garbage('b'), { text: 'Noted.' })
    const next = await rig.send(await rig.session())
    expect(await rig.ended(next.turnId)).toBe('done')
    expect(approvals()).toEqual([])
    expect(rig.results().at(-1)).toContain('still here')
  })

  test('a tool this chat switched on for itself stays on after “this session”', async () => {
    const toolId = (await rig.tools()).find((tool) => tool.name === 'garbage')?.id ?? ''
    await rig.app.call('tools.set', { toolId, enabled: false })
    const sessionId = await rig.session()
    await rig.app.call('sessions.update', { sessionId, patch: { toolChoices: { [toolId]: 'on' } } })
    rig.server.answer(garbage('a'), { text: 'Noted.' })
    const { turnId } = await rig.send(sessionId)
    await rig.app.call('tools.answer', { requestId: (await approval('a')).requestId, decision: 'session' })
    await rig.ended(turnId)
    const tool = (await rig.tools(sessionId)).find((each) => each.id === toolId)
    expect(tool).toMatchObject({ available: true, policy: 'allow' })
  })

  test('a call is waiting while it is asked about, and only then', async () => {
    const sessionId = await rig.session()
    await rig.run('garbage', {}, sessionId)
    const states = () =>
      rig.app.events.flatMap((event) =>
        event.name === 'turn.tool' ? [(event.payload as { state: string }).state] : [],
      )
    expect(states()).toEqual(['queued', 'running', 'completed'])
  })

  test('after a restart nothing waits, an old answer changes nothing, and the chat goes on', async () => {
    const sessionId = await rig.session()
    rig.server.answer(garbage('a'))
    const { replyMessageId } = await rig.send(sessionId)
    const { requestId } = await approval('a')
    rig.app = await rig.app.restart()
    expect(await rig.app.call('tools.pending', {})).toEqual([])
    expect(await rig.app.call('tools.answer', { requestId, decision: 'once' })).toEqual({ accepted: false })
    expect(rig.server.requests).toHaveLength(1)
    rig.server.answer({ text: 'Fine.' })
    const { turnId } = await rig.send(sessionId, 'and now')
    expect(await rig.ended(turnId)).toBe('done')
    expect(rig.results()).toEqual(['The person stopped this turn before answering.'])
    expect((await rig.app.call('turns.record', { messageId: replyMessageId })).rounds).toBe(1)
  })

  test('denied for good while it waits: it does not run', async () => {
    const sessionId = await rig.session()
    const toolId = (await rig.tools()).find((tool) => tool.name === 'garbage')?.id ?? ''
    rig.server.answer(garbage('a', 'b'), { text: 'Noted.' })
    const { turnId } = await rig.send(sessionId)
    const { requestId } = await approval('a')
    await rig.app.call('tools.set', { toolId, policy: 'deny' })
    await rig.app.call('tools.answer', { requestId, decision: 'once' })
    await rig.ended(turnId)
    expect(await rig.part(sessionId, 'a')).toMatchObject({ state: 'completed' })
    expect(await rig.part(sessionId, 'b')).toMatchObject({ state: 'rejected' })
  })
})

describe('ask_user', () => {
  const ask = (given: unknown) => toolCall('ask_user', given)
  const choices = { question: 'Which harbour?', choices: 'Lisbon, Porto' }

  test('the question comes with its choices, the answer is the person’s words', async () => {
    const sessionId = await rig.session()
    rig.server.answer(ask(choices), { text: 'Noted.' })
    const { turnId } = await rig.send(sessionId)
    const { requestId, arguments: asked } = await approval('call-1')
    expect(asked).toEqual({ question: 'Which harbour?', choices: ['Lisbon', 'Porto'] })
    await rig.app.call('tools.answer', { requestId, decision: 'once', answer: 'Porto' })
    await rig.ended(turnId)
    expect(rig.results()).toEqual(['Porto'])
    expect(await rig.part(sessionId)).toMatchObject({ state: 'completed', result: 'Porto' })
  })

  test('declined with a note, the note is told', async () => {
    const sessionId = await rig.session()
    rig.server.answer(ask('Which harbour?'), { text: 'Noted.' })
    const { turnId } = await rig.send(sessionId)
    const { requestId, arguments: asked } = await approval('call-1')
    expect(asked).toEqual({ question: 'Which harbour?', choices: [] })
    await rig.app.call('tools.answer', { requestId, decision: 'deny', note: 'you decide' })
    await rig.ended(turnId)
    expect(rig.results()[0]).toContain('you decide')
    expect(await rig.part(sessionId)).toMatchObject({ state: 'rejected', note: 'you decide' })
  })

  test('stopped, the question is gone', async () => {
    const sessionId = await rig.session()
    rig.server.answer(ask(choices))
    const { turnId } = await rig.send(sessionId)
    const { requestId } = await approval('call-1')
    await rig.app.call('turns.stop', { turnId })
    expect(await rig.app.call('tools.pending', {})).toEqual([])
    expect(await rig.app.call('tools.answer', { requestId, decision: 'once', answer: 'x' })).toEqual({
      accepted: false,
    })
    expect(await rig.part(sessionId)).toMatchObject({ state: 'stopped' })
  })
})
