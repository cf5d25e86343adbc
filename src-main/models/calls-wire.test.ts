import { describe, expect, it } from 'vitest'
import type { RequestPart } from '../context/request-contract'
import { noFiles, request, rig, says, text } from '../testing/model-client-rig'
import { withCallIds } from './call-ids'
import type { ConnectionKind } from './contract'
import { type CallIds, needsOf, rulesOf } from './target-rules'

type Asked = { id: string; name?: string; foreign?: true; signature?: unknown }

function call({ id, name = 'look', ...rest }: Asked): RequestPart {
  return { type: 'tool-call', callId: id, name, arguments: {}, pieces: [], ...rest }
}

function turn(...calls: Asked[]) {
  const results = calls.map(
    ({ id, name = 'look' }): RequestPart => ({
      type: 'tool-result',
      callId: id,
      name,
      failed: false,
      pieces: text('R').pieces,
    }),
  )
  return [says('user', 'Q'), says('assistant', calls.map(call)), says('tool', results)]
}

function idsIn(messages: ReturnType<typeof turn>, rule: CallIds) {
  const parts = withCallIds(messages, rule).flatMap((message) => message.parts)
  const of = (type: RequestPart['type']) =>
    parts.flatMap((part) => (part.type === type && 'callId' in part ? [part.callId] : []))
  return { calls: of('tool-call'), results: of('tool-result') }
}

const ODD = ['call_abcdef0123', 'functions.get_time:0', 'x'.repeat(90), 'toolu_01', '调用-1', 'a b', 'chatcmpl-tool-1f']

describe('ids of calls', () => {
  it.each([
    ['nine', /^[a-zA-Z0-9]{9}$/],
    [{ most: 40 }, /^[a-zA-Z0-9_-]{1,40}$/],
    [{ most: 64 }, /^[a-zA-Z0-9_-]{1,64}$/],
  ] as const)('fit the rule %j, the result with its call, none twice', (rule, pattern) => {
    const twice = [...turn(...ODD.map((id) => ({ id }))), ...turn({ id: 'call_0' }), ...turn({ id: 'call_0' })]
    const { calls, results } = idsIn(twice, rule)
    for (const id of calls) expect(id).toMatch(pattern)
    expect(results).toEqual(calls)
    expect(new Set(calls).size).toBe(calls.length)
  })

  it('that fit stay, and the front of a longer request has the same ones', () => {
    expect(idsIn(turn({ id: 'toolu_01' }), { most: 64 }).calls).toEqual(['toolu_01'])
    expect(idsIn(turn({ id: 'D681PevKs' }), 'nine').calls).toEqual(['D681PevKs'])
    const short = [...turn({ id: 'call_0' }), ...turn({ id: 'call_0' })]
    const before = idsIn(short, 'own').calls
    expect(idsIn([...short, ...turn({ id: before[1] ?? '' }, { id: 'call_0' })], 'own').calls.slice(0, 2)).toEqual(
      before,
    )
  })

  it('of a server of its own kind come back as they are; those of others as all servers take them', () => {
    const { calls } = idsIn(
      [...turn({ id: 'functions.look:0' }), ...turn({ id: 'functions.look:1', foreign: true })],
      'own',
    )
    expect(calls[0]).toBe('functions.look:0')
    expect(calls[1]).toMatch(/^[a-zA-Z0-9]{9}$/)
  })

  it.each([
    ['openai-compatible', 'https://api.mistral.ai/v1', 'any', 'nine'],
    ['openai-compatible', 'https://relay.example/v1', 'mistralai/Devstral-Small-2507', 'nine'],
    ['openai-compatible', 'http://127.0.0.1:8000/v1', 'nous-hermes-2-mixtral-8x7b', 'nine'],
    ['openai-compatible', 'http://127.0.0.1:8000/v1', 'magistral', 'nine'],
    ['openai-compatible', 'https://relay.example/v1', 'open-mistral-nemo', 'nine'],
    ['openai-compatible', 'https://relay.example/v1', 'qwen3-coder', 'own'],
    ['anthropic', undefined, 'claude-opus-4-8', { most: 64 }],
    ['openai', undefined, 'gpt-5', { most: 64 }],
    ['openai', 'https://proxy.example/v1', 'gpt-5', { most: 40 }],
  ] as const)('%s at %s, %s', (kind, baseUrl, name, callIds) => {
    expect(rulesOf({ connection: { kind, ...(baseUrl ? { baseUrl } : {}) }, model: { name } }).callIds).toEqual(callIds)
  })
})

