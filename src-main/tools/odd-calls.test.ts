import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Body, HOSTILE, type ToolRig, toolCall, toolRig } from '../testing/tool-rig'

let rig: ToolRig
beforeEach(async () => {
  rig = await toolRig()
})
afterEach(() => rig.close())

const schema = {
  type: 'object',
  properties: {
    words: { type: 'array', items: { type: 'string' } },
    count: { type: 'integer' },
    loud: { type: 'boolean' },
    title: { type: 'string' },
  },
  required: ['words'],
}
const argv = [process.execPath, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', '{words}', '{count}']

async function sayWords(given: unknown): Promise<unknown> {
  await rig.app.call('commands.save', { name: 'say', description: 'Says words.', schema, argv })
  const { result } = await rig.run('say', given)
  return JSON.parse(result.split('\n').at(-1) ?? '')
}

describe('arguments in another shape than the schema’s', () => {
  test.each<[string, unknown, string[]]>([
    ['JSON text of everything', '{"words": ["low tide"], "count": 2}', ['low tide', '2']],
    ['JSON text of JSON text', JSON.stringify('{"words": ["low tide"]}'), ['low tide']],
    ['JSON text of a part', { words: '["low tide", "fog"]', count: '2' }, ['low tide', 'fog', '2']],
    ['a lone value', { words: 'low tide' }, ['low tide']],
    ['a bare list', ['low tide', 'fog'], ['low tide', 'fog']],
    ['one object in a list', [{ words: ['low tide'] }], ['low tide']],
  ])('%s', async (_name, given, argvSaid) => {
    expect(await sayWords(given)).toEqual(argvSaid)
  })

  test('text that is no JSON is not taken for an argument: it may be JSON that was cut off', async () => {
    await rig.app.call('commands.save', { name: 'say', description: 'Says words.', schema, argv })
    expect((await rig.run('say', '{"words": ["low ti')).result).toMatch(/no JSON object/)
  })

  test('what no mending makes fit goes back to the model', async () => {
    await rig.app.call('commands.save', { name: 'say', description: 'Says words.', schema, argv })
    const { result } = await rig.run('say', { words: ['a'], count: 'many' })
    expect(result).toMatch(/do not fit: \/count must be integer/)
  })
})

describe('a memory that fell apart', () => {
  test.each<[string, unknown]>([
    ['into letters', { text: [...'Likes fog at sea.'] }],
    ['into a bare list of letters', [...'Likes fog at sea.']],
    ['into JSON text of letters', JSON.stringify({ text: JSON.stringify([...'Likes fog at sea.']) })],
  ])('%s is one memory', async (_name, given) => {
    await rig.run('save_memory', given)
    const { memories } = await rig.app.call('memory.list', {})
    expect(memories.map((memory) => memory.text)).toEqual(['Likes fog at sea.'])
  })

  test('names that fell apart are one name', async () => {
    await rig.run('save_memory', { text: 'Ada sails.', entities: [...'Ada'] })
    expect((await rig.app.call('memory.list', {})).memories[0]?.entities).toEqual(['Ada'])
  })
})

describe('call ids', () => {
  test('that come back in every round and are the same side by side keep every result', async () => {
    const sessionId = await rig.session()
    const twice = {
      toolCalls: [
        { id: 'call_0', name: 'get_time', arguments: {} },
        { id: 'call_0', name: 'get_time', arguments: { time_zone: 'Asia/Tokyo' } },
      ],
    }
    rig.server.answer(twice, toolCall('get_time', { time_zone: 'Europe/Lisbon' }, 'call_0'), { text: 'Late.' })
    expect(await rig.ended((await rig.send(sessionId)).turnId)).toBe('done')
    const zones = () => rig.results().map((result) => /(\w+\/\w+|UTC)/.exec(result)?.[1])
    expect(zones().slice(1)).toEqual(['Asia/Tokyo', 'Europe/Lisbon'])
    const ids = rig.body(-1).messages.flatMap((message) => message.tool_call_id ?? [])
    expect(new Set(ids).size).toBe(3)
  })
})

describe('a person’s word while a turn runs', () => {
  test('a note beside a yes reaches the model with the result', async () => {
    await rig.addServer(HOSTILE, 'test', ['plain'])
    const sessionId = await rig.session()
    rig.server.answer(toolCall('garbage', {}), { text: 'Noted.' })
    const { turnId } = await rig.send(sessionId)
    const { requestId } = await rig.app.event('turn.approval')
    await rig.app.call('tools.answer', { requestId, decision: 'once', note: 'only this once' })
    expect(await rig.ended(turnId)).toBe('done')
    expect(rig.results()[0]).toMatch(/still here[\s\S]*only this once/)
    expect(await rig.part(sessionId)).toMatchObject({ state: 'completed', note: 'only this once' })
  })

  test('a tool switched off while its call waits does not run', async () => {
    await rig.addServer(HOSTILE, 'test', ['plain'])
    const sessionId = await rig.session()
    const garbage = (id: string) => ({ id, name: 'garbage', arguments: {} })
    rig.server.answer({ toolCalls: [garbage('a'), garbage('b')] }, { text: 'Noted.' })
    const { turnId } = await rig.send(sessionId)
    const { requestId } = await rig.app.event('turn.approval', (payload) => payload.callId === 'a')
    const toolId = (await rig.tools()).find((tool) => tool.name === 'garbage')?.id ?? ''
    await rig.app.call('tools.set', { toolId, enabled: false })
    await rig.app.call('tools.answer', { requestId, decision: 'once' })
    await rig.ended(turnId)
    expect(await rig.part(sessionId, 'b')).toMatchObject({ state: 'rejected' })
  })

  test('a stopped answer that is retried keeps the results it has', async () => {
    const counter = `${rig.app.dataDir}/ran.txt`
    await rig.addServer(HOSTILE, 'test', ['plain', counter])
    const sessionId = await rig.session()
    await rig.allow(sessionId, 'once')
    rig.server.answer(toolCall('once', {}, 'a'), toolCall('garbage', {}, 'b'))
    const { turnId, replyMessageId } = await rig.send(sessionId)
    await rig.app.event('turn.approval', (payload) => payload.callId === 'b')
    await rig.app.call('turns.stop', { turnId })
    rig.server.answer({ text: 'Fine.' })
    const again = await rig.app.call('turns.regenerate', { sessionId, messageId: replyMessageId })
    expect(await rig.ended(again.turnId)).toBe('done')
    expect(rig.results()).toEqual([expect.stringContaining('ran'), expect.stringContaining('stopped this turn')])
  })
})

test('a command runs in its own folder, else in the chat’s, else at home', async () => {
  const where = [process.execPath, '-e', 'console.log(process.cwd())']
  const { id } = await rig.app.call('commands.save', { name: 'where', description: 'Says where.', argv: where })
  const sessionId = await rig.session()
  expect((await rig.run('where', {}, sessionId)).result).toContain(realpathSync(homedir()))
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'strata-where-')))
  await rig.app.call('sessions.update', { sessionId, patch: { workingFolder: folder } })
  expect((await rig.run('where', {}, sessionId)).result).toContain(folder)
  const own = realpathSync(rig.app.dataDir)
  await rig.app.call('commands.save', { id, name: 'where', description: '', argv: where, workingFolder: own })
  expect((await rig.run('where', {}, sessionId)).result).toContain(own)
})

