import { afterEach, describe, expect, it } from 'vitest'
import { collectParts, KEY, noFiles, request, rig, says, textOf } from '../testing/model-client-rig'
import { type Reply, startServer, startTemplateServer, type TemplateServer } from '../testing/template-servers'
import type { StreamPart } from './client'
import type { ConnectionKind } from './contract'
import { listLessons } from './lesson-repository'

let server: TemplateServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const hello = request([says('user', 'Hello')])

async function ask(reply: Reply, options: { kind?: ConnectionKind; signal?: AbortSignal; asked?: typeof hello } = {}) {
  const kind = options.kind ?? 'openai-compatible'
  server = await startServer(reply, kind === 'ollama' ? '' : '/v1')
  const { client, target } = rig(kind, server.baseUrl)
  const signal = options.signal ?? new AbortController().signal
  return collectParts(client.stream(options.asked ?? hello, await target('some-model'), { signal, readFile: noFiles }))
}

function errorOf(parts: readonly StreamPart[]) {
  const last = parts.at(-1)
  if (last?.type !== 'error') throw new Error(`No error, but ${JSON.stringify(last)}`)
  return { code: last.error.code, message: last.error.message, retryable: last.retryable, error: last.error }
}

function refuse(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (response) => response.writeHead(status, headers).end(body)
}

const chunk = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const START = { 'content-type': 'text/event-stream' }

