import { afterEach, describe, expect, it, vi } from 'vitest'
import { testKeyCipher } from '../testing/key-ciphers'
import { collectParts, memoryDatabase, NOW, noFiles, request, rig, says, textOf } from '../testing/model-client-rig'
import { startServer, type TemplateServer } from '../testing/template-servers'
import { createModelClient } from './client'
import { patientDispatcher } from './patient-fetch'
import { saveConnection } from './repository'
import { silenceLimit } from './silence'

let server: TemplateServer | undefined
afterEach(async () => {
  vi.useRealTimers()
  await server?.close()
  server = undefined
})

const hello = request([says('user', 'Hello')])
const START = { 'content-type': 'text/event-stream' }
const piece = 'data: {"choices":[{"delta":{"content":"Half"}}]}\n\n'

function limited(seconds: number, baseUrl: string) {
  const database = memoryDatabase()
  saveConnection(database, {
    id: 'c1',
    name: 'Slow',
    kind: 'openai-compatible',
    baseUrl,
    headers: {},
    override: {},
    learned: { profile: {} },
    createdAt: NOW,
  })
  return createModelClient({
    database,
    keyCipher: testKeyCipher(),
    ids: () => 'id',
    now: () => NOW,
    emit: () => undefined,
    silenceSeconds: () => seconds,
  })
}

describe('the person’s limit of silence', () => {
  it.each([
    ['before the header', (): void => undefined, ''],
    ['in mid-answer', (response: { write(text: string): unknown }) => void response.write(piece), 'Half'],
  ])('%s: comments keep nothing alive, what arrived is kept, and the message says so', async (_when, begin, kept) => {
    server = await startServer((response) => {
      if (kept !== '') response.writeHead(200, START)
      begin(response)
      const alive = setInterval(() => kept !== '' && response.write(': alive\n\n'), 100)
      response.on('close', () => clearInterval(alive))
    })
    const client = limited(1, server.baseUrl)
    const target = await client.target('c1/m')
    const parts = await collectParts(
      client.stream(hello, target, { signal: new AbortController().signal, readFile: noFiles }),
    )
    expect(textOf(parts)).toBe(kept)
    expect(parts.at(-1)).toMatchObject({
      type: 'error',
      retryable: true,
      error: { code: 'model.stream_broken', message: expect.stringContaining('said nothing for 1 s') },
    })
  })

  it('counts from the last piece, and not after the end', () => {
    vi.useFakeTimers()
    const onLimit = vi.fn()
    const silence = silenceLimit(60, onLimit)
    const signal = silence.begin(undefined)
    vi.advanceTimersByTime(59_000)
    silence.heard()
    vi.advanceTimersByTime(59_000)
    expect([onLimit.mock.calls.length, signal?.aborted]).toEqual([0, false])
    vi.advanceTimersByTime(2000)
    expect([onLimit.mock.calls.length, signal?.aborted]).toEqual([1, true])
    const ended = silenceLimit(60, onLimit)
    ended.begin(undefined)
    ended.end()
    vi.advanceTimersByTime(100_000)
    expect(onLimit).toHaveBeenCalledOnce()
  })

  it('none is the default: nothing is timed', () => {
    vi.useFakeTimers()
    const own = new AbortController().signal
    expect(silenceLimit(0, () => undefined).begin(own)).toBe(own)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('Node’s own limits', () => {
  it('are lifted for requests to models, by a dispatcher of the kind in force', async () => {
    let given: RequestInit | undefined
    server = await startServer((response) => response.writeHead(200, START).end(`${piece}data: [DONE]\n\n`))
    const { client, target } = rig('openai-compatible', server.baseUrl, (input, init) => {
      given = init
      return fetch(input, init)
    })
    const parts = await collectParts(
      client.stream(hello, await target('m'), { signal: new AbortController().signal, readFile: noFiles }),
    )
    expect(textOf(parts)).toBe('Half')
    const dispatcher = patientDispatcher()
    expect(dispatcher).toBeDefined()
    expect(given?.dispatcher).toBe(dispatcher)
    // what the class keeps of its options: zero is no limit
    const options = Object.getOwnPropertySymbols(dispatcher).map((name): unknown => Reflect.get(dispatcher ?? {}, name))
    expect(options).toContainEqual(expect.objectContaining({ headersTimeout: 0, bodyTimeout: 0 }))
  })
})