describe('a server that goes while its call waits', () => {
  test.each(['removed', 'switched off'])('%s, it is not started again for it', async (how) => {
    const counter = join(rig.app.dataDir, 'ran.txt')
    const id = await rig.addServer(HOSTILE, 'test', ['plain', counter])
    const sessionId = await rig.session()
    rig.server.answer(toolCall('once', {}), { text: 'Noted.' })
    const { turnId } = await rig.send(sessionId)
    const { requestId } = await rig.app.event('turn.approval')
    if (how === 'removed') await rig.app.call('mcp.remove', { id })
    else {
      const transport = { kind: 'stdio' as const, command: process.execPath, args: [HOSTILE, 'plain', counter] }
      await rig.app.call('mcp.save', { id, name: 'test', transport, enabled: false })
    }
    await rig.app.call('tools.answer', { requestId, decision: 'once' })
    expect(await rig.ended(turnId)).toBe('done')
    expect(rig.results()[0]).toMatch(/removed or switched off/)
    expect(existsSync(counter)).toBe(false)
  })
})

test('side calls carry no tools and no word of what tools said', async () => {
  await rig.app.call('settings.update', { patch: { general: { titleFromModel: true } } })
  await rig.addServer(HOSTILE, 'test', ['plain'])
  await rig.run('forged')
  const bodies = () => rig.server.requests.map((request) => request.body as Body)
  const title = () => bodies().find((body) => !body.tools)
  while (!title()) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(title()).not.toHaveProperty('tool_choice')
  expect(JSON.stringify(title())).not.toMatch(/forged|obey|tool_call/)
})

test.each([
  ['no name', { '': { command: 'x' } }, 'name'],
  ['a name without an end', { ['n'.repeat(5000)]: { command: 'x' } }, 'name'],
  ['neither command nor url', { a: { args: [] } }, 'neither'],
  ['a url of another kind', { a: { url: 'file:///etc/passwd' } }, 'http'],
  ['fields of another shape', { a: { command: 'x', env: { A: {} } } }, 'shape'],
])('a pasted server with %s is left out with the reason', async (_name, mcpServers, reason) => {
  const json = JSON.stringify({ mcpServers })
  const { servers, skipped } = await rig.app.call('mcp.import', { json })
  expect([servers.length, skipped]).toEqual([0, [expect.objectContaining({ reason: expect.stringContaining(reason) })]])
})
