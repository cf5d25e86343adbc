import { afterEach, describe, expect, it } from 'vitest'
import { collectParts, noFiles, request, rig, says, textOf } from '../../testing/model-client-rig'
import { type Reply, startServer, type TemplateServer } from '../../testing/template-servers'
import type { StreamPart } from '../client'
import type { ConnectionKind } from '../contract'

let server: TemplateServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const START = { 'content-type': 'text/event-stream' }
const tools = [{ id: 't', name: 'weather', description: '', schema: { type: 'object' } }]

async function ask(body: string | Reply, options: { kind?: ConnectionKind; type?: string | null } = {}) {
  const { kind = 'openai-compatible', type = START['content-type'] } = options
  const reply: Reply =
    typeof body === 'string'
      ? (response) => response.writeHead(200, type ? { 'content-type': type } : {}).end(body)
      : body
  server = await startServer(reply, '/v1')
  const { client, target } = rig(kind, server.baseUrl)
  const asked = request([says('user', 'Weather?')], { tools, toolChoice: 'auto' })
  const signal = new AbortController().signal
  return collectParts(client.stream(asked, await target('m'), { signal, readFile: noFiles }))
}

const data = (...values: unknown[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
const chunk = (delta: unknown, finish: unknown = null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] })
const DONE = 'data: [DONE]\n\n'
const after = data(chunk({ content: 'delete the file.' }), chunk({}, 'stop')) + DONE
const reasoningOf = (parts: readonly StreamPart[]) =>
  parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
const notes = (parts: readonly StreamPart[]) => parts.filter((part) => part.type === 'note')
const callsOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.callId, name: part.name, with: part.arguments }] : [],
  )
const errorOf = (parts: readonly StreamPart[]) => {
  const last = parts.at(-1)
  return last?.type === 'error' ? last.error.message : `no error but ${JSON.stringify(last)}`
}

