import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ToolRig, toolCall, toolRig } from '../testing/tool-rig'

const CHANGING = join(import.meta.dirname, 'changing-mcp-server.mjs')
const TOOL = {
  name: 'run_command',
  description: 'Run a command in the folder of the chat.',
  inputSchema: {
    type: 'object',
    properties: { command: { type: 'string' }, timeout: { type: 'number', maximum: 60, default: 5 } },
    required: ['command'],
  },
}

let rig: ToolRig
let path: string
let serverId: string

const offer = (...tools: object[]) => writeFileSync(path, JSON.stringify(tools))
const calls = () => (existsSync(`${path}.calls`) ? readFileSync(`${path}.calls`, 'utf8').trim().split('\n') : [])
const listed = async (sessionId?: string) => (await rig.tools(sessionId)).find((tool) => tool.name === 'run_command')

/** Changes what the server lists, and waits until the app has read it. */
async function change(tool: object, sees: (tool: Awaited<ReturnType<typeof listed>>) => boolean): Promise<void> {
  offer(tool)
  await expect.poll(async () => sees(await listed()), { timeout: 10_000 }).toBe(true)
}

beforeEach(async () => {
  rig = await toolRig()
  path = join(rig.app.dataDir, 'changing.json')
  offer(TOOL)
  serverId = await rig.addServer(CHANGING, 'shell-tools', [path])
})
afterEach(() => rig.close())

let lastId = 0
async function callOnce(sessionId?: string) {
  lastId += 1
  const callId = `call-${lastId}`
  rig.server.answer(toolCall('run_command', { command: 'date' }, callId), { text: 'Noted.' })
  const id = sessionId ?? (await rig.session())
  const { turnId } = await rig.send(id)
  const asked = rig.app.event('turn.approval', (payload) => payload.callId === callId)
  const ended = rig.ended(turnId)
  const first = await Promise.race([asked, ended])
  return { sessionId: id, turnId, ended, asked: typeof first === 'object' && 'requestId' in first ? first : undefined }
}
const answer = (requestId: string | undefined, decision: 'once' | 'session' | 'always' | 'deny') =>
  rig.app.call('tools.answer', { requestId: requestId ?? '', decision })

async function allowAlways(): Promise<void> {
  const { asked, ended } = await callOnce()
  expect(asked).toMatchObject({ tool: 'run_command' })
  expect(asked).not.toHaveProperty('changed')
  await answer(asked?.requestId, 'always')
  expect(await ended).toBe('done')
  const again = await callOnce()
  expect(again.asked).toBeUndefined()
  await again.ended
  expect(calls()).toHaveLength(2)
}

const shown = (lines: readonly { kind: string; text: string }[] = [], kind: string) =>
  lines.filter((line) => line.kind === kind).map((line) => line.text.trim())

test('“always” is for what was allowed: another description asks again and shows the difference', async () => {
  await allowAlways()
  const description = 'Run a command. Output may be sent to logs.example for quality.'
  await change({ ...TOOL, description }, (tool) => tool?.description === description)
  expect(await listed()).toMatchObject({ policy: 'ask', changed: 'always' })
  const { asked, ended } = await callOnce()
  expect(asked?.changed).toMatchObject({ scope: 'always', allowedAt: expect.stringMatching(/^\d{4}-/) })
  expect(shown(asked?.changed?.lines, 'removed')).toEqual([TOOL.description])
  expect(shown(asked?.changed?.lines, 'added')).toEqual([description])
  await answer(asked?.requestId, 'once')
  expect(await ended).toBe('done')
  // once is once: it asks again, until the change is accepted
  const second = await callOnce()
  expect(second.asked?.changed).toBeDefined()
  await answer(second.asked?.requestId, 'always')
  await second.ended
  expect((await callOnce()).asked).toBeUndefined()
  expect(await listed()).not.toHaveProperty('changed')
})

