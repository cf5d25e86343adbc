import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRouter } from '../ipc/router'
import type { WriteDatabase } from '../storage/database'
import { testKeyCipher } from '../testing/key-ciphers'
import { memoryDatabase, NOW } from '../testing/model-client-rig'
import { type Reply, startServer, type TemplateServer } from '../testing/template-servers'
import { type Connection, type ConnectionTest, type Model, modelCalls } from './contract'
import { modelHandlers } from './handlers'
import { createTokenCounters } from './tokens/counters'

const KEY = 'sk-very-secret-0123456789'
let database: WriteDatabase
let server: TemplateServer | undefined
let events: { name: string; payload: unknown }[]
let call: (name: string, input?: unknown) => Promise<unknown>

function json(value: unknown, status = 200): Reply {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function build(options: Parameters<typeof testKeyCipher>[0] = {}) {
  const router = createRouter((name, error) => {
    throw new Error(name, { cause: error })
  })
  let made = 0
  const counters = createTokenCounters({
    database,
    now: () => NOW,
    startWorker: () => {
      throw new Error('no worker here')
    },
  })
  const handlers = modelHandlers({
    database,
    ids: () => `id${made++}`,
    now: () => NOW,
    keyCipher: testKeyCipher(options),
    emit: (name, payload) => events.push({ name, payload }),
    counters,
    defaultModelId: () => undefined,
  })
  router.register(modelCalls, handlers)
  call = async (name, input = {}) => {
    const reply = await router.dispatch(name, input)
    if (!reply.ok) throw reply.error
    return reply.value
  }
}

beforeEach(() => {
  database = memoryDatabase()
  events = []
  build()
})
afterEach(async () => {
  await server?.close()
  server = undefined
})

const listing = { data: [{ id: 'small', context_length: 4096 }, { id: 'text-embedding-3' }, { id: 'large' }] }

async function save(input: object = {}): Promise<Connection> {
  return (await call('connections.save', {
    name: 'Mine',
    kind: 'openai-compatible',
    baseUrl: server?.baseUrl ?? 'http://127.0.0.1:9/v1',
    apiKey: KEY,
    ...input,
  })) as Connection
}

describe('connections', () => {
  it('has a dry run from the start', async () => {
    expect(await call('connections.list')).toMatchObject([{ id: 'dry-run', kind: 'dry-run', hasKey: false }])
    expect(await call('models.list')).toMatchObject([
      { id: 'dry-run/dry-run', contextWindow: 128_000, capabilities: { tools: true, vision: true } },
    ])
  })

  it('never shows a key or a secret header again, and sends both', async () => {
    server = await startServer(json(listing))
    const headers = { 'X-Api-Secret': 'hush-hush-hush', 'X-Title': 'Strata' }
    const saved = await save({ headers })
    expect(saved).toMatchObject({
      hasKey: true,
      keyHint: '…6789',
      keyStore: 'os',
      headers: { 'X-Api-Secret': '[redacted]', 'X-Title': 'Strata' },
    })
    const all = JSON.stringify([saved, await call('connections.list'), await call('models.list'), events])
    expect(all).not.toContain(KEY)
    expect(all).not.toContain('hush')
    const tables = JSON.stringify(database.prepare('SELECT * FROM connection').all())
    expect(tables).not.toContain('hush')
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-api-secret': 'hush-hush-hush',
      'x-title': 'Strata',
    })
  })

  it('keeps the key when none is given, keeps a redacted header, removes both when told to', async () => {
    server = await startServer(json(listing))
    const { id } = await save({ headers: { 'X-Api-Secret': 'hush-hush-hush' } })
    const kept = await save({ id, apiKey: undefined, headers: { 'X-Api-Secret': '[redacted]' } })
    expect(kept).toMatchObject({ id, hasKey: true, headers: { 'X-Api-Secret': '[redacted]' } })
    expect(server.requests.at(-1)?.headers['x-api-secret']).toBe('hush-hush-hush')
    const gone = await save({ id, apiKey: '', headers: {} })
    expect(gone).toMatchObject({ hasKey: false, headers: {} })
    expect(gone.keyHint).toBeUndefined()
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined()
  })

  it('lists chat models right after saving', async () => {
    server = await startServer(json(listing))
    const { id } = await save()
    expect(await call('models.list', { connectionId: id })).toMatchObject([
      { id: `${id}/small`, contextWindow: 4096, windowSource: 'server' },
      { id: `${id}/large`, windowSource: 'unknown' },
    ])
    expect(events).toContainEqual({ name: 'models.changed', payload: { ids: [`${id}/small`, `${id}/large`] } })
  })

  it('saves even when the server is away', async () => {
    expect(await save()).toMatchObject({ name: 'Mine', learned: [] })
  })

  it('refuses a bad address, a bad key and a bad header by their field', async () => {
    await expect(save({ baseUrl: 'localhost:1234/v1' })).rejects.toMatchObject({
      code: 'bad_input',
      details: { path: 'baseUrl' },
    })
    await expect(save({ apiKey: 'two words' })).rejects.toMatchObject({ details: { path: 'apiKey' } })
    await expect(save({ headers: { 'no name': 'x' } })).rejects.toMatchObject({ details: { path: 'headers.no name' } })
    for (const [name, value] of [
      ['X-Title', '聊天'],
      ['X-Title', 'a\nb'],
      ['X-Title', 'a\u0007b'],
      ['Content-Length', '3'],
      ['HOST', 'example.com'],
      ['transfer-encoding', 'chunked'],
      ['', 'x'],
      ['Authorization', 'Bearer “x”'],
    ] as const) {
      await expect(save({ headers: { [name]: value } }), name).rejects.toMatchObject({
        code: 'bad_input',
        details: { path: `headers.${name}` },
        message: expect.stringContaining(`"${name}"`),
      })
    }
    for (const apiKey of ['sk-12\n34', '“sk-1234”', '密钥1234']) {
      await expect(save({ apiKey }), apiKey).rejects.toMatchObject({ details: { path: 'apiKey' } })
    }
    await expect(save({ id: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await call('connections.list')).toHaveLength(1)
  })

  it('removes a connection with its models and its key', async () => {
    server = await startServer(json(listing))
    const { id } = await save()
    expect(await call('connections.remove', { id })).toEqual({ removed: 1 })
    expect(database.prepare('SELECT count(*) AS n FROM model WHERE connection_id = ?').get(id)).toEqual({ n: 0 })
    expect(database.prepare('SELECT count(*) AS n FROM secret').get()).toEqual({ n: 0 })
  })

  it('a profile by hand wins and can be reset', async () => {
    const { id } = await save({ profile: { leadingSystems: 'inUser' } })
    expect(await call('connections.list')).toContainEqual(
      expect.objectContaining({ id, profile: expect.objectContaining({ leadingSystems: 'inUser' }) }),
    )
    expect(await call('connections.reset-profile', { id })).toMatchObject({ profile: { leadingSystems: 'one' } })
  })

  it('moves keys into a file once agreed', async () => {
    build({ canAllowFile: true })
    expect(await call('connections.key-store')).toEqual({ kind: 'memory', canUseFile: true })
    expect(await save()).toMatchObject({ keyStore: 'memory' })
    expect(await call('connections.key-store', { allowFile: true })).toEqual({ kind: 'file', canUseFile: false })
    expect(await call('connections.list')).toContainEqual(expect.objectContaining({ name: 'Mine', keyStore: 'file' }))
  })
})

describe('connections.test', () => {
  const draft = { name: 'Draft', kind: 'openai-compatible' as const, apiKey: KEY }

  it('tells the models and stores nothing of a draft', async () => {
    server = await startServer(json(listing))
    const test = (await call('connections.test', { draft: { ...draft, baseUrl: server.baseUrl } })) as ConnectionTest
    expect(test.ok).toBe(true)
    expect(test.models.map((model) => model.name)).toEqual(['small', 'large'])
    expect(await call('models.list')).toHaveLength(1)
  })

  it('a draft of a stored connection uses the stored key', async () => {
    server = await startServer(json(listing))
    const { id } = await save()
    await call('connections.test', { draft: { id, name: 'X', kind: 'openai-compatible', baseUrl: server.baseUrl } })
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it('says what is wrong, without the key', async () => {
    server = await startServer(json({ error: { message: `bad key ${KEY}` } }, 401))
    const test = (await call('connections.test', { draft: { ...draft, baseUrl: server.baseUrl } })) as ConnectionTest
    expect(test).toMatchObject({ ok: false, code: 'model.unauthorised' })
    expect(JSON.stringify(test)).not.toContain(KEY)
  })

  it('finds the missing /v1', async () => {
    server = await startServer((response, seen) =>
      seen.path === '/v1/models' ? json(listing)(response, seen) : response.writeHead(404).end('nothing here'),
    )
    const test = (await call('connections.test', { draft: { ...draft, baseUrl: server.origin } })) as ConnectionTest
    expect(test.message).toContain(`${server.origin}/v1`)
  })

  it('tells a web page from a model server', async () => {
    server = await startServer((response) => response.writeHead(200).end('<html>hello</html>'))
    const test = (await call('connections.test', { draft: { ...draft, baseUrl: server.origin } })) as ConnectionTest
    expect(test).toMatchObject({ ok: false, message: expect.stringContaining('/v1') })
  })

  it('the dry run is always there', async () => {
    expect(await call('connections.test', { id: 'dry-run' })).toMatchObject({ ok: true, models: [{ name: 'dry-run' }] })
  })
})

describe('models', () => {
  async function onlyModel(): Promise<Model> {
    const models = (await call('models.list')) as Model[]
    const model = models.find((one) => one.name === 'small')
    if (!model) throw new Error('The model is missing.')
    return model
  }

  it('what the user sets wins, survives a refresh, and can be cleared', async () => {
    server = await startServer(json(listing))
    const { id } = await save()
    const price = { input: 1, output: 2, currency: 'EUR' }
    await call('models.save', { id: `${id}/small`, contextWindow: 2048, capabilities: { vision: true }, price })
    await call('models.refresh', { connectionId: id })
    expect(await onlyModel()).toMatchObject({
      contextWindow: 2048,
      windowSource: 'user',
      capabilities: { vision: true, tools: true },
      price,
    })
    await call('models.save', { id: `${id}/small`, contextWindow: null, price: null })
    const cleared = await onlyModel()
    expect(cleared).toMatchObject({ contextWindow: 4096, windowSource: 'server', capabilities: { vision: true } })
    expect(cleared.price).toBeUndefined()
  })

  it('an input limit below the window bounds the budget, and can be cleared', async () => {
    const { id } = await save()
    const known = { id: `${id}/gpt-5-mini`, contextWindow: 400_000, maxInputTokens: 272_000, maxOutputTokens: 128_000 }
    expect(await call('models.save', { id: known.id, maxInputTokens: 9000 })).toMatchObject({ maxInputTokens: 9000 })
    expect(await call('models.save', { id: known.id, maxInputTokens: null })).toMatchObject(known)
    await expect(call('models.save', { id: known.id, maxInputTokens: 0 })).rejects.toThrow()
  })

  it('a model nobody lists can be described', async () => {
    const { id } = await save()
    expect(await call('models.save', { id: `${id}/org/own`, contextWindow: 1000 })).toMatchObject({
      id: `${id}/org/own`,
      name: 'org/own',
      contextWindow: 1000,
    })
  })

  it('counts tokens', async () => {
    expect(await call('models.count-tokens', { text: 'Hello there, world' })).toMatchObject({ quality: 'estimated' })
    expect(await call('models.count-tokens', { text: '' })).toMatchObject({ tokens: 0 })
  })
})
