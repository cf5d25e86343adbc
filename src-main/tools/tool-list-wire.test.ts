import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOSTILE, type ToolRig, toolRig } from '../testing/tool-rig'
import type { ToolReason } from './contract'

let rig: ToolRig
let serverId: string
beforeEach(async () => {
  rig = await toolRig()
  serverId = await rig.addServer(HOSTILE, 'test', ['plain'])
  await rig.app.call('commands.save', { name: 'tide_table', description: 'Tides.', argv: ['true'] })
  await rig.app.call('settings.update', { patch: { memory: { activeRetrieval: true } } })
})
afterEach(() => rig.close())

interface Case {
  reason: ToolReason
  /** Tools that must be gone, all others must stay. */
  gone: (id: string) => boolean
  arrange: (sessionId: string) => Promise<unknown>
}

const all = () => true
const ofServer = (id: string) => id.startsWith('mcp/')
const setMemory = (memory: Record<string, unknown>) => () => rig.app.call('settings.update', { patch: { memory } })
const idOf = async (name: string) => (await rig.tools()).find((tool) => tool.name === name)?.id ?? ''

const cases: Case[] = [
  {
    reason: 'isolated',
    gone: all,
    arrange: (sessionId) =>
      rig.app.call('sessions.update', { sessionId, patch: { worldbookIds: ['a-book'], isolation: true } }),
  },
  {
    reason: 'model_without_tools',
    gone: all,
    async arrange() {
      const id = await rig.modelId()
      await rig.app.call('models.save', { id, capabilities: { tools: false } })
    },
  },
  {
    reason: 'memory_off',
    gone: (id) => id.endsWith('_memory'),
    arrange: setMemory({ enabled: false }),
  },
  {
    reason: 'memory_write_off',
    gone: (id) => id === 'built-in/save_memory',
    arrange: setMemory({ write: false }),
  },
  {
    reason: 'active_retrieval_off',
    gone: (id) => id === 'built-in/search_memory',
    arrange: setMemory({ activeRetrieval: false }),
  },
  { reason: 'top_k_is_zero', gone: (id) => id === 'built-in/search_memory', arrange: setMemory({ topK: 0 }) },
  {
    reason: 'server_not_selected',
    gone: ofServer,
    async arrange() {
      const [server] = await rig.app.call('mcp.list', {})
      if (!server) throw new Error('The server is gone.')
      const { id, name, transport } = server
      await rig.app.call('mcp.save', { id, name, transport, selectedForChat: false })
    },
  },
  {
    reason: 'server_not_selected',
    gone: ofServer,
    arrange: (sessionId) =>
      rig.app.call('sessions.update', { sessionId, patch: { toolChoices: { [`mcp/${serverId}`]: 'off' } } }),
  },
  {
    reason: 'server_down',
    gone: ofServer,
    async arrange() {
      const transport = { kind: 'stdio' as const, command: process.execPath, args: [HOSTILE, 'crash-start'] }
      await rig.app.call('mcp.save', { id: serverId, name: 'test', transport })
      await rig.app.call('mcp.restart', { id: serverId })
    },
  },
  {
    reason: 'tool_disabled',
    gone: (id) => id.startsWith('command/'),
    arrange: async () => rig.app.call('tools.set', { toolId: await idOf('tide_table'), enabled: false }),
  },
  {
    reason: 'tool_disabled',
    gone: (id) => id.startsWith('command/'),
    arrange: async (sessionId) =>
      rig.app.call('sessions.update', { sessionId, patch: { toolChoices: { [await idOf('tide_table')]: 'off' } } }),
  },
  {
    reason: 'always_denied',
    gone: (id) => id.startsWith('command/'),
    arrange: async () => rig.app.call('tools.set', { toolId: await idOf('tide_table'), policy: 'deny' }),
  },
]

const definitions = (tools: readonly { name: string; description: string; schema: unknown }[]) =>
  tools.map(({ name, description, schema }) => ({ name, description, parameters: schema }))

/** The tools of the body that left, and what the tool centre says at that moment. */
async function sendAndList(sessionId: string) {
  const { turnId } = await rig.send(sessionId)
  expect(await rig.ended(turnId)).toBe('done')
  const body = rig.body(-1)
  const listing = await rig.tools(sessionId)
  return { body, listing }
}

