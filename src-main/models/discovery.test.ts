import { afterEach, describe, expect, it } from 'vitest'
import { NOW } from '../testing/model-client-rig'
import { startServer, type TemplateServer } from '../testing/template-servers'
import type { ConnectionKind } from './contract'
import { CANDIDATES, detectServers } from './detect'
import { listServerModels } from './discovery'

let server: TemplateServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A server that knows these paths and nothing else. */
async function list(kind: ConnectionKind, basePath: string, pages: Record<string, unknown>) {
  server = await startServer((response, seen) => {
    const name = seen.raw === '' ? seen.path : `${seen.path} ${JSON.parse(seen.raw).model}`
    const page = pages[name]
    if (page === undefined) response.writeHead(404).end()
    else response.writeHead(200).end(JSON.stringify(page))
  }, basePath)
  const connection = {
    id: 'c1',
    name: 'Test',
    kind,
    baseUrl: server.baseUrl,
    headers: {},
    override: {},
    learned: { profile: {} },
    createdAt: NOW,
  }
  return listServerModels({ endpoint: { connection, apiKey: 'sk-1234' }, fetch })
}

describe('what servers tell of their models', () => {
  it('Ollama: what is loaded, else num_ctx of the model file, else a modest window; no embedding models', async () => {
    const models = await list('ollama', '', {
      '/api/tags': {
        models: [
          { name: 'qwen3:8b' },
          null,
          { name: 'tuned' },
          { name: 'loaded' },
          { name: 'nomic-embed-text' },
          { model: 'odd' },
          { name: 5 },
        ],
      },
      '/api/ps': { models: [{ name: 'other' }, { name: 'loaded', context_length: 24_576 }, null] },
      '/api/show loaded': { model_info: { 'llama.context_length': 131072 }, parameters: 'num_ctx 8192' },
      '/api/show qwen3:8b': {
        model_info: { 'qwen3.context_length': 40960 },
        capabilities: ['completion', 'tools', 'thinking'],
      },
      '/api/show tuned': { model_info: { 'llama.context_length': 131072 }, parameters: 'stop "x"\nnum_ctx    8192' },
      '/api/show nomic-embed-text': { capabilities: ['embedding'] },
    })
    expect(models).toEqual([
      {
        name: 'qwen3:8b',
        contextWindow: 16_384,
        windowFrom: 'app',
        largestWindow: 40_960,
        capabilities: { tools: true, vision: false, reasoning: true },
      },
      { name: 'tuned', contextWindow: 8192, largestWindow: 131_072 },
      { name: 'loaded', contextWindow: 24_576, largestWindow: 131_072 },
      { name: 'odd', contextWindow: 16_384, windowFrom: 'app' },
    ])
  })

  it('LM Studio: the loaded window from its own list', async () => {
    const models = await list('openai-compatible', '/v1', {
      '/v1/models': { data: [{ id: 'qwen3-8b' }, { id: 'llava' }] },
      '/api/v0/models': {
        data: [
          {
            id: 'qwen3-8b',
            type: 'llm',
            max_context_length: 40960,
            loaded_context_length: 4096,
            capabilities: ['tool_use'],
          },
          { id: 'llava', type: 'vlm', max_context_length: 8192 },
        ],
      },
    })
    expect(models).toEqual([
      { name: 'qwen3-8b', contextWindow: 4096, capabilities: { tools: true } },
      { name: 'llava', contextWindow: 8192, capabilities: { vision: true } },
    ])
  })

  it('llama.cpp: the window it was started with', async () => {
    const models = await list('openai-compatible', '/v1', {
      '/v1/models': { data: [{ id: 'm.gguf' }] },
      '/props': { default_generation_settings: { n_ctx: 8192 }, modalities: { vision: false } },
    })
    expect(models).toEqual([{ name: 'm.gguf', contextWindow: 8192, capabilities: { vision: false } }])
  })

  it('OpenRouter: window, output, price per million, capabilities', async () => {
    const models = await list('openai-compatible', '/api/v1', {
      '/api/v1/models': {
        data: [
          {
            id: 'maker/model',
            context_length: 200000,
            architecture: { input_modalities: ['text', 'image', 'file'] },
            top_provider: { context_length: 180000, max_completion_tokens: 64000 },
            pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
            supported_parameters: ['tools', 'reasoning'],
          },
        ],
      },
    })
    expect(models).toEqual([
      {
        name: 'maker/model',
        contextWindow: 180000,
        maxOutputTokens: 64000,
        capabilities: { tools: true, vision: true, pdf: true, reasoning: true },
        price: { input: 3, output: 15, cachedInput: 0.3, currency: 'USD' },
      },
    ])
  })

  it('vLLM, Mistral and Groq in their own fields', async () => {
    const models = await list('openai-compatible', '/v1', {
      '/v1/models': {
        data: [
          { id: 'v', max_model_len: 32768 },
          { id: 'm', max_context_length: 131072, capabilities: { function_calling: true, vision: true } },
          { id: 'g', context_window: 131072, max_completion_tokens: 8192 },
        ],
      },
    })
    expect(models).toEqual([
      { name: 'v', contextWindow: 32768 },
      { name: 'm', contextWindow: 131072, capabilities: { tools: true, vision: true } },
      { name: 'g', contextWindow: 131072, maxOutputTokens: 8192 },
    ])
  })

  it('Anthropic and Google with their own headers', async () => {
    expect(
      await list('anthropic', '/v1', {
        '/v1/models?limit=1000': { data: [{ id: 'claude-x', max_input_tokens: 200000 }] },
      }),
    ).toEqual([{ name: 'claude-x', contextWindow: 200000 }])
    expect(server?.requests[0]?.headers).toMatchObject({ 'x-api-key': 'sk-1234', 'anthropic-version': '2023-06-01' })
    await server?.close()
    expect(
      await list('google', '/v1beta', {
        '/v1beta/models?pageSize=1000': {
          models: [
            {
              name: 'models/gemini-x',
              inputTokenLimit: 1000,
              outputTokenLimit: 100,
              supportedGenerationMethods: ['generateContent'],
            },
            { name: 'models/embedder', supportedGenerationMethods: ['embedContent'] },
          ],
        },
      }),
    ).toEqual([{ name: 'gemini-x', contextWindow: 1000, maxOutputTokens: 100 }])
    expect(server?.requests[0]?.headers['x-goog-api-key']).toBe('sk-1234')
  })

  it.each<[ConnectionKind, string, Record<string, unknown>]>([
    [
      'openai-compatible',
      '/v1',
      {
        '/v1/models': {
          data: [null, {}, { id: 7 }, { id: '' }, 'a', { id: 'good', top_provider: null, pricing: 'free' }],
        },
      },
    ],
    ['openai-compatible', '/v1', { '/v1/models': [{ id: 'good', context_length: 'long' }, null] }],
    ['anthropic', '/v1', { '/v1/models?limit=1000': { data: [{ id: null }, { id: 'good', max_tokens: {} }, null] } }],
    [
      'google',
      '/v1beta',
      {
        '/v1beta/models?pageSize=1000': {
          models: [{}, { name: 'models/good', thinking: 'yes', supportedGenerationMethods: 3 }, null],
        },
      },
    ],
  ])('one odd entry does not hide the others: %s', async (kind, path, pages) => {
    expect((await list(kind, path, pages)).map((model) => model.name)).toEqual(['good'])
  })

  it('reads every page of a list, and keeps what came when a later one fails', async () => {
    const claude = await list('anthropic', '/v1', {
      '/v1/models?limit=1000': { data: [{ id: 'a' }], has_more: true, last_id: 'a b' },
      '/v1/models?limit=1000&after_id=a%20b': { data: [{ id: 'b' }], has_more: true, last_id: 'gone' },
    })
    expect(claude.map((model) => model.name)).toEqual(['a', 'b'])
    await server?.close()
    const gemini = await list('google', '/v1beta', {
      '/v1beta/models?pageSize=1000': { models: [{ name: 'models/a' }], nextPageToken: 't' },
      '/v1beta/models?pageSize=1000&pageToken=t': { models: [{ name: 'models/b' }] },
    })
    expect(gemini.map((model) => model.name)).toEqual(['a', 'b'])
  })

  it('a classic deployment of Azure is one model; its version goes with every request', async () => {
    const asked = { '/openai/models?api-version=2024-10-21': { data: [{ id: 'gpt-4o-2024-08-06' }] } }
    expect(await list('openai', '/openai/deployments/mine?api-version=2024-10-21', asked)).toEqual([{ name: 'mine' }])
  })

  it('a server that lists something else is no model server', async () => {
    await expect(list('openai-compatible', '/v1', { '/v1/models': { hello: 1 } })).rejects.toMatchObject({
      code: 'model.rejected',
    })
  })
})

describe('detectServers', () => {
  it('asks loopback only, and reports who answers like a model server', async () => {
    const asked: string[] = []
    const found = await detectServers(async (input) => {
      const url = String(input)
      asked.push(url)
      if (url.includes('11434')) return Response.json({ models: [{ name: 'a' }, { name: 'b' }] })
      if (url.includes('1234')) return new Response('<html>', { status: 200 })
      throw new TypeError('fetch failed')
    })
    expect(found).toEqual([{ name: 'Ollama', kind: 'ollama', baseUrl: 'http://127.0.0.1:11434', models: 2 }])
    expect(asked.every((url) => new URL(url).hostname === '127.0.0.1')).toBe(true)
    expect(asked).toHaveLength(CANDIDATES.length)
  })
})
