import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EVERYTHING, HOSTILE, type ToolRig, toolRig } from '../testing/tool-rig'
import { redactor } from './mcp/redact'

const SECRET = 'canary-secret-8841'
let rig: ToolRig
beforeEach(async () => {
  rig = await toolRig()
})
afterEach(() => rig.close())

/** Every file of the data folder that holds the secret as it is. */
function filesWithSecret(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(SECRET))
}

const entry = (script: string, ...args: string[]) => ({
  command: process.execPath,
  args: [script, ...args],
  env: { API_KEY: SECRET, HARBOUR: 'Lisbon' },
})

describe('a secret of a server', () => {
  test('reaches its environment and nothing else, even where the server repeats it', async () => {
    const id = await rig.paste('test', entry(HOSTILE, 'plain'))
    const { sessionId, messageId, result } = await rig.run('leak')
    expect(result).toContain('my secret is •••')
    const reads = [
      await rig.app.call('mcp.list', {}),
      await rig.app.call('mcp.log', { id }),
      await rig.tools(sessionId),
      await rig.app.call('sessions.get', { sessionId }),
      await rig.app.call('turns.record', { messageId }),
      rig.app.events,
      rig.server.requests,
    ]
    for (const read of reads) expect(JSON.stringify(read)).not.toContain(SECRET)
    expect((await rig.app.call('mcp.log', { id })).lines.join('\n')).toContain('my secret is •••')
    await rig.app.app.close()
    expect(filesWithSecret(rig.app.dataDir)).toEqual([])
  })

  test('is passed to a real server, and its neighbours that are none stay readable', async () => {
    await rig.paste('test', entry(EVERYTHING, 'stdio'))
    const { result } = await rig.run('get-env')
    expect(result).toContain('"API_KEY": "•••"')
    expect(result).toContain('"HARBOUR": "Lisbon"')
    expect(result).not.toContain('STRATA')
  })

  test('is shown as dots, kept when the dots come back, replaced by a new value, and gone with its line', async () => {
    const id = await rig.paste('test', entry(EVERYTHING, 'stdio'))
    const [server] = await rig.app.call('mcp.list', {})
    if (server?.transport.kind !== 'stdio') throw new Error('The server changed its kind.')
    expect(server.transport.env).toEqual({ API_KEY: '•••', HARBOUR: 'Lisbon' })
    expect(server.secretNames).toEqual(['API_KEY'])
    const { transport } = server
    const save = (env: Record<string, string>) =>
      rig.app.call('mcp.save', { id, name: 'test', transport: { ...transport, env } })
    await save(transport.env)
    expect((await rig.run('get-env')).result).toContain('"API_KEY": "•••"')
    await save({ ...transport.env, API_KEY: 'fresh' })
    // Too short to be blanked out, so it shows that the new one went in.
    expect((await rig.run('get-env')).result).toContain('"API_KEY": "fresh"')
    await save({ HARBOUR: 'Porto' })
    const { result } = await rig.run('get-env')
    expect(result).not.toContain('API_KEY')
    expect((await rig.app.call('mcp.list', {}))[0]?.secretNames).toEqual([])
  })

  test('a dry run of an import does not show it', async () => {
    const json = JSON.stringify({ mcpServers: { one: entry(EVERYTHING) } })
    const shown = await rig.app.call('mcp.import', { json, dryRun: true })
    expect(shown.servers[0]?.transport).toMatchObject({ env: { API_KEY: '•••', HARBOUR: 'Lisbon' } })
    expect(await rig.app.call('mcp.list', {})).toEqual([])
  })

  test('a header is sent as it is and shown as dots', async () => {
    const seen: (string | undefined)[] = []
    const web: Server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(401).end(`no, not with Bearer ${SECRET}`)
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    const address = web.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const transport = {
      kind: 'http' as const,
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { Authorization: `Bearer ${SECRET}` },
    }
    const { id } = await rig.app.call('mcp.save', { name: 'web', transport })
    const server = await rig.app.call('mcp.restart', { id })
    expect(seen[0]).toBe(`Bearer ${SECRET}`)
    expect(server).toMatchObject({ state: 'failed', lastError: expect.stringMatching(/refused the sign-in/) })
    expect(JSON.stringify([server, await rig.app.call('mcp.log', { id })])).not.toContain(SECRET)
    await new Promise((resolve) => web.close(resolve))
  })
})

test('the longest secret is blanked out first, and short ones would blank out words', () => {
  const redact = redactor(['tide', 'canary-secret', 'canary-secret-long', 'Bearer abcdefghijklmnop'])
  expect(redact('tide canary-secret-long canary-secret abcdefghijklmnop')).toBe('tide ••• ••• •••')
})