describe('the tool list of the body that left', () => {
  test('is what the tool centre calls available, sorted, to the byte, and costs what both say', async () => {
    const sessionId = await rig.session()
    const { body } = await sendAndList(sessionId)
    // By now every definition has been counted exactly, on however slow a machine.
    const { usage } = await rig.app.call('turns.preview', { sessionId, draft: 'go' })
    const available = (await rig.tools(sessionId)).filter((tool) => tool.available)
    expect(available.length).toBeGreaterThan(15)
    expect(body.tools?.map((tool) => tool.function)).toEqual(definitions(available))
    expect(rig.toolNames()).toEqual([...rig.toolNames()].sort())
    const segment = usage.segments.find((each) => each.segment === 'tools')
    expect(segment?.tokens).toBe(available.reduce((sum, tool) => sum + tool.tokens, 0))
  })

  test.each(cases)('$reason takes out what it names and nothing else', async ({ reason, gone, arrange }) => {
    const sessionId = await rig.session()
    const before = (await rig.tools(sessionId)).filter((tool) => tool.available).map((tool) => tool.id)
    await arrange(sessionId)
    const { body, listing } = await sendAndList(sessionId)
    const left = listing.filter((tool) => tool.available)
    expect(left.map((tool) => tool.id).sort()).toEqual(before.filter((id) => !gone(id)).sort())
    expect((body.tools ?? []).map((tool) => tool.function)).toEqual(definitions(left))
    const withheld = listing.filter((tool) => before.includes(tool.id) && !tool.available)
    expect(new Set(withheld.map((tool) => tool.reason))).toEqual(new Set([reason]))
    expect(withheld.every((tool) => tool.configured)).toBe(true)
    if (reason === 'server_down') expect(withheld[0]?.reasonDetail).toMatch(/ended right after the start/)
    if (left.length === 0) expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['tools', 'tool_choice']))
    expect('tool_choice' in body).toBe(left.length > 0)
  })

  test('a temporary chat has none', async () => {
    const { id } = await rig.app.call('sessions.create', { temporary: true })
    const { body, listing } = await sendAndList(id)
    expect(body).not.toHaveProperty('tools')
    expect(body).not.toHaveProperty('tool_choice')
    expect(new Set(listing.map((tool) => tool.reason))).toEqual(new Set(['temporary']))
  })

  test('one chat may use a server the others do not', async () => {
    const transport = { kind: 'stdio' as const, command: process.execPath, args: [HOSTILE, 'plain'] }
    await rig.app.call('mcp.save', { id: serverId, name: 'test', transport, selectedForChat: false })
    const sessionId = await rig.session()
    await rig.app.call('sessions.update', { sessionId, patch: { toolChoices: { [`mcp/${serverId}`]: 'on' } } })
    const { listing } = await sendAndList(sessionId)
    expect(rig.toolNames()).toContain('garbage')
    expect(listing.find((tool) => tool.name === 'garbage')?.available).toBe(true)
    await sendAndList(await rig.session())
    expect(rig.toolNames()).not.toContain('garbage')
  })

  test('schemas nobody could use are listed with the reason and never sent', async () => {
    const { listing } = await sendAndList(await rig.session())
    for (const name of ['huge_schema', 'invalid_schema', 'no_schema']) {
      expect(listing.find((tool) => tool.name === name)).toMatchObject({ available: false, reason: 'tool_disabled' })
      expect(rig.toolNames()).not.toContain(name)
    }
    expect(rig.toolNames()).toContain('recursive')
  })

  test('after a restart the tools of a server that does not come up stay configured', async () => {
    const transport = { kind: 'stdio' as const, command: process.execPath, args: [HOSTILE, 'crash-start'] }
    await rig.app.call('mcp.save', { id: serverId, name: 'test', transport })
    rig.app = await rig.app.restart()
    const tool = (await rig.tools()).find((each) => each.name === 'garbage')
    expect(tool).toMatchObject({ configured: true, available: false, reason: 'server_down' })
    await rig.app.call('tools.set', { toolId: tool?.id ?? '', description: 'My words.' })
    expect((await rig.tools()).find((each) => each.name === 'garbage')?.description).toBe('My words.')
  })

  test('a description a person rewrote is what the model reads; an empty one brings back the original', async () => {
    const toolId = await idOf('garbage')
    await rig.app.call('tools.set', { toolId, description: 'Says that it is still here.' })
    await sendAndList(await rig.session())
    const sent = () => rig.body(-1).tools?.find((tool) => tool.function.name === 'garbage')?.function.description
    expect(sent()).toBe('Says that it is still here.')
    await rig.app.call('tools.set', { toolId, description: '' })
    await sendAndList(await rig.session())
    expect(sent()).toBe('Writes lines that are no messages, then answers.')
  })

  test('the model proposes a description from the tool’s own words; nothing changes by it', async () => {
    const toolId = await idOf('tide_table')
    rig.server.answer({ text: 'Gives the tides of a harbour.' })
    expect(await rig.app.call('tools.propose-description', { toolId })).toEqual({
      description: 'Gives the tides of a harbour.',
    })
    expect(JSON.stringify(rig.body(-1).messages)).toContain('tide_table')
    expect((await rig.tools()).find((tool) => tool.id === toolId)?.description).toBe('Tides.')
  })

  test('preview and send expose the same tools', async () => {
    const sessionId = await rig.session()
    const preview = await rig.app.call('turns.preview', { sessionId, draft: 'go' })
    await sendAndList(sessionId)
    expect((JSON.parse(preview.wire.body) as { tools: unknown }).tools).toEqual(rig.body(-1).tools)
  })
})
