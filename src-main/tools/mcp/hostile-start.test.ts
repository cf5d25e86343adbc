import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { textOf } from '../../ipc/said-contract'
import { HOSTILE } from '../../testing/tool-rig'
import { McpConnection } from './mcp-connection'
import { MCP_LIMITS, type McpLimits } from './mcp-limits'

const open: McpConnection[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
})

function connection(mode: string, limits: Partial<McpLimits> = {}, path = ''): McpConnection {
  const transport = { kind: 'stdio' as const, command: process.execPath, args: [HOSTILE, mode, path], env: {} }
  const settings = { name: 'hostile', transport, secrets: [], limits: { ...MCP_LIMITS, ...limits } }
  const made = new McpConnection(settings, () => undefined)
  open.push(made)
  return made
}

const never = new AbortController().signal
const silent = (): void => undefined
const call = (server: McpConnection, name: string, signal = never, progress: (text: string) => void = silent) =>
  server.call({ name, given: {}, signal, progress, refuses: () => undefined, ask: async () => ({ kind: 'cancelled' }) })

/** Polls: what a server does in its own time has no event. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('a server that misbehaves from the start', () => {
  test('hanging at initialize fails in time, and says where to look', async () => {
    const server = connection('silent', { start: 300 })
    await server.ensure(10_000)
    expect(server.state).toBe('failed')
    expect(textOf(server.lastError ?? '')).toMatch(/did not answer in time.*log/)
  })

  test('closing does not wait for a server that hangs', async () => {
    const server = connection('silent', { start: 600_000 })
    const starting = server.ensure(600_000)
    await until(() => server.log().includes('hostile server ready'))
    await server.close()
    await starting
    expect(server.state).toBe('stopped')
  })

  test('turns wait for it once, not each time', async () => {
    const server = connection('silent', { start: 600_000 })
    await server.ensureForTurn(200)
    // Each time anew, this would take longer than a test may.
    for (let turn = 0; turn < 500; turn += 1) await server.ensureForTurn(200)
    expect(server.state).toBe('starting')
  })

  test('one that ignores every request to end is ended', async () => {
    const server = connection('deaf')
    await server.ensure(10_000)
    expect(server.state).toBe('ready')
    await server.close()
    expect(server.log().at(-1)).toMatch(/ended with SIGKILL|hostile server ready/)
  })

  test('text before the first message is put up with', async () => {
    const server = connection('garbage-start')
    await server.ensure(10_000)
    expect(server.state).toBe('ready')
    expect(server.log().join('\n')).toContain('no MCP message: Welcome!')
  })

  test('nothing but garbage is given up', async () => {
    const server = connection('garbage-only')
    await server.ensure(10_000)
    await until(() => server.state === 'failed')
    expect(server.log().join('\n')).toContain('Logs belong on standard error')
  })

  test('a line without an end is cut off', async () => {
    const server = connection('flood-line')
    await server.ensure(15_000)
    expect(server.state).toBe('failed')
    expect(server.log().join('\n')).toMatch(/more than 64 MB without a line break/)
  })

  test('a flood of messages is cut off', async () => {
    const server = connection('flood-messages')
    await server.ensure(15_000)
    await until(() => server.state === 'failed')
    expect(server.log().join('\n')).toMatch(/messages within a second/)
  })

  test('a flood on standard error costs the log its past, nothing else', async () => {
    const server = connection('flood-log')
    await server.ensure(15_000)
    expect(server.state).toBe('ready')
    expect((await call(server, 'garbage')).text).toBe('still here')
    expect(server.log().length).toBeLessThanOrEqual(200)
  })

  test('a tool list without an end is read to its limit', async () => {
    const server = connection('endless-list')
    await server.ensure(15_000)
    expect([server.state, server.tools]).toEqual(['ready', []])
  })

  test('a tool list that never comes fails in time', async () => {
    const server = connection('no-list', { list: 300 })
    await server.ensure(10_000)
    expect(server.state).toBe('failed')
  })

  test('the end of its log tells why it ended', async () => {
    const server = connection('crash-start')
    await server.ensure(10_000)
    expect(textOf(server.lastError ?? '')).toMatch(/ended right after the start/)
    await until(() => server.log().some((line) => line.includes('code 7')))
    expect(server.log()).toContain('cannot read the almanac')
  })

  test('a command that does not exist says so', async () => {
    const transport = { kind: 'stdio' as const, command: 'no-such-server-5521', args: [], env: {} }
    const server = new McpConnection({ name: 'n', transport, secrets: [], limits: MCP_LIMITS }, () => undefined)
    await server.ensure(10_000)
    expect(textOf(server.lastError ?? '')).toMatch(/no-such-server-5521.*not found/)
  })
})

describe('pauses between starts', () => {
  test('grow with every failure, and a person’s restart forgets them', async () => {
    const server = connection('crash-start', { backOff: [0, 600_000] })
    const starts = () => server.log().filter((line) => line.includes('hostile server ready')).length
    await server.ensure(10_000)
    await server.ensure(10_000)
    expect(starts()).toBe(2)
    await server.ensure(10_000)
    expect(starts()).toBe(2)
    await server.restart(10_000)
    expect(starts()).toBe(3)
  })

  test('a server that crashes again and again after a good start is paused too', async () => {
    const server = connection('plain', { backOff: [0, 600_000], sound: 600_000 })
    for (let time = 0; time < 2; time += 1) {
      expect((await call(server, 'crash')).text).toMatch(/went down/)
      await until(() => server.state === 'failed')
    }
    expect((await call(server, 'garbage')).text).toMatch(/is down/)
  })

  test('one that was sound for a while starts at once', async () => {
    const server = connection('plain', { backOff: [0, 600_000], sound: 0 })
    for (let time = 0; time < 3; time += 1) expect((await call(server, 'crash')).text).toMatch(/went down/)
    expect((await call(server, 'garbage')).text).toBe('still here')
  })

  test('after one bad start the next call brings it up', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-hostile-'))
    const server = connection('crash-once', {}, join(folder, 'crashed'))
    await server.ensure(10_000)
    expect(server.state).toBe('failed')
    expect((await call(server, 'garbage')).text).toBe('still here')
    rmSync(folder, { recursive: true })
  })
})

describe('calls', () => {
  test('stopping one tells the server, and its late answer changes nothing', async () => {
    const server = connection('plain')
    const control = new AbortController()
    await server.ensure(10_000)
    const calling = call(server, 'late', control.signal)
    setTimeout(() => control.abort(), 50)
    expect((await calling).outcome).toBe('stopped')
    await until(() => server.log().some((line) => line.startsWith('cancelled {"requestId":')))
    await until(() => server.log().some((line) => line.includes('too late') || line.includes('unknown message ID')))
    expect((await call(server, 'garbage')).text).toBe('still here')
  })

  test('a call that takes too long is timed out and cancelled', async () => {
    const server = connection('plain', { call: 200 })
    expect((await call(server, 'hang')).outcome).toBe('timed_out')
    await until(() => server.log().some((line) => line.startsWith('cancelled')))
  })

  test('parts nobody knows do not cost the others', async () => {
    const server = connection('plain')
    const { text, outcome } = await call(server, 'odd_parts')
    expect([outcome, text.split('\n\n').at(-1)]).toEqual(['completed', 'one'])
    expect((await call(server, 'no_result')).outcome).toBe('failed')
  })

  test('a list that says it changed very often is read a few times', async () => {
    const server = connection('plain', { relist: 30 })
    await call(server, 'grow')
    await until(() => server.tools.some((tool) => tool.name === 'grown'))
    expect(server.tools.map((tool) => tool.name)).toEqual([...server.tools.map((tool) => tool.name)].sort())
  })
})
