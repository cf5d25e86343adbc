import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runningApp } from '../testing/running-app'
import { EVERYTHING, HOSTILE, type ToolRig, toolRig } from '../testing/tool-rig'
import { redactor } from './mcp/redact'
import { HIDDEN, replaceInArguments } from './secret-places'

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

  test('stays with everything else when one field alone is saved', async () => {
    const id = await rig.paste('test', entry(EVERYTHING, 'stdio'))
    const [before] = await rig.app.call('mcp.list', {})
    await rig.app.call('mcp.save', { id, selectedForChat: false })
    const saved = await rig.app.call('mcp.save', { id, selectedForChat: true })
    expect(saved).toMatchObject({ name: 'test', transport: before?.transport, secretNames: ['API_KEY'] })
    expect(saved.selectedForChat).toBe(true)
    expect((await rig.run('get-env')).result).toContain('"API_KEY": "•••"')
    const command = await rig.app.call('commands.save', { name: 'say', argv: ['echo', '--token=sk-abcdefgh12345678'] })
    expect(await rig.app.call('commands.save', { id: command.id, enabled: false })).toEqual({
      ...command,
      enabled: false,
    })
    await expect(rig.app.call('mcp.save', { name: 'bare' })).rejects.toThrow('needs a name and an address')
    await expect(rig.app.call('commands.save', { name: 'bare' })).rejects.toThrow('needs a name and a command line')
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

describe('a secret of a command', () => {
  const print = "console.log(process.env.API_KEY, process.env.HARBOUR, process.argv.slice(1).join(' '))"
  const argv = [process.execPath, '-e', print, '--', '--api-key', `${SECRET}-flag`, '{say}']
  const schema = { type: 'object', properties: { say: { type: 'string' } } }
  const command = { name: 'say', description: 'Says it.', schema, argv, env: { API_KEY: SECRET, HARBOUR: 'Lisbon' } }

  test('reaches the program and nothing else, even where it prints it', async () => {
    const saved = await rig.app.call('commands.save', command)
    expect(saved).toMatchObject({ secretNames: ['API_KEY'], env: { API_KEY: '•••', HARBOUR: 'Lisbon' } })
    expect(saved.argv.slice(-3)).toEqual(['--api-key', '•••', '{say}'])
    const { sessionId, messageId, result } = await rig.run('say', { say: 'ahoy' })
    expect(result).toContain('••• Lisbon --api-key ••• ahoy')
    const tested = await rig.app.call('commands.test', { id: saved.id, arguments: {} })
    const reads = [
      tested,
      await rig.app.call('commands.list', {}),
      await rig.tools(sessionId),
      await rig.app.call('sessions.get', { sessionId }),
      await rig.app.call('turns.record', { messageId }),
      rig.app.events,
    ]
    for (const read of reads) expect(JSON.stringify(read)).not.toContain(SECRET)
    await rig.app.app.close()
    expect(filesWithSecret(rig.app.dataDir)).toEqual([])
  })

  test('is kept when the dots come back, replaced by a new value, and gone with its line', async () => {
    const saved = await rig.app.call('commands.save', command)
    const save = (env: Record<string, string>) => rig.app.call('commands.save', { ...saved, env })
    const output = async () => (await rig.app.call('commands.test', { id: saved.id, arguments: {} })).output
    await save(saved.env)
    expect(await output()).toContain('••• Lisbon --api-key •••')
    await save({ ...saved.env, API_KEY: 'fresh' })
    // Too short to be blanked out, so it shows that the new one went in.
    expect(await output()).toContain('fresh Lisbon')
    await save({ HARBOUR: 'Porto' })
    expect(await output()).toContain('undefined Porto')
  })
})

describe('a likely secret in the arguments or the address of a server', () => {
  test('is passed on, shown as dots, kept when they come back, and not in the file', async () => {
    const id = await rig.paste('test', {
      command: process.execPath,
      args: [
        EVERYTHING,
        'stdio',
        '--api-key',
        SECRET,
        '--header',
        `Authorization: Bearer ${SECRET}`,
        `--token=${SECRET}`,
      ],
    })
    const [server] = await rig.app.call('mcp.list', {})
    if (server?.transport.kind !== 'stdio') throw new Error('The server changed its kind.')
    const { args } = server.transport
    expect(args.slice(2)).toEqual(['--api-key', '•••', '--header', 'Authorization: •••', '--token=•••'])
    const moved = [...args.slice(0, 2), '--verbose', ...args.slice(4), ...args.slice(2, 4)]
    const transport = { ...server.transport, args: moved }
    expect(await rig.app.call('mcp.save', { id, name: 'test', transport })).toMatchObject({
      transport: { args: moved },
    })
    expect((await rig.app.call('mcp.restart', { id })).state).toBe('ready')
    await rig.app.app.close()
    expect(filesWithSecret(rig.app.dataDir)).toEqual([])
  })

  test('in an address is sent to that address alone', async () => {
    const seen: (string | undefined)[] = []
    const web: Server = createServer((request, response) => {
      seen.push(request.url)
      response.writeHead(500).end(`no ${SECRET}`)
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    const address = web.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const transport = { kind: 'http' as const, url: `http://127.0.0.1:${port}/mcp?harbour=Lisbon&token=${SECRET}` }
    const { id, transport: shown } = await rig.app.call('mcp.save', { name: 'web', transport })
    expect(shown).toMatchObject({ url: `http://127.0.0.1:${port}/mcp?harbour=Lisbon&token=•••` })
    const server = await rig.app.call('mcp.restart', { id })
    expect(seen[0]).toBe(`/mcp?harbour=Lisbon&token=${SECRET}`)
    expect(JSON.stringify([server, await rig.app.call('mcp.log', { id })])).not.toContain(SECRET)
    await new Promise((resolve) => web.close(resolve))
  })

  test('of an older file moves to the key store at the next start', async () => {
    const { id } = await rig.app.call('mcp.save', {
      name: 'old',
      transport: { kind: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'], env: { API_KEY: SECRET } },
    })
    await rig.app.call('commands.save', { name: 'say', description: '', argv: ['true'], env: { HARBOUR: 'Lisbon' } })
    await rig.app.app.close()
    const database = new Database(join(rig.app.dataDir, 'strata.sqlite'))
    const args = JSON.stringify([EVERYTHING, 'stdio', '--api-key', SECRET])
    database.exec(`UPDATE mcp_server SET transport = json_set(transport, '$.args', json('${args}'), '$.env.API_KEY', '');
      UPDATE command_tool SET secret_names = NULL, env = '{"API_KEY": "${SECRET}"}'`)
    database.close()
    rig.app = await runningApp(rig.app.dataDir)
    expect(JSON.stringify(await rig.app.call('mcp.list', {}))).not.toContain(SECRET)
    expect(await rig.app.call('commands.list', {})).toMatchObject([
      { secretNames: ['API_KEY'], env: { API_KEY: '•••' } },
    ])
    expect((await rig.app.call('mcp.restart', { id })).state).toBe('ready')
    expect((await rig.run('get-env')).result).toContain('"API_KEY": "•••"')
    await rig.app.app.close()
    expect(filesWithSecret(rig.app.dataDir)).toEqual([])
  })
})

test.each<[string[], string[]]>([
  [['npx', '--max-tokens', '4000', '--key-file', 'a.pem', '--tokenizer', 'x'], []],
  [['--password', '{password}', '--token=$TOKEN', 'Authorization: $HEADER', '--token', '--next'], []],
  [
    ['-y', 'server', '--OPENAI_API_KEY', 'abc', 'OPENAI_API_KEY=def', 'x-api-key:ghi'],
    ['abc', 'def', 'ghi'],
  ],
  [['ghp_0123456789abcdefABCDEF0123456789abcd', 'skeleton'], ['ghp_0123456789abcdefABCDEF0123456789abcd']],
  [['https://me:pass@host/a/b?access_token=one&q=two#token=three'], ['pass', 'one', 'three']],
  [
    ['https://mcp.example/api/s/0a1b2c3d4e5f60718293a4b5c6d7e8f9/mcp', 'https://h/a-long-name-of-a-page-that-is-none'],
    ['0a1b2c3d4e5f60718293a4b5c6d7e8f9'],
  ],
])('%j holds %j', (list, secrets) => {
  const found: string[] = []
  const shown = replaceInArguments(list, (_place, secret) => {
    found.push(secret)
    return HIDDEN
  })
  expect(found).toEqual(secrets)
  // What is shown has its places where the secrets were.
  const places: string[] = []
  replaceInArguments(shown, (place, secret) => {
    places.push(place)
    return secret
  })
  expect(places).toHaveLength(secrets.length)
  expect(new Set(places).size).toBe(secrets.length)
})

test('the longest secret is blanked out first, and short ones would blank out words', () => {
  const redact = redactor(['tide', 'canary-secret', 'canary-secret-long', 'Bearer abcdefghijklmnop'])
  expect(redact('tide canary-secret-long canary-secret abcdefghijklmnop')).toBe('tide ••• ••• •••')
})