describe('refusals', () => {
  it.each([
    [401, '{"error":{"message":"Incorrect API key provided: sk-test-1234567890"}}', 'model.unauthorised', false],
    [403, '{"error":"forbidden"}', 'model.unauthorised', false],
    [429, '{"error":{"message":"Rate limit reached"}}', 'model.rate_limited', true],
    [
      429,
      '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
      'model.rate_limited',
      false,
    ],
    [402, '{"error":{"message":"Insufficient Balance"}}', 'model.rate_limited', false],
    [503, 'overloaded', 'model.rate_limited', true],
    [502, '<html><h1>Bad gateway</h1></html>', 'model.unreachable', true],
    [404, '{"error":{"message":"model not found"}}', 'model.rejected', false],
    [400, '{"error":{"message":"maximum context length is 8192 tokens"}}', 'model.context_too_long', false],
    [413, '', 'model.context_too_long', false],
    [500, '{"detail":[{"msg":"tensor exploded"}]}', 'model.rejected', true],
    [400, '<!doctype html><html><script>var x</script><p>Sign in first</p></html>', 'model.rejected', false],
  ])('HTTP %i %s is %s', async (status, body, code, retryable) => {
    const failure = errorOf(await ask(refuse(status, body)))
    expect(failure).toMatchObject({ code, retryable })
    expect(JSON.stringify(failure.error.toReply())).not.toContain(KEY)
    expect(failure.message).not.toContain('<')
  })

  it('says what the server said, and how long to wait', async () => {
    expect(errorOf(await ask(refuse(500, '{"detail":[{"msg":"tensor exploded"}]}'))).message).toContain(
      'tensor exploded',
    )
    await server?.close()
    expect(errorOf(await ask(refuse(429, '{}', { 'retry-after': '17' }))).message).toContain('17 s')
  })

  it('Ollama’s plain error text is read too', async () => {
    const failure = errorOf(await ask(refuse(404, '{"error":"model \'x\' not found"}'), { kind: 'ollama' }))
    expect(failure).toMatchObject({ code: 'model.rejected', message: expect.stringContaining("model 'x' not found") })
    expect(failure.message).not.toContain('/v1')
  })

  it('a server that is not there is unreachable, in words', async () => {
    const { client, target } = rig('openai-compatible', 'http://127.0.0.1:9/v1')
    const options = { signal: new AbortController().signal, readFile: noFiles }
    const failure = errorOf(await collectParts(client.stream(hello, await target('m'), options)))
    expect(failure).toMatchObject({ code: 'model.unreachable', retryable: true })
    expect(failure.message).toContain('http://127.0.0.1:9/v1')
  })

  it('a web page with status 200 is no answer', async () => {
    const page: Reply = (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    expect(errorOf(await ask(page))).toMatchObject({
      code: 'model.rejected',
      message: expect.stringContaining('web page'),
    })
  })

  it('a redirect is refused, so that the key goes nowhere else', async () => {
    const redirect: Reply = (response) => response.writeHead(307, { location: 'https://elsewhere.example/v1' }).end()
    const failure = errorOf(await ask(redirect))
    expect(failure).toMatchObject({
      code: 'model.rejected',
      message: expect.stringContaining('https://elsewhere.example'),
    })
    expect(server?.requests).toHaveLength(1)
  })

  it('an error under status 200 is an error', async () => {
    const reply: Reply = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":{"message":"no such lodging"}}')
    expect(errorOf(await ask(reply))).toMatchObject({ message: expect.stringContaining('no such lodging') })
  })

  it('without a key nothing is sent to the makers’ own services', async () => {
    let asked = 0
    const { client } = rig('anthropic', undefined, () => Promise.reject(new Error(`asked ${++asked}`)))
    const to = await client.target('c1/claude-opus-4-8')
    const options = { signal: new AbortController().signal, readFile: noFiles }
    expect(errorOf(await collectParts(client.stream(hello, to, options))).code).toBe('model.unauthorised')
    expect(asked).toBe(0)
  })
})

describe('answers that go wrong half-way', () => {
  it('a stream that just stops keeps what arrived', async () => {
    const parts = await ask((response) => {
      response.writeHead(200, START)
      response.end(chunk({ content: 'Half an ans' }))
    })
    expect(textOf(parts)).toBe('Half an ans')
    expect(errorOf(parts)).toMatchObject({ code: 'model.stream_broken', retryable: true })
  })

  it('a dropped socket keeps what arrived', async () => {
    const parts = await ask((response) => {
      response.writeHead(200, START)
      response.write(chunk({ content: 'Half' }), () => setTimeout(() => response.destroy(), 30))
    })
    expect(textOf(parts)).toBe('Half')
    expect(errorOf(parts).code).toBe('model.stream_broken')
  })

  it('one broken line in the middle is passed over', async () => {
    const parts = await ask((response) => {
      response.writeHead(200, START)
      response.end(
        `${chunk({ content: 'One ' })}data: {"choices":[{"del\n\n${chunk({ content: 'two' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
      )
    })
    expect(textOf(parts)).toBe('One two')
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('a broken last line is a broken stream', async () => {
    const parts = await ask((response) => {
      response.writeHead(200, START)
      response.end(`${chunk({ content: 'One ' })}data: {"choices":[{"del\n\n`)
    })
    expect(textOf(parts)).toBe('One ')
    expect(errorOf(parts).code).toBe('model.stream_broken')
  })

  it('an error inside the stream is told in its own words', async () => {
    const parts = await ask((response) => {
      response.writeHead(200, START)
      response.end(`${chunk({ content: 'One ' })}data: {"error":{"message":"GPU fell off"}}\n\n`)
    })
    expect(textOf(parts)).toBe('One ')
    expect(errorOf(parts).message).toContain('GPU fell off')
  })

  it('a server that forgets the finish reason but says [DONE] has finished', async () => {
    const parts = await ask((response) => {
      response.writeHead(200, START)
      response.end(`${chunk({ content: 'All' })}data: [DONE]\n\n`)
    })
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('a server that does not stream is read all the same', async () => {
    const parts = await ask((response) => {
      const message = { role: 'assistant', content: 'In one piece' }
      const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
    })
    expect(textOf(parts)).toBe('In one piece')
    expect(parts).toContainEqual({ type: 'usage', usage: expect.objectContaining({ inputTokens: 9, outputTokens: 3 }) })
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('DeepSeek’s own field for cached tokens is read', async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 3, total_tokens: 903, prompt_cache_hit_tokens: 640 }
    const parts = await ask((response) => {
      response.writeHead(200, START)
      response.end(
        `${chunk({ content: 'x' }, 'stop')}data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`,
      )
    })
    expect(parts).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 900, cachedInputTokens: 640, outputTokens: 3, reasoningTokens: 0 },
    })
  })

  it('ten megabytes arrive whole', async () => {
    const piece = 'x'.repeat(100_000)
    const parts = await ask((response) => {
      response.writeHead(200, START)
      for (let at = 0; at < 100; at++) response.write(chunk({ content: piece }))
      response.end(chunk({}, 'stop'))
    })
    expect(textOf(parts).length).toBe(10_000_000)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('stopping ends it with what arrived, as a finish and no error', async () => {
    const stop = new AbortController()
    const parts: StreamPart[] = []
    server = await startServer((response) => {
      response.writeHead(200, START)
      response.write(chunk({ content: 'Half' }))
    })
    const { client, target } = rig('openai-compatible', server.baseUrl)
    for await (const part of client.stream(hello, await target('m'), { signal: stop.signal, readFile: noFiles })) {
      parts.push(part)
      if (part.type === 'text') stop.abort()
    }
    expect(textOf(parts)).toBe('Half')
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'aborted' })
  })

  it('Ollama: cut and broken lines', async () => {
    const line = (content: string, done = false) =>
      `${JSON.stringify({ message: { content }, done, done_reason: 'stop' })}\n`
    const mended = await ask(
      (response) => response.writeHead(200).end(`${line('One ')}{"message":\n${line('two')}${line('', true)}`),
      { kind: 'ollama' },
    )
    expect(textOf(mended)).toBe('One two')
    expect(mended.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    await server?.close()
    const cut = await ask((response) => response.writeHead(200).end(line('One ')), { kind: 'ollama' })
    expect(textOf(cut)).toBe('One ')
    expect(errorOf(cut).code).toBe('model.stream_broken')
  })
})

describe('tool calls', () => {
  const asked = request([says('user', 'Weather?')], {
    tools: [{ id: 't', name: 'weather', description: '', schema: { type: 'object' } }],
    toolChoice: 'auto',
  })
  const call = (text: string) =>
    chunk({ tool_calls: [{ index: 0, id: 'c9', type: 'function', function: { name: 'weather', arguments: text } }] })

  it('are reported and not run', async () => {
    const parts = await ask(
      (response) => {
        response.writeHead(200, START)
        response.end(`${call('{"city":"Ulm"}')}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
      },
      { asked },
    )
    expect(parts).toContainEqual({ type: 'tool-call', callId: 'c9', name: 'weather', arguments: { city: 'Ulm' } })
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  it('keep their raw text when it is no JSON', async () => {
    const parts = await ask(
      (response) => {
        response.writeHead(200, START)
        response.end(`${call('{city: Ulm')}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
      },
      { asked },
    )
    expect(parts).toContainEqual({
      type: 'tool-call',
      callId: 'c9',
      name: 'weather',
      arguments: '{city: Ulm',
      raw: '{city: Ulm',
    })
  })
})

describe('learning from refusals', () => {
  it('Qwen refuses a second system message; the stricter profile is remembered and the new request passes', async () => {
    server = await startTemplateServer('qwen')
    const { client, target, events, database } = rig('openai-compatible', server.baseUrl)
    const options = { signal: new AbortController().signal, readFile: noFiles }
    const two = request([says('system', 'One.'), says('system', 'Two.'), says('user', 'Hello')])
    const first = await target('qwen3', { leadingSystems: 'many' })
    const refusal = errorOf(await collectParts(client.stream(two, first, options)))
    const learned = client.learn(first, refusal.error)
    expect(learned?.target.profile.leadingSystems).toBe('one')
    expect(listLessons(database, 'c1')).toEqual([])
    learned?.keep()
    expect(events).toEqual([{ name: 'connections.changed', payload: { ids: ['c1'] } }])
    const one = request([says('system', 'One.\n\nTwo.'), says('user', 'Hello')])
    const again = await client.target('c1/qwen3')
    expect(again.profile.leadingSystems).toBe('one')
    expect(listLessons(database, 'c1')).toHaveLength(1)
    expect(textOf(await collectParts(client.stream(one, again, options)))).toBe('Good day.')
  })

  it('learns nothing from a refusal about something else', async () => {
    server = await startServer(refuse(400, '{"error":{"message":"temperature must be 1"}}'))
    const { client, target } = rig('openai-compatible', server.baseUrl)
    const to = await target('m')
    const parts = await collectParts(
      client.stream(hello, to, { signal: new AbortController().signal, readFile: noFiles }),
    )
    expect(client.learn(to, errorOf(parts).error)).toBeUndefined()
  })
})

describe('complete', () => {
  it('returns text, usage and what was sent', async () => {
    server = await startTemplateServer('openai')
    const { client, target } = rig('openai-compatible', server.baseUrl)
    const options = { signal: new AbortController().signal, readFile: noFiles }
    const answer = await client.complete(hello, await target('m'), options)
    expect(answer.text).toBe('Good day.')
    expect(answer.usage?.inputTokens).toBe(1200)
    expect(answer.wire.body).toBe(server.requests[0]?.raw)
  })

  it('throws the error of a half answer', async () => {
    server = await startServer((response) => response.writeHead(200, START).end(chunk({ content: 'Half' })))
    const { client, target } = rig('openai-compatible', server.baseUrl)
    const options = { signal: new AbortController().signal, readFile: noFiles }
    await expect(client.complete(hello, await target('m'), options)).rejects.toMatchObject({
      code: 'model.stream_broken',
    })
  })
})