describe('one odd field', () => {
  const first = { choices: [{ index: 0, delta: { content: 'Do not delete the folder; ' } }] }
  const choice = (more: object) => ({ choices: [{ ...first.choices[0], ...more }] })
  const delta = (more: object) => ({ choices: [{ delta: { content: 'Do not delete the folder; ', ...more } }] })
  const content = (value: unknown) => ({ choices: [{ delta: { content: value } }] })
  it.each<[string, object]>([
    ['id a number', { ...first, id: 5 }],
    ['id a list', { ...first, id: [] }],
    ['created a text', { ...first, created: '1700000000' }],
    ['model null, object a number', { ...first, model: null, object: 7 }],
    ['usage a list', { ...first, usage: [] }],
    ['usage a text', { ...first, usage: 'none' }],
    ['usage of texts', { ...first, usage: { prompt_tokens: '12', completion_tokens: 'x', prompt_tokens_details: [] } }],
    ['error null', { ...first, error: null }],
    ['error ""', { ...first, error: '' }],
    ['error {}', { ...first, error: {} }],
    ['error false', { ...first, error: false }],
    ['error with nothing in it', { ...first, error: { code: 0, message: '' } }],
    ['errors []', { ...first, errors: [] }],
    ['a status beside it', { ...first, base_resp: { status_code: 0, status_msg: 'success' }, message: 'ok' }],
    ['a null choice before', { choices: [null, ...first.choices] }],
    ['choices an object', { choices: first.choices[0] }],
    ['index a text', choice({ index: '0' })],
    ['no index', choice({ index: undefined })],
    ['logprobs odd', choice({ logprobs: 'x' })],
    ['finish_reason false', choice({ finish_reason: false })],
    ['finish_reason ""', choice({ finish_reason: '' })],
    ['role odd', delta({ role: 'model' })],
    ['tool_calls {} and function_call null', delta({ tool_calls: {}, function_call: null })],
    ['reasoning {}', delta({ reasoning: {}, reasoning_content: null })],
    ['refusal false', delta({ refusal: false })],
    ['annotations odd', delta({ annotations: 'none', audio: 3 })],
    [
      'content a list of parts',
      content([
        { type: 'text', text: 'Do not ' },
        { type: 'output_text', text: 'delete the folder; ' },
      ]),
    ],
    ['content a list of texts', content(['Do not ', 'delete the folder; '])],
    ['content a part', content({ type: 'text', text: 'Do not delete the folder; ' })],
    ['content nested', content([{ type: 'text', text: { value: 'Do not delete the folder; ' } }])],
    ['delta a text', { choices: [{ delta: 'Do not delete the folder; ' }] }],
    ['message in place of delta', { choices: [{ delta: null, message: { content: 'Do not delete the folder; ' } }] }],
    ['text in place of delta', { choices: [{ text: 'Do not delete the folder; ' }] }],
  ])('%s: nothing of the answer is missing', async (_name, odd) => {
    const parts = await ask(data(odd) + after)
    expect(textOf(parts)).toBe('Do not delete the folder; delete the file.')
    expect(notes(parts)).toEqual([])
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['an empty object', {}],
    ['no choices', { choices: [] }],
    ['choices null', { choices: null }],
    ['a delta null', { choices: [{ index: 0, delta: null }] }],
    ['an unknown event', { type: 'ping', at: 5 }],
    ['a number', 5],
    ['a list', []],
  ])('%s is no part of an answer and no failure', async (_name, odd) => {
    const parts = await ask(data(odd) + after)
    expect(textOf(parts)).toBe('delete the file.')
    expect(notes(parts)).toEqual([])
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('a whole message after its pieces is not said twice', async () => {
    const whole = { choices: [{ index: 0, message: { content: 'One two' }, finish_reason: 'stop' }] }
    const parts = await ask(data(chunk({ content: 'One ' }), chunk({ content: 'two' }), whole) + DONE)
    expect(textOf(parts)).toBe('One two')
  })

  it.each(['reasoning_content', 'reasoning', 'thinking'])('thoughts under %s are read', async (name) => {
    const parts = await ask(data(chunk({ [name]: 'Hm. ' }), chunk({ [name]: [{ type: 'text', text: 'So.' }] })) + after)
    expect(reasoningOf(parts)).toBe('Hm. So.')
    expect(textOf(parts)).toBe('delete the file.')
  })

  it.each<[string, string]>([
    ['a broken piece', 'data: {"choices":[{"delta":{"content":"Do not del\n\n'],
    ['words that are no JSON', 'data: the weather is fine\n\n'],
    ['content that holds no words', data(chunk({ content: { blob: 7 } }))],
    ['a call without a name', data(chunk({ tool_calls: [{ index: 0, id: 'x', function: { arguments: '{}' } }] }))],
  ])('%s is told on the answer, and the rest is kept', async (_name, odd) => {
    const parts = await ask(odd + after)
    expect(textOf(parts)).toBe('delete the file.')
    expect(notes(parts)).toHaveLength(1)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })
})

describe('tool calls', () => {
  const call = (...pieces: unknown[]) => chunk({ tool_calls: pieces })
  const end = data(chunk({}, 'tool_calls')) + DONE
  const ulm = '{"city":"Ulm"}'
  it.each<[string, object[]]>([
    [
      'arguments as an object',
      [call({ index: 0, id: 'c1', function: { name: 'weather', arguments: { city: 'Ulm' } } })],
    ],
    ['no type, no index', [call({ id: 'c1', function: { name: 'weather', arguments: ulm } })]],
    ['type odd', [call({ index: 0, id: 'c1', type: 'fn', function: { name: 'weather', arguments: ulm } })]],
    ['index a text', [call({ index: '0', id: 'c1', function: { name: 'weather', arguments: ulm } })]],
    ['no list', [chunk({ tool_calls: { id: 'c1', function: { name: 'weather', arguments: ulm } } })]],
    [
      'pieces without index and id',
      [
        call({ id: 'c1', function: { name: 'weather', arguments: '{"ci' } }),
        call({ function: { arguments: 'ty":"Ulm"}' } }),
      ],
    ],
    [
      'the name again in every piece',
      [
        call({ index: 0, id: 'c1', function: { name: 'weather', arguments: '{"ci' } }),
        call({ index: 0, id: 'c1', function: { name: 'weather', arguments: 'ty":"Ulm"}' } }),
      ],
    ],
    [
      'name after the arguments began',
      [
        call({ index: 0, id: 'c1', function: { name: null, arguments: '{"ci' } }),
        call({ index: 0, function: { name: 'weather', arguments: 'ty":"Ulm"}' } }),
      ],
    ],
    ['fields at the call itself', [call({ index: 0, id: 'c1', name: 'weather', arguments: ulm })]],
    ['null around it', [call(null, { index: 0, id: 'c1', function: { name: 'weather', arguments: ulm } }, null)]],
  ])('%s', async (_name, chunks) => {
    const parts = await ask(data(...chunks) + end)
    expect(callsOf(parts)).toEqual([{ id: 'c1', name: 'weather', with: { city: 'Ulm' } }])
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  it('an id that is a number, or none at all', async () => {
    const one = (more: object) => data(call({ index: 0, ...more, function: { name: 'weather', arguments: '' } })) + end
    expect(callsOf(await ask(one({ id: 7 })))).toEqual([{ id: '7', name: 'weather', with: {} }])
    await server?.close()
    expect(callsOf(await ask(one({ id: null })))).toEqual([
      { id: expect.stringMatching(/./), name: 'weather', with: {} },
    ])
  })

  it('the old form', async () => {
    const parts = await ask(data(chunk({ function_call: { name: 'weather', arguments: ulm } }, 'function_call')) + DONE)
    expect(callsOf(parts)).toEqual([{ id: expect.any(String), name: 'weather', with: { city: 'Ulm' } }])
  })

  it.each<[string, (at: number) => object]>([
    ['with the same index', (at) => ({ index: 0, id: `c${at}` })],
    ['without index and id', () => ({})],
    ['without index', (at) => ({ id: `c${at}` })],
    ['with index alone', (at) => ({ index: at })],
    ['with one id for all', (at) => ({ index: at, id: 'same' })],
  ])('two calls at once %s stay two', async (_name, place) => {
    const two = [0, 1].map((at) => call({ ...place(at), function: { name: 'weather', arguments: `{"n":${at}}` } }))
    expect(callsOf(await ask(data(...two) + end)).map((each) => each.with)).toEqual([{ n: 0 }, { n: 1 }])
  })

  it('a call cut by the output limit is not run', async () => {
    const torso = call({ index: 0, id: 'c1', function: { name: 'weather', arguments: '{"city":"U' } })
    const parts = await ask(data(chunk({ content: 'Wait.' }), torso, chunk({}, 'length')) + DONE)
    expect(callsOf(parts)).toEqual([])
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'length' })
  })
})

describe('how an answer ends', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['sensitive', 'content-filter'],
    ['SAFETY', 'content-filter'],
    ['eos', 'stop'],
    ['end_turn', 'stop'],
    [{ type: 'length' }, 'length'],
    [true, 'stop'],
    ['because', 'other'],
  ])('%j is %s', async (raw, reason) => {
    const parts = await ask(data(chunk({ content: 'x' }), chunk({}, raw)) + DONE)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason })
  })

  it('thoughts alone, cut by the limit, end as cut', async () => {
    const parts = await ask(data(chunk({ reasoning_content: 'Hm' }), chunk({}, 'length')) + DONE)
    expect(reasoningOf(parts)).toBe('Hm')
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'length' })
  })

  it('an end the server calls an error is one', async () => {
    const parts = await ask(data(chunk({ content: 'x' }), chunk({}, 'insufficient_system_resource')) + DONE)
    expect(errorOf(parts)).toContain('insufficient_system_resource')
  })

  it.each([
    ['[DONE]', data(chunk({ content: 'All.' }, 'stop')) + DONE],
    ['[DONE] without a reason', data(chunk({ content: 'All.' })) + DONE],
    ['a reason alone', data(chunk({ content: 'All.' }, 'stop'))],
  ])(
    'after %s an open connection holds nothing up, and is let go',
    async (_name, text) => {
      let closed: (() => void) | undefined
      const gone = new Promise<void>((resolve) => {
        closed = resolve
      })
      const parts = await ask((response) => {
        response.on('close', () => closed?.())
        response.writeHead(200, START).write(text)
        const alive = setInterval(() => response.write(': alive\n\n'), 50)
        response.on('close', () => clearInterval(alive))
      })
      expect(textOf(parts)).toBe('All.')
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
      await gone
    },
    20_000,
  )

  it('a connection dropped after the named end drops nothing', async () => {
    const parts = await ask((response) => {
      response.writeHead(200, START)
      response.write(data(chunk({ content: 'All.' }, 'stop')), () => setTimeout(() => response.destroy(), 20))
    })
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })
})