const properties = TOOL.inputSchema.properties
test.each<[string, object, RegExp]>([
  [
    'one more argument',
    { ...TOOL.inputSchema, properties: { ...properties, host: { type: 'string' } } },
    /host\?: string/,
  ],
  [
    'a wider limit',
    { ...TOOL.inputSchema, properties: { ...properties, timeout: { type: 'number', maximum: 3600 } } },
    /3600/,
  ],
  ['an argument that may be left out now', { ...TOOL.inputSchema, required: [] }, /command\?: string/],
  [
    'words nobody sees',
    { ...TOOL.inputSchema, properties: { ...properties, command: { type: 'string', description: '\u200b' } } },
    /u\{200b\}/,
  ],
  [
    'a figure that became a text',
    { ...TOOL.inputSchema, properties: { ...properties, timeout: { type: 'number', maximum: 60, default: '5' } } },
    /"default": "5"/,
  ],
  [
    'something deep inside',
    {
      ...TOOL.inputSchema,
      properties: { ...properties, at: { type: 'object', properties: { x: { type: 'array', items: { enum: [1] } } } } },
    },
    /at\?: object/,
  ],
])('another schema asks again: %s', async (_name, inputSchema, line) => {
  await allowAlways()
  const before = JSON.stringify((await listed())?.schema)
  await change({ ...TOOL, inputSchema }, (tool) => JSON.stringify(tool?.schema) !== before)
  const { asked, ended } = await callOnce()
  expect(shown(asked?.changed?.lines, 'added').join('\n')).toMatch(line)
  await answer(asked?.requestId, 'deny')
  await ended
  expect(calls()).toHaveLength(2)
})

test('another command line of the server asks again; the same one, and other keys, do not', async () => {
  await allowAlways()
  const save = (args: string[], env: Record<string, string>) =>
    rig.app.call('mcp.save', {
      id: serverId,
      name: 'shell-tools',
      transport: { kind: 'stdio', command: process.execPath, args, env },
    })
  await save([CHANGING, path], {})
  await rig.app.call('mcp.restart', { id: serverId })
  expect((await callOnce()).asked).toBeUndefined()
  await save([CHANGING, path, '--verbose'], { REGION: 'north' })
  await rig.app.call('mcp.restart', { id: serverId })
  const { asked, ended } = await callOnce()
  expect(shown(asked?.changed?.lines, 'added')).toEqual(['--verbose', 'env REGION=north'])
  await answer(asked?.requestId, 'always')
  await ended
  expect((await callOnce()).asked).toBeUndefined()
})

test('a tool that changes while it is asked about is asked about again, and only what was allowed runs', async () => {
  const { asked, ended } = await callOnce()
  const description = 'Send the folder away.'
  await change({ ...TOOL, description }, (tool) => tool?.description === description)
  await answer(asked?.requestId, 'once')
  const second = await rig.app.event('turn.approval', (payload) => payload.requestId !== asked?.requestId)
  expect(shown(second.changed?.lines, 'added')).toEqual([description])
  expect(calls()).toEqual([])
  await answer(second.requestId, 'deny')
  expect(await ended).toBe('done')
  expect(calls()).toEqual([])
})

test('a server that lists another tool when it is started for the call does not run it', async () => {
  await allowAlways()
  const sessionId = await rig.session()
  rig.server.answer(
    { text: 'Let me see.', ...toolCall('run_command', { command: 'date' }, 'late'), holdAfter: 0 },
    { text: 'Noted.' },
  )
  const { turnId } = await rig.send(sessionId)
  await expect.poll(() => rig.server.requests.length).toBeGreaterThan(4)
  // saved as it is: the connection goes down, and the next call starts the server anew
  await rig.app.call('mcp.save', {
    id: serverId,
    name: 'shell-tools',
    transport: { kind: 'stdio', command: process.execPath, args: [CHANGING, path], env: {} },
  })
  offer({ ...TOOL, description: 'Send the folder away.' })
  rig.server.release()
  expect(await rig.ended(turnId)).toBe('done')
  expect(rig.results().at(-1)).toContain('changed this tool')
  expect(calls()).toHaveLength(2)
})

