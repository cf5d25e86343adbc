import { streamText } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { collectParts, noFiles, request, rig, says, textOf } from '../../testing/model-client-rig'
import { startServer, type TemplateServer } from '../../testing/template-servers'
import type { StreamPart } from '../client'
import type { ConnectionKind } from '../contract'
import { languageModel } from '../language-model'
import { readStream } from '../read-stream'
import { silenceLimit } from '../silence'
import { sendingFetch } from '../wire-fetch'
import { newWatch } from './wire-watch'

let server: TemplateServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const tools = [{ id: 't', name: 'weather', description: '', schema: { type: 'object' } }]
const asked = request([says('user', 'Weather?')], { tools, toolChoice: 'auto' })
const signal = new AbortController().signal

async function ask(kind: ConnectionKind, body: string, open = false): Promise<StreamPart[]> {
  server = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    if (open) response.write(body)
    else response.end(body)
  }, '/v1')
  const { client, target } = rig(kind, server.baseUrl)
  return collectParts(client.stream(asked, await target('m'), { signal, readFile: noFiles }))
}

/** The Responses protocol is spoken by OpenAI's own host alone: the address is real, the transport is not. */
async function askResponses(body: string): Promise<StreamPart[]> {
  const { target } = rig('openai', undefined)
  const to = await target('gpt')
  const watch = newWatch()
  const silence = silenceLimit(0, () => undefined)
  const send = sendingFetch({
    fetch: () => Promise.resolve(new Response(body)),
    watch,
    protocol: 'responses',
    silence,
    onSent: () => undefined,
  })
  const model = languageModel(to, send, () => 'id')
  const stream = streamText({ model, prompt: 'Weather?', maxRetries: 0, onError: () => undefined }).fullStream
  const subject = { connection: 'C', model: 'gpt', kind: 'openai' as const, baseUrl: '', secrets: [] }
  return collectParts(readStream(stream, { subject, watch, signal }))
}

const data = (...values: unknown[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const reasoningOf = (parts: readonly StreamPart[]) =>
  parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
const callsOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'tool-call' ? [[part.name, part.arguments]] : []))
const notes = (parts: readonly StreamPart[]) => parts.filter((part) => part.type === 'note').length
const errorOf = (parts: readonly StreamPart[]) => {
  const last = parts.at(-1)
  return last?.type === 'error' ? last.error.message : `no error but ${JSON.stringify(last)}`
}
const finish = (reason: string) => ({ type: 'finish', reason })

