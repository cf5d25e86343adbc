import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ProjectedRequest } from '../context/request-contract'
import { collectParts, KEY, noFiles, request, rig, says, text, textOf } from '../testing/model-client-rig'
import { startTemplateServer, type Template, type TemplateServer } from '../testing/template-servers'
import type { WireRequest } from '../turns/contract'
import type { ConnectionKind } from './contract'

let server: TemplateServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)
const PDF = new TextEncoder().encode('%PDF-1.4 test')
const readFile = async (sha256: string) => (sha256 === 'png' ? PNG : PDF)

/** Sends, and checks that the preview is the same request byte for byte. */
async function send(template: Template, kind: ConnectionKind, model: string, asked: ProjectedRequest) {
  server = await startTemplateServer(template)
  const { client, target } = rig(kind, server.baseUrl)
  const to = await target(model)
  const preview = await client.buildWire(asked, to, readFile)
  expect(server.requests).toEqual([])
  const sent: WireRequest[] = []
  const parts = await collectParts(
    client.stream(asked, to, {
      signal: new AbortController().signal,
      readFile,
      onSent: (wire) => sent.push(wire),
    }),
  )
  const arrived = server.requests[0]
  expect(arrived?.raw).toBe(preview.body)
  expect(sent).toEqual([preview])
  expect(JSON.stringify(preview)).not.toContain(KEY)
  expect(`${server.origin}${arrived?.path}`).toBe(preview.url)
  return { body: JSON.parse(preview.body), parts, preview, headers: arrived?.headers ?? {} }
}

const talk = request([
  says('system', 'Be brief.'),
  says('user', 'Hello'),
  says('assistant', 'Hi.'),
  says('user', 'What day is it?'),
])