async function toolCallsSent(kind: ConnectionKind, model: string, ...calls: Asked[]) {
  const { client, target } = rig(kind, 'http://127.0.0.1:9/v1')
  const { body } = await client.buildWire(request(turn(...calls)), await target(model), noFiles)
  return JSON.parse(body).messages[1].tool_calls
}

it('the body that leaves for Mistral names call and result alike, in nine characters', async () => {
  const { client, target } = rig('openai-compatible', 'http://127.0.0.1:9/v1')
  const asked = request(turn({ id: 'call_abcdef0123', foreign: true }))
  const { messages } = JSON.parse((await client.buildWire(asked, await target('mistral-large-latest'), noFiles)).body)
  expect(messages[1].tool_calls[0].id).toMatch(/^[a-zA-Z0-9]{9}$/)
  expect(messages[2].tool_call_id).toBe(messages[1].tool_calls[0].id)
})

const standIn = { google: { thought_signature: 'skip_thought_signature_validator' } }

describe('Gemini through a compatible address', () => {
  it('gets the documented stand-in on calls of others, its own signature on its own', async () => {
    const [one, two] = await toolCallsSent(
      'openai-compatible',
      'gemini-3-pro-preview',
      { id: 'c1', foreign: true },
      { id: 'c2' },
    )
    expect(one.extra_content).toEqual(standIn)
    expect(two.extra_content).toEqual(standIn)
    const signature = { openaiCompatible: { thoughtSignature: 'abc' } }
    const own = await toolCallsSent(
      'openai-compatible',
      'google/gemini-flash-latest',
      { id: 'c1', signature },
      { id: 'c2' },
    )
    expect(own[0]).toEqual({
      id: 'c1',
      type: 'function',
      function: { name: 'look', arguments: '{}' },
      extra_content: { google: { thought_signature: 'abc' } },
    })
    expect(own[1]).not.toHaveProperty('extra_content')
  })

  it.each(['gemini-2.5-flash', 'gpt-oss-120b', 'gemma-3-27b'])('%s gets none', async (model) => {
    expect((await toolCallsSent('openai-compatible', model, { id: 'c1' }))[0]).not.toHaveProperty('extra_content')
  })
})

describe('what a model needs of the messages', () => {
  const needs = (name: string, baseUrl?: string, fit = {}, kind: ConnectionKind = 'openai-compatible') =>
    needsOf({ connection: { kind, ...(baseUrl ? { baseUrl } : {}) }, model: { name }, fit })

  it.each([
    ['deepseek-chat', 'https://api.deepseek.com/v1', {}, 'demanded'],
    ['kimi-k2.6', 'https://api.moonshot.cn/v1', {}, 'demanded'],
    ['moonshotai/kimi-k2-thinking', 'https://relay.example/v1', {}, 'tool-turns'],
    ['my-model', 'https://relay.example/v1', {}, 'none'],
    ['my-model', 'https://relay.example/v1', { reasoningBack: 'demanded' }, 'demanded'],
    ['deepseek-chat', 'https://api.deepseek.com/v1', { reasoningBack: 'refused' }, 'none'],
    ['notdeepseek.com', 'https://notdeepseek.com/v1', { reasoningBack: 'refused' }, 'none'],
  ] as const)('%s at %s with %j: thoughts %s', (name, baseUrl, fit, expected) => {
    expect(needs(name, baseUrl, fit).plainReasoning).toBe(expected)
  })

  it.each([
    ['claude-3-5-haiku-20241022', true],
    ['claude-sonnet-4-20250514', true],
    ['claude-opus-4-5', true],
    ['claude-opus-4-6', false],
    ['claude-sonnet-4.6', false],
    ['claude-opus-5', false],
    ['kimi-k2', false],
  ])('%s may be given the beginning of its answer: %s', (name, expected) => {
    expect(needs(name, undefined, {}, 'anthropic').prefill).toBe(expected)
    expect(needs(name, undefined, { prefill: false }, 'anthropic').prefill).toBe(false)
    expect(needs(name).prefill).toBe(false)
  })
})