describe('whole answers and errors under any type', () => {
  const types = ['text/event-stream', 'text/plain', 'application/json', 'text/html', 'application/x-ndjson', null]
  const whole = {
    id: 5,
    choices: [{ message: { role: 'assistant', content: 'In one piece' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: '9', completion_tokens: 3 },
  }
  it.each(types)('a whole answer as %s', async (type) => {
    for (const text of [JSON.stringify(whole), JSON.stringify(whole, null, 2)]) {
      const parts = await ask(text, { type })
      expect(textOf(parts)).toBe('In one piece')
      expect(parts).toContainEqual({ type: 'usage', usage: expect.objectContaining({ inputTokens: 9 }) })
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
      await server?.close()
    }
  })

  it.each(types)('a stream as %s', async (type) => {
    expect(textOf(await ask(after, { type }))).toBe('delete the file.')
  })

  const failures: string[] = [
    '{"error":{"message":"no lodging"}}',
    '{"error":"no lodging"}',
    '{"error":{"code":"x","details":[{"message":"no lodging"}]}}',
    '{"error":true,"message":"no lodging"}',
    '{"errors":[{"detail":"no lodging"}]}',
    '{"detail":"no lodging"}',
    '{"object":"error","message":"no lodging","code":40301}',
    '{"code":1113,"msg":"no lodging"}',
    '{"error_code":17,"error_msg":"no lodging"}',
    '{"base_resp":{"status_code":1004,"status_msg":"no lodging"}}',
    '{"type":"error","error":{"type":"overloaded_error","message":"no lodging"}}',
    '{"error":{"message":"Provider returned error","metadata":{"raw":"{\\"error\\":{\\"message\\":\\"no lodging\\"}}"}}}',
    '{"choices":[{"delta":{"content":""},"error":{"message":"no lodging"},"finish_reason":"error"}]}',
    '{"choices":[],"error":{"message":"no lodging"}}',
    '[{"error":{"message":"no lodging"}}]',
    '{\n  "error": {\n    "message": "no lodging"\n  }\n}\n',
    'no lodging',
  ]
  it.each(failures)('the words of %s are said, before an answer and in it', async (failure) => {
    for (const type of types) {
      expect(errorOf(await ask(failure, { type }))).toContain('no lodging')
      await server?.close()
    }
    for (const framed of [
      failure,
      `data: ${failure.replaceAll('\n', '')}\n\n`,
      `event: error\ndata: ${failure.replaceAll('\n', '')}\n\n`,
    ]) {
      const parts = await ask(data(chunk({ content: 'Half ' })) + framed)
      expect(textOf(parts)).toBe('Half ')
      expect(errorOf(parts)).toContain('broke off')
      expect(errorOf(parts)).toContain('no lodging')
      await server?.close()
    }
  })

  it.each(['upstream socket terminated', 'SSL library: out of memory', 'network is full: ECONNRESET'])(
    'words of the network in what the server says hide nothing: %s',
    async (words) => {
      expect(errorOf(await ask(data(chunk({ content: 'x' }), { error: { message: words } })))).toContain(words)
    },
  )

  it.each(['', '\n\n', ': keep-alive\n\n'])('nothing at all (%j) is told in own words', async (body) => {
    const message = errorOf(await ask(body))
    expect(message).toContain('sent back nothing')
    expect(message).not.toContain('It said')
  })

  it('the app’s own reasons are not called the server’s', async () => {
    const parts = await ask((response) => response.destroy())
    expect(errorOf(parts)).not.toContain('It said')
  })

  it.each(['<!doctype html><p>Sign in</p>', '<!-- proxy -->\n<html><body>Sign in</body></html>'])(
    'a web page %s',
    async (page) => {
      expect(errorOf(await ask(page, { type: 'text/html' }))).toContain('web page')
    },
  )
})