describe('Anthropic', () => {
  const start = { type: 'message_start', message: { id: 'm', model: 'x', usage: { input_tokens: 3 } } }
  const text = (words: unknown, index: unknown = 0) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'text_delta', text: words },
  })
  const block = (content: object, index: unknown = 0) => ({
    type: 'content_block_start',
    index,
    content_block: content,
  })
  const stop = { type: 'content_block_stop', index: 0 }
  const end = (reason: unknown = 'end_turn') => [
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
  const open = block({ type: 'text', text: '' })

  it.each<[string, unknown[]]>([
    [
      'ids numbers, usage texts',
      [
        { type: 'message_start', message: { id: 1, model: 2, usage: { input_tokens: '3' } } },
        open,
        text('Do '),
        text('not.'),
        stop,
        ...end(),
      ],
    ],
    [
      'no message_start, usage a list',
      [
        open,
        text('Do not.'),
        stop,
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: [] },
        { type: 'message_stop' },
      ],
    ],
    ['blocks never opened nor closed', [start, text('Do '), text('not.'), ...end()]],
    ['no index', [start, block({ type: 'text', text: '' }, undefined), text('Do '), text('not.', null), ...end()]],
    ['words in the start of a block', [start, block({ type: 'text', text: 'Do ' }), text('not.'), stop, ...end()]],
    ['text as parts', [start, open, text([{ text: 'Do ' }, 'not.']), stop, ...end()]],
    [
      'an unknown block and unknown events',
      [
        start,
        block({ type: 'banner', colour: 1 }, 0),
        stop,
        { type: 'weather' },
        { type: 'ping' },
        block({ type: 'text', text: '' }, 1),
        text('Do not.', 1),
        ...end(),
      ],
    ],
    [
      'every block the same index',
      [
        start,
        block({ type: 'thinking', thinking: '' }),
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
        stop,
        open,
        text('Do not.'),
        stop,
        ...end(),
      ],
    ],
    ['error null', [{ ...start, error: null }, open, { ...text('Do not.'), error: {} }, stop, ...end()]],
  ])('%s', async (_name, events) => {
    const parts = await ask('anthropic', data(...events))
    expect(textOf(parts)).toBe('Do not.')
    expect(notes(parts)).toBe(0)
    expect(parts.at(-1)).toEqual(finish('stop'))
  })

  it('ends with message_stop though the connection stays open', async () => {
    const parts = await ask('anthropic', data(start, open, text('All.'), stop, ...end()), true)
    expect(parts.at(-1)).toEqual(finish('stop'))
  })

  it('tool calls: input at once, as text, as objects, never closed', async () => {
    const calls = (piece: unknown) => [
      block({ type: 'tool_use', id: 7, name: 'weather', input: {} }),
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: piece } },
    ]
    for (const events of [
      calls('{"city":"Ulm"}'),
      calls({ city: 'Ulm' }),
      [block({ type: 'tool_use', id: 't', name: 'weather', input: { city: 'Ulm' } })],
    ]) {
      expect(callsOf(await ask('anthropic', data(start, ...events, ...end('tool_use'))))).toEqual([
        ['weather', { city: 'Ulm' }],
      ])
      await server?.close()
    }
  })

  it.each([
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
    ['model_context_window_exceeded', 'length'],
    ['stop_sequence', 'stop'],
  ])('%s is %s', async (raw, reason) => {
    expect((await ask('anthropic', data(start, open, text('x'), stop, ...end(raw)))).at(-1)).toEqual(finish(reason))
  })

  it('a whole message, and its thoughts', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'text', text: 'Whole.' },
    ]
    const parts = await ask(
      'anthropic',
      JSON.stringify({ type: 'message', id: 1, content, stop_reason: 'end_turn', usage: {} }),
    )
    expect([textOf(parts), reasoningOf(parts)]).toEqual(['Whole.', 'Hm'])
    expect(parts).toContainEqual({ type: 'reasoning-end', signature: { anthropic: { signature: 's' } } })
    expect(parts.at(-1)).toEqual(finish('stop'))
  })

  it('an error in it is said', async () => {
    const failure = { type: 'error', error: { type: 'overloaded_error', message: 'no lodging' } }
    expect(errorOf(await ask('anthropic', data(start, open, text('x'), failure)))).toContain('no lodging')
    await server?.close()
    expect(errorOf(await ask('anthropic', `event: error\ndata: {"message":"no lodging"}\n\n`))).toContain('no lodging')
  })
})