describe('the body that leaves', () => {
  it('openai-compatible: roles, reserve and usage are in the body, the key in the header', async () => {
    const { body, parts, headers, preview } = await send('qwen', 'openai-compatible', 'qwen3', talk)
    expect(body).toEqual({
      model: 'qwen3',
      max_tokens: 1000,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'What day is it?' },
      ],
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(headers.authorization).toBe(`Bearer ${KEY}`)
    expect(preview.headers.authorization).toBe('[redacted]')
    expect(textOf(parts)).toBe('Good day.')
    expect(parts.at(-2)).toEqual({
      type: 'usage',
      usage: { inputTokens: 1200, cachedInputTokens: 1024, outputTokens: 30, reasoningTokens: 7 },
    })
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('openai at its own address: chat completions with systems at their place', async () => {
    const asked = request([...talk.messages, says('system', 'Last word.', { mid: true })])
    const { body } = await send('openai', 'openai', 'gpt-4o', asked)
    expect(body.messages.map((message: { role: string }) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'system',
    ])
    expect(body.max_tokens ?? body.max_completion_tokens).toBe(1000)
  })

  it('anthropic: leading systems apart, a mid system in place, marks on, usage with the cache', async () => {
    const asked = request([
      says('system', 'One.', { mark: true }),
      says('system', ''),
      says('system', 'Two.', { mark: true }),
      says('user', 'Hello'),
      says('assistant', 'Hi.'),
      says('user', 'What day is it?', { mark: true }),
      says('system', 'Last word.', { mid: true }),
    ])
    const { body, parts } = await send('anthropic', 'anthropic', 'claude-opus-4-8', asked)
    const cached = { cache_control: { type: 'ephemeral' } }
    expect(body.system).toEqual([
      { type: 'text', text: 'One.', ...cached },
      { type: 'text', text: 'Two.', ...cached },
    ])
    expect(body.max_tokens).toBe(1000)
    expect(body.messages.map((message: { role: string }) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'system',
    ])
    expect(body.messages[2].content).toEqual([{ type: 'text', text: 'What day is it?', ...cached }])
    expect(parts).toContainEqual({ type: 'reasoning', text: 'Hm.' })
    expect(parts).toContainEqual({ type: 'reasoning-end', signature: { anthropic: { signature: 'sig-1' } } })
    expect(parts).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 1200, cachedInputTokens: 1000, outputTokens: 30, reasoningTokens: 0 },
    })
  })

  it('anthropic: at most four cache marks, the one on the conversation among them', async () => {
    const systems = ['a', 'b', 'c', 'd', 'e'].map((word) => says('system', word, { mark: true }))
    const asked = request([...systems, says('user', 'Hello', { mark: true })])
    const { preview, body } = await send('anthropic', 'anthropic', 'claude-opus-4-8', asked)
    expect(preview.body.match(/cache_control/g)).toHaveLength(4)
    expect(body.messages[0].content[0].cache_control).toEqual({ type: 'ephemeral' })
  })

  it('anthropic without a leading system: a mid system stays where it is, as tagged user text', async () => {
    const asked = request([says('user', 'Hello'), says('system', 'Mind the gap.', { mid: true })])
    const { body } = await send('anthropic', 'anthropic', 'claude-opus-4-8', asked)
    expect(body.system).toBeUndefined()
    expect(body.messages.at(-1).content.at(-1).text).toBe('<system-reminder>\nMind the gap.\n</system-reminder>')
  })

  it('google: systems as parts of the instruction, a mid system as user text', async () => {
    const asked = request([
      says('system', 'One.'),
      says('system', 'Two.'),
      says('user', 'Hello'),
      says('system', 'Mind the gap.', { mid: true }),
    ])
    const { body, parts, headers } = await send('google', 'google', 'gemini-2.0-flash', asked)
    expect(body.systemInstruction.parts).toEqual([{ text: 'One.' }, { text: 'Two.' }])
    expect(body.contents.map((content: { role: string }) => content.role)).toEqual(['user', 'user'])
    expect(body.generationConfig.maxOutputTokens).toBe(1000)
    expect(headers['x-goog-api-key']).toBe(KEY)
    expect(textOf(parts)).toBe('Good day.')
    expect(parts).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 1200, cachedInputTokens: 1024, outputTokens: 30, reasoningTokens: 7 },
    })
  })

  it('ollama: its own chat with the window as num_ctx and the reserve as num_predict', async () => {
    server = await startTemplateServer('ollama')
    const { client, target } = rig('ollama', server.baseUrl)
    const to = await target('qwen3:8b')
    const windowed = { ...to, model: { ...to.model, contextWindow: 8192 } }
    const preview = await client.buildWire(talk, windowed, noFiles)
    const parts = await collectParts(
      client.stream(talk, windowed, { signal: new AbortController().signal, readFile: noFiles }),
    )
    expect(server.requests.map((seen) => [seen.path, seen.raw])).toEqual([['/api/chat', preview.body]])
    expect(JSON.parse(preview.body)).toEqual({
      model: 'qwen3:8b',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'What day is it?' },
      ],
      stream: true,
      options: { num_ctx: 8192, num_predict: 1000 },
    })
    expect(textOf(parts)).toBe('Good day.')
    expect(parts).toContainEqual({ type: 'reasoning', text: 'Hm.' })
    expect(parts).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 1200, cachedInputTokens: 0, outputTokens: 30, reasoningTokens: 0 },
    })
  })

  it('dry-run: nothing leaves, the answer shows the request', async () => {
    const { client } = rig('dry-run', undefined, () => Promise.reject(new Error('no network')))
    const to = await client.target('dry-run/dry-run')
    const preview = await client.buildWire(talk, to, noFiles)
    const sent: WireRequest[] = []
    const parts = await collectParts(
      client.stream(talk, to, {
        signal: new AbortController().signal,
        readFile: noFiles,
        onSent: (wire) => sent.push(wire),
      }),
    )
    expect(sent).toEqual([preview])
    expect(JSON.parse(preview.body).messages).toHaveLength(4)
    expect(textOf(parts)).toContain('no model was asked')
    expect(textOf(parts)).toContain('What day is it?')
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    expect(to.model).toMatchObject({ contextWindow: 128_000, capabilities: { tools: true, vision: true } })
  })
})

