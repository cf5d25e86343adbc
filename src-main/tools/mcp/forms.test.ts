import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EVERYTHING, HOSTILE, type ToolRig, toolCall, toolRig } from '../../testing/tool-rig'

let rig: ToolRig
let sessionId: string
beforeEach(async () => {
  rig = await toolRig()
  sessionId = await rig.session()
})
afterEach(() => rig.close())

async function begin(tool: string): Promise<string> {
  await rig.allow(sessionId, tool)
  rig.server.answer(toolCall(tool, {}), { text: 'Noted.' })
  return (await rig.send(sessionId)).turnId
}
const asked = (turnId: string) => rig.app.event('turn.approval', (payload) => payload.turnId === turnId)

describe('a form of server-everything', () => {
  beforeEach(async () => {
    await rig.addServer(EVERYTHING)
  })

  test('is shown with its fields, checked, and its answer goes to the server', async () => {
    const turnId = await begin('trigger-elicitation-request')
    const { requestId, form, callId } = await asked(turnId)
    expect(form).toMatchObject({ server: 'test', message: expect.stringMatching(/provide inputs/) })
    const field = (name: string) => form?.fields.find((each) => each.name === name)
    expect(field('name')).toMatchObject({ label: 'String', type: 'string', required: true })
    expect(field('check')).toMatchObject({ type: 'boolean', required: false })
    expect(field('integer')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, initial: 42 })
    expect(form?.fields.filter((each) => each.options).map((each) => each.type)).toContain('array')
    // It has begun, so that a crash now must not make a fresh call of it.
    expect(await rig.part(sessionId, callId)).toMatchObject({ state: 'running' })
    const waits = rig.app.events.filter(
      ({ name, payload }) => name === 'turn.tool' && (payload as { state: string }).state === 'waiting',
    )
    expect(waits).toHaveLength(1)

    const wrong = { requestId, decision: 'once' as const, form: { name: 'Ada', integer: 4000 } }
    await expect(rig.app.call('tools.answer', wrong)).rejects.toMatchObject({ code: 'bad_input' })
    expect(await rig.app.call('tools.pending', {})).toHaveLength(1)
    const right = { ...wrong, form: { name: 'Ada', integer: 7, check: true } }
    expect(await rig.app.call('tools.answer', right)).toEqual({ accepted: true })
    expect(await rig.ended(turnId)).toBe('done')
    expect(rig.results()[0]).toMatch(/accept[\s\S]*Ada/)
  })

  test.each([
    ['declined', { decision: 'deny' as const }, /declin/i],
    ['put away', { decision: 'deny' as const, cancel: true }, /cancel/i],
  ])('can be %s', async (_name, answer, words) => {
    const turnId = await begin('trigger-elicitation-request')
    await rig.app.call('tools.answer', { requestId: (await asked(turnId)).requestId, ...answer })
    expect(await rig.ended(turnId)).toBe('done')
    expect(rig.results()[0]).toMatch(words)
  })

  test('goes when the turn is stopped, and a late answer changes nothing', async () => {
    const turnId = await begin('trigger-elicitation-request')
    const { requestId } = await asked(turnId)
    await rig.app.call('turns.stop', { turnId })
    expect(await rig.app.call('tools.pending', {})).toEqual([])
    expect(await rig.app.call('tools.answer', { requestId, decision: 'once', form: {} })).toEqual({ accepted: false })
    expect(await rig.part(sessionId)).toMatchObject({ state: 'stopped' })
  })
})

describe('a hostile server', () => {
  beforeEach(async () => {
    await rig.addServer(HOSTILE, 'test', ['plain'])
  })

  test('asks a few times in a call and is then told no; what no form can show is declined at once', async () => {
    const turnId = await begin('ask_often')
    for (let time = 0; time < 5; time += 1) {
      const { requestId } = await rig.app.event(
        'turn.approval',
        ({ form }) => form?.message.startsWith(`question ${time}`) === true,
      )
      await rig.app.call('tools.answer', { requestId, decision: 'once', form: {} })
    }
    expect(await rig.ended(turnId)).toBe('done')
    expect(rig.results()[0]).toContain('accept,accept,accept,accept,accept,decline,decline')
    const unshown = await rig.run('ask_odd', {}, sessionId)
    expect(unshown.result).toContain('decline,decline')
  })

  test('cannot ask without a call', async () => {
    const [server] = await rig.app.call('mcp.list', {})
    const log = async () => (await rig.app.call('mcp.log', { id: server?.id ?? '' })).lines.join('\n')
    await rig.run('ask_late', {}, sessionId)
    while (!/late answer decline/.test(await log())) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(rig.app.events.some((event) => event.name === 'turn.approval')).toBe(false)
  })
})