describe('Google', () => {
  const say = (parts: unknown, more: object = {}) => ({ candidates: [{ content: { role: 'model', parts }, ...more }] })
  const end = say([{ text: 'file.' }], { finishReason: 'STOP' })
  it.each<[string, unknown]>([
    ['a plain one', say([{ text: 'Keep the ' }])],
    ['role and index odd', { candidates: [{ index: '0', content: { role: 5, parts: [{ text: 'Keep the ' }] } }] }],
    ['parts an object', say({ text: 'Keep the ' })],
    ['parts of texts', say(['Keep ', 'the '])],
    ['content a text', { candidates: [{ content: 'Keep the ' }] }],
    ['a null candidate before', { candidates: [null, { content: { parts: [{ text: 'Keep the ' }] } }] }],
    [
      'ratings and grounding odd',
      say([{ text: 'Keep the ' }], { safetyRatings: 'x', groundingMetadata: [], avgLogprobs: 'NaN' }),
    ],
    [
      'usage of texts',
      {
        ...say([{ text: 'Keep the ' }]),
        usageMetadata: { promptTokenCount: '5', promptTokensDetails: 'x' },
        responseId: 5,
      },
    ],
    ['error null', { ...say([{ text: 'Keep the ' }]), error: null, promptFeedback: null }],
    ['thought null', say([{ text: 'Keep the ', thought: null, thoughtSignature: null }])],
  ])('%s', async (_name, odd) => {
    const parts = await ask('google', data(odd, end))
    expect(textOf(parts)).toBe('Keep the file.')
    expect(notes(parts)).toBe(0)
    expect(parts.at(-1)).toEqual(finish('stop'))
  })

  it('calls, thoughts and a list in place of a stream', async () => {
    const list = [
      say([{ text: 'Hm', thought: true }, { functionCall: { id: 5, name: 'weather', args: '{"city":"Ulm"}' } }], {
        finishReason: 'STOP',
      }),
    ]
    const parts = await ask('google', JSON.stringify(list, null, 2))
    expect(reasoningOf(parts)).toBe('Hm')
    expect(callsOf(parts)).toEqual([['weather', { city: 'Ulm' }]])
  })

  it.each([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['LANGUAGE', 'other'],
  ])('%s is %s', async (raw, reason) => {
    expect((await ask('google', data(say([{ text: 'x' }], { finishReason: raw })))).at(-1)).toEqual(finish(reason))
  })

  it('a prompt that was blocked is a filtered answer', async () => {
    const parts = await ask('google', data({ promptFeedback: { blockReason: 'SAFETY', safetyRatings: 5 } }))
    expect(parts.at(-1)).toEqual(finish('content-filter'))
  })

  it('a call the server could not form is an error with its word', async () => {
    expect(errorOf(await ask('google', data(say([], { finishReason: 'MALFORMED_FUNCTION_CALL' }))))).toContain(
      'MALFORMED',
    )
  })
})

describe('OpenAI’s Responses', () => {
  const delta = (words: unknown, more: object = {}) => ({
    type: 'response.output_text.delta',
    item_id: 'i',
    output_index: 0,
    delta: words,
    ...more,
  })
  const added = {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'message', id: 'i', role: 'assistant' },
  }
  const usage = { input_tokens: 4, output_tokens: 2 }
  const end = { type: 'response.completed', response: { usage } }
  it.each<[string, unknown[]]>([
    ['plain', [added, delta('Do '), delta('not.'), end]],
    ['never opened', [delta('Do '), delta('not.'), end]],
    [
      'ids and numbers odd',
      [
        { type: 'response.created', response: { id: 5 } },
        delta('Do ', { item_id: 5, output_index: '0' }),
        delta('not.', { item_id: 5, logprobs: 'x' }),
        end,
      ],
    ],
    ['unknown events', [{ type: 'response.weather' }, { type: 'keepalive' }, added, delta('Do not.'), end]],
    [
      'usage odd',
      [
        added,
        delta('Do not.'),
        { type: 'response.completed', response: { usage: { input_tokens: '4', output_tokens: null } } },
      ],
    ],
    [
      'only the whole at the end',
      [
        {
          type: 'response.completed',
          response: { output: [{ type: 'message', id: 'i', content: [{ type: 'output_text', text: 'Do not.' }] }] },
        },
      ],
    ],
    [
      'only whole items',
      [{ type: 'response.output_item.done', item: { type: 'message', id: 'i', content: [{ text: 'Do not.' }] } }, end],
    ],
  ])('%s', async (_name, events) => {
    const parts = await askResponses(data(...events))
    expect(textOf(parts)).toBe('Do not.')
    expect(parts.at(-1)).toEqual(finish('stop'))
  })

  it('a whole response in place of a stream', async () => {
    const output = [
      { type: 'message', content: [{ type: 'output_text', text: 'Whole.' }] },
      { type: 'function_call', call_id: 'c', name: 'weather', arguments: { city: 'Ulm' } },
    ]
    const parts = await askResponses(JSON.stringify({ object: 'response', status: 'completed', output }))
    expect(textOf(parts)).toBe('Whole.')
    expect(callsOf(parts)).toEqual([['weather', { city: 'Ulm' }]])
  })

  it('calls in pieces, thoughts, ends and failures', async () => {
    const item = { type: 'function_call', id: 'f', call_id: 5, name: 'weather', arguments: '' }
    const call = [
      { type: 'response.output_item.added', output_index: 1, item },
      { type: 'response.function_call_arguments.delta', item_id: 'f', delta: '{"city":' },
      { type: 'response.function_call_arguments.delta', item_id: 'f', delta: '"Ulm"}' },
    ]
    const thought = { type: 'response.reasoning_summary_text.delta', item_id: 'r', summary_index: 0, delta: 'Hm' }
    const parts = await askResponses(data(thought, ...call, end))
    expect(reasoningOf(parts)).toBe('Hm')
    expect(callsOf(parts)).toEqual([['weather', { city: 'Ulm' }]])
    const cut = {
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' }, usage },
    }
    expect((await askResponses(data(delta('x'), cut))).at(-1)).toEqual(finish('length'))
    const failed = { type: 'response.failed', response: { error: { code: 5, message: 'no lodging' } } }
    expect(errorOf(await askResponses(data(delta('x'), failed)))).toContain('no lodging')
    expect(errorOf(await askResponses(data({ type: 'error', message: 'no lodging' })))).toContain('no lodging')
  })
})