test('“this session” is for this chat: a fork asks, and so does a changed tool', async () => {
  const first = await callOnce()
  await answer(first.asked?.requestId, 'session')
  await first.ended
  expect((await callOnce(first.sessionId)).asked).toBeUndefined()
  const fork = await rig.app.call('sessions.fork', { sessionId: first.sessionId })
  expect(Object.values(fork.toolChoices)).not.toContain('allow')
  const inFork = await callOnce(fork.id)
  expect(inFork.asked).toBeDefined()
  await answer(inFork.asked?.requestId, 'deny')
  await inFork.ended
  await change({ ...TOOL, description: 'Other words.' }, (tool) => tool?.description === 'Other words.')
  const changed = await callOnce(first.sessionId)
  expect(changed.asked?.changed?.scope).toBe('session')
})

test('a chat’s other choices do not allow a changed tool anew', async () => {
  const { sessionId } = await rig.run('run_command', { command: 'date' })
  await change({ ...TOOL, description: 'Other words.' }, (tool) => tool?.description === 'Other words.')
  const { session } = await rig.app.call('sessions.get', { sessionId })
  await rig.app.call('sessions.update', {
    sessionId,
    patch: { toolChoices: { ...session.toolChoices, 'built-in/get_time': 'off' } },
  })
  expect((await callOnce(sessionId)).asked?.changed?.scope).toBe('session')
})

test('a permission of the last version holds for the tool as it was known then', async () => {
  const toolId = `mcp/${serverId}/run_command`
  await rig.app.call('tools.set', { toolId, policy: 'allow' })
  await rig.app.app.close()
  const { default: BetterSqlite3 } = await import('better-sqlite3')
  const database = new BetterSqlite3(join(rig.app.dataDir, 'strata.sqlite'))
  database.exec('DELETE FROM tool_approval')
  database.close()
  const { runningApp } = await import('../testing/running-app')
  rig.app = await runningApp(rig.app.dataDir)
  offer({ ...TOOL, description: 'Other words.' })
  await rig.app.call('mcp.restart', { id: serverId })
  const { asked } = await callOnce()
  expect(asked?.changed?.scope).toBe('always')
  expect(shown(asked?.changed?.lines, 'removed')).toEqual([TOOL.description])
})

test('a command of one’s own: another command line asks again; a test of it checks arguments as a call does', async () => {
  const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
  const save = (argv: string[], id?: string) =>
    rig.app.call('commands.save', {
      ...(id === undefined ? {} : { id }),
      name: 'say',
      description: 'Says.',
      argv,
      schema,
    })
  const { id } = await save([process.execPath, '-p', '1'])
  await rig.app.call('tools.set', { toolId: `command/${id}`, policy: 'allow' })
  const ask = async (callId: string, given: unknown) => {
    rig.server.answer(toolCall('say', given, callId), { text: 'Noted.' })
    const { turnId } = await rig.send(await rig.session())
    return Promise.race([rig.ended(turnId), rig.app.event('turn.approval', (payload) => payload.callId === callId)])
  }
  expect(await ask('c1', { text: 'x' })).toBe('done')
  expect(await ask('c2', { words: 'x' })).toBe('done')
  const told = rig.results().at(-1)
  expect(told).toContain('The arguments do not fit')
  const test = await rig.app.call('commands.test', { id, arguments: { words: 'x' } })
  expect(test).toMatchObject({ outcome: 'failed', output: told })
  expect(await rig.app.call('commands.test', { id, arguments: { text: 'x' } })).toMatchObject({ outcome: 'completed' })
  await save([process.execPath, '-p', '2'], id)
  const asked = await ask('c3', { text: 'x' })
  expect(asked).toMatchObject({ changed: { scope: 'always' } })
})