const pictured = request([
  says('user', [
    text('Look'),
    { type: 'image', sha256: 'png', mediaType: 'image/png', name: 'a.png', pieces: [] },
    { type: 'file', sha256: 'pdf', mediaType: 'application/pdf', name: 'a.pdf', pieces: [] },
  ]),
])
const pngBase64 = Buffer.from(PNG).toString('base64')
const pdfBase64 = Buffer.from(PDF).toString('base64')

describe('OpenAI’s own address', () => {
  const bodies: { url: string; body: Record<string, unknown> }[] = []
  const keep: typeof fetch = async (input, init) => {
    bodies.push({ url: String(input), body: JSON.parse(String(init?.body)) })
    return new Response('{"error":{"message":"enough"}}', { status: 400 })
  }
  const options = { signal: new AbortController().signal, readFile }
  const asked = request([...talk.messages, says('system', 'Last word.', { mid: true })])

  it('by kind openai: the Responses protocol, nothing stored there, systems in place', async () => {
    const { client, target } = rig('openai', undefined, keep)
    const to = await target('gpt-5.5')
    const preview = await client.buildWire(asked, to, readFile)
    await collectParts(client.stream(asked, to, options))
    expect(bodies.at(-1)?.url).toBe('https://api.openai.com/v1/responses')
    expect(bodies.at(-1)?.body).toEqual(JSON.parse(preview.body))
    expect(bodies.at(-1)?.body).toMatchObject({ model: 'gpt-5.5', max_output_tokens: 1000, store: false, stream: true })
    const input = bodies.at(-1)?.body.input as { role: string }[]
    expect(input.map((item) => item.role)).toEqual(['developer', 'user', 'assistant', 'user', 'developer'])
  })

  it('by kind openai-compatible: chat completions with the parameter reasoning models take', async () => {
    const { client, target } = rig('openai-compatible', 'https://api.openai.com/v1', keep)
    await collectParts(client.stream(asked, await target('gpt-5.5'), options))
    expect(bodies.at(-1)?.url).toBe('https://api.openai.com/v1/chat/completions')
    expect(bodies.at(-1)?.body).toMatchObject({ max_completion_tokens: 1000 })
    expect(bodies.at(-1)?.body.max_tokens).toBeUndefined()
  })
})

describe('without a key', () => {
  it.each<[ConnectionKind, string]>([
    ['openai', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ['openai-compatible', 'OPENAI_API_KEY'],
  ])('%s sends no empty header and takes none from %s', async (kind, variable) => {
    vi.stubEnv(variable, 'sk-from-the-environment')
    const { client } = rig(kind, 'http://127.0.0.1:9/v1')
    const wire = await client.buildWire(talk, await client.target('c1/m'), noFiles)
    vi.unstubAllEnvs()
    expect(Object.keys(wire.headers).filter((name) => /auth|key/.test(name))).toEqual([])
  })
})

describe('attachments on the wire', () => {
  it('openai-compatible', async () => {
    const { body } = await send('openai', 'openai-compatible', 'vision', pictured)
    expect(body.messages[0].content).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${pngBase64}` } },
      { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdfBase64}` } },
    ])
  })

  it('anthropic', async () => {
    const { body } = await send('anthropic', 'anthropic', 'claude-opus-4-8', pictured)
    expect(body.messages[0].content[1].source).toEqual({ type: 'base64', media_type: 'image/png', data: pngBase64 })
    expect(body.messages[0].content[2]).toMatchObject({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: pdfBase64 },
      title: 'a.pdf',
    })
  })

  it('google', async () => {
    const { body } = await send('google', 'google', 'gemini-2.0-flash', pictured)
    expect(body.contents[0].parts.slice(1)).toEqual([
      { inlineData: { mimeType: 'image/png', data: pngBase64 } },
      { inlineData: { mimeType: 'application/pdf', data: pdfBase64 } },
    ])
  })

  it('ollama takes images, and says so when it is given a PDF', async () => {
    const image = request([says('user', (pictured.messages[0]?.parts ?? []).slice(0, 2))])
    const { body } = await send('ollama', 'ollama', 'llava', image)
    expect(body.messages[0]).toEqual({ role: 'user', content: 'Look', images: [pngBase64] })
    const { client, target } = rig('ollama', 'http://127.0.0.1:9')
    await expect(client.buildWire(pictured, await target('llava'), readFile)).rejects.toMatchObject({
      code: 'model.rejected',
      message: expect.stringContaining('a.pdf'),
    })
  })
})