describe('Ollama', () => {
  const say = (content: unknown, more: object = {}) => ({
    model: 'm',
    message: { role: 'assistant', content },
    done: false,
    ...more,
  })
  it.each<[string, string]>([
    ['no reason', lines(say('Do '), say('not.'), say('', { done: true }))],
    ['reason null, counts texts', lines(say('Do not.'), say('', { done: true, done_reason: null, eval_count: '5' }))],
    ['done a text', lines(say('Do not.'), say('', { done: 'true' }))],
    ['error null', lines(say('Do not.', { error: null }), say('', { error: '', done: true }))],
    ['content a list', lines(say([{ text: 'Do ' }, 'not.']), say(null, { done: true }))],
    ['as events', data(say('Do not.'), say('', { done: true }))],
    ['in one piece', JSON.stringify(say('Do not.', { done: true }), null, 2)],
  ])('%s', async (_name, body) => {
    const parts = await ask('ollama', body)
    expect(textOf(parts)).toBe('Do not.')
    expect(parts.at(-1)).toEqual(finish('stop'))
  })

  it('done is the end though the connection stays open', async () => {
    expect((await ask('ollama', lines(say('All.', { done: true })), true)).at(-1)).toEqual(finish('stop'))
  })

  it('calls with odd ids and arguments as text', async () => {
    const calls = [{ id: 5, function: { index: 0, name: 'weather', arguments: '{"city":"Ulm"}' } }, null]
    const parts = await ask('ollama', lines({ message: { content: null, tool_calls: calls }, done: true }))
    expect(callsOf(parts)).toEqual([['weather', { city: 'Ulm' }]])
  })

  it.each([
    '{"error":"model runner has terminated: socket"}',
    '{"error":{"message":"model runner has terminated: socket"}}',
    'model runner has terminated: socket',
  ])('the words of %s are said', async (failure) => {
    expect(errorOf(await ask('ollama', `${lines(say('Hi '))}${failure}\n`))).toContain(
      'model runner has terminated: socket',
    )
  })

  it('a broken line is told, nothing at all is told in own words', async () => {
    expect(notes(await ask('ollama', `{"message":{"con\n${lines(say('x', { done: true }))}`))).toBe(1)
    await server?.close()
    expect(errorOf(await ask('ollama', ''))).toContain('sent back nothing')
  })
})
