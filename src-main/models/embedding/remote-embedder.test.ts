import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../ipc/app-error'
import { createRemoteEmbedder, type RemoteEmbedderOptions } from './remote-embedder'

interface Seen {
  url: string
  headers: IncomingMessage['headers']
  body: { input?: string[]; requests?: unknown[] }
}

async function serverWith(
  answer: (seen: Seen, response: ServerResponse) => void,
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const entry = { url: request.url ?? '', headers: request.headers, body: JSON.parse(text) as Seen['body'] }
      seen.push(entry)
      answer(entry, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const embedder = (url: string, more: Partial<RemoteEmbedderOptions> = {}) =>
  createRemoteEmbedder({ kind: 'openai-compatible', baseUrl: `${url}/v1/`, model: 'm', ...more })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

test('OpenAI-compatible: any order of rows, the key, unit vectors, and blank texts never sent', async () => {
  const { url, seen } = await serverWith((_, response) =>
    json(response, {
      data: [
        { index: 1, embedding: [0, 2] },
        { index: 0, embedding: [3, 4] },
      ],
    }),
  )
  const answers = await embedder(url, { secrets: async () => ({ apiKey: 'k-1' }) }).embed(['a', ' 🙂 ', 'b'], {
    purpose: 'memory',
  })
  expect(seen).toMatchObject([
    { url: '/v1/embeddings', body: { input: ['a', 'b'] }, headers: { authorization: 'Bearer k-1' } },
  ])
  expect(answers.map((answer) => answer.vector && [...answer.vector].map((value) => value.toFixed(1)))).toEqual([
    ['0.6', '0.8'],
    undefined,
    ['0.0', '1.0'],
  ])
})

test('Ollama and Google speak their own protocols', async () => {
  const ollama = await serverWith((_, response) => json(response, { embeddings: [[1, 0]] }))
  await embedder(ollama.url, { kind: 'ollama' }).embed(['a'], { purpose: 'query' })
  expect(ollama.seen[0]?.url).toBe('/api/embed')
  const google = await serverWith((_, response) => json(response, { embeddings: [{ values: [1, 0] }] }))
  await embedder(google.url, { kind: 'google', secrets: async () => ({ apiKey: 'g' }) }).embed(['a'], {
    purpose: 'query',
  })
  expect(google.seen[0]).toMatchObject({
    url: '/v1/models/m:batchEmbedContents',
    headers: { 'x-goog-api-key': 'g' },
    body: { requests: [{ taskType: 'RETRIEVAL_QUERY' }] },
  })
})

test.each([
  [401, 'model.unauthorised'],
  [404, 'embedder.unreachable'],
  [413, 'model.rejected'],
  [429, 'model.rate_limited'],
  [503, 'embedder.unreachable'],
])('HTTP %i is %s', async (status, code) => {
  const { url } = await serverWith((_, response) => json(response, { error: 'no' }, status))
  expect(await codeOf(embedder(url).embed(['a'], { purpose: 'query' }))).toBe(code)
})

test.each([
  ['half a batch', { data: [{ index: 0, embedding: [1, 0] }] }, 'embedder.unreachable'],
  ['another shape', { vectors: [] }, 'embedder.unreachable'],
  [
    'a vector of zeros',
    {
      data: [
        { index: 0, embedding: [0, 0] },
        { index: 1, embedding: [1, 0] },
      ],
    },
    'embedder.dimension',
  ],
  [
    'mixed lengths',
    {
      data: [
        { index: 0, embedding: [1, 0] },
        { index: 1, embedding: [1, 0, 0] },
      ],
    },
    'embedder.dimension',
  ],
  [
    'no numbers',
    {
      data: [
        { index: 0, embedding: [1, null] },
        { index: 1, embedding: ['x', 0] },
      ],
    },
    'embedder.dimension',
  ],
])('%s is refused as a whole', async (_, answer, code) => {
  const { url } = await serverWith((__, response) => json(response, answer))
  expect(await codeOf(embedder(url).embed(['a', 'b'], { purpose: 'memory' }))).toBe(code)
})

test('another size from one answer to the next is passed on: who keeps vectors knows what it holds', async () => {
  let size = 2
  const { url } = await serverWith((_, response) =>
    json(response, { data: [{ index: 0, embedding: new Array(size).fill(1) }] }),
  )
  const one = embedder(url)
  const sizeNow = async () => (await one.embed(['a'], { purpose: 'query' }))[0]?.vector?.length
  expect(await sizeNow()).toBe(2)
  size = 3
  expect(await sizeNow()).toBe(3)
})

test('a server that is down, or silent, is unreachable', async () => {
  expect(await codeOf(embedder('http://127.0.0.1:9').embed(['a'], { purpose: 'query' }))).toBe('embedder.unreachable')
  const silent = await serverWith(() => undefined)
  expect(await codeOf(embedder(silent.url, { timeoutMs: 50 }).embed(['a'], { purpose: 'query' }))).toBe(
    'embedder.unreachable',
  )
})