const looped = request(
  [
    says('user', 'Weather?'),
    says('assistant', [
      { type: 'reasoning', pieces: text('Let me look.').pieces, signature: { anthropic: { signature: 's' } } },
      { type: 'tool-call', callId: 'call1', name: 'weather', arguments: { city: 'Ulm' }, pieces: [] },
    ]),
    says('tool', [
      {
        type: 'tool-result',
        callId: 'call1',
        name: 'weather',
        failed: false,
        pieces: text('Sunny').pieces,
        images: [{ sha256: 'png', mediaType: 'image/png' }],
      },
    ]),
  ],
  {
    tools: [
      {
        id: 't1',
        name: 'weather',
        description: 'Tells the weather',
        schema: { type: 'object', properties: { city: { type: 'string' } } },
      },
    ],
    toolChoice: 'auto',
  },
)

describe('tools on the wire', () => {
  it('openai-compatible: definition, call, result; a picture of the result follows as user content', async () => {
    const { body } = await send('openai', 'openai-compatible', 'any', looped)
    expect(body.tools[0].function).toMatchObject({ name: 'weather', description: 'Tells the weather' })
    expect(body.tool_choice).toBe('auto')
    expect(body.messages[1].tool_calls[0].function).toEqual({ name: 'weather', arguments: '{"city":"Ulm"}' })
    expect(body.messages[1].reasoning_content).toBeUndefined()
    expect(body.messages[2]).toMatchObject({ role: 'tool', tool_call_id: 'call1', content: 'Sunny' })
    expect(body.messages[3].content[0].image_url.url).toContain(pngBase64)
  })

  it('anthropic: its own reasoning goes back signed, the picture stands inside the result', async () => {
    const { body } = await send('anthropic', 'anthropic', 'claude-opus-4-8', looped)
    expect(body.messages[1].content).toEqual([
      { type: 'thinking', thinking: 'Let me look.', signature: 's' },
      { type: 'tool_use', id: 'call1', name: 'weather', input: { city: 'Ulm' } },
    ])
    expect(body.messages[2].content[0].content[1].source.data).toBe(pngBase64)
  })

  it('plain thoughts leave as each server reads them; signed ones of others stay away', async () => {
    const thought = (more: object) =>
      request([
        says('user', 'Hello'),
        says('assistant', [{ type: 'reasoning', pieces: text('Hm.').pieces, ...more }, text('Hi.')]),
        says('user', 'Go on'),
      ])
    const answer = async (kind: ConnectionKind, baseUrl: string, more: object) => {
      const { client, target } = rig(kind, baseUrl)
      return JSON.parse((await client.buildWire(thought(more), await target('m'), noFiles)).body).messages[1]
    }
    const local = 'http://127.0.0.1:9'
    expect(await answer('ollama', local, { plain: true })).toMatchObject({ content: 'Hi.', thinking: 'Hm.' })
    expect(await answer('ollama', local, { signature: { anthropic: { signature: 's' } } })).not.toHaveProperty(
      'thinking',
    )
    expect(await answer('ollama', local, {})).toEqual({ role: 'assistant', content: 'Hi.' })
    const spoken = { role: 'assistant', content: 'Hi.' }
    const deepseek = 'https://api.deepseek.com'
    expect(await answer('openai-compatible', deepseek, { plain: true })).toEqual({
      ...spoken,
      reasoning_content: 'Hm.',
    })
    expect(await answer('openai-compatible', deepseek, {})).toEqual(spoken)
  })

  it('ollama: arguments as an object, the result with the tool’s name', async () => {
    const { body } = await send('ollama', 'ollama', 'qwen3', looped)
    expect(body.messages[1].tool_calls).toEqual([{ function: { name: 'weather', arguments: { city: 'Ulm' } } }])
    expect(body.messages[2]).toEqual({ role: 'tool', content: 'Sunny', tool_name: 'weather' })
    expect(body.messages[3].images).toEqual([pngBase64])
  })
})
