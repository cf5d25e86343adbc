import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { embeddingAnswer, type ScriptedEmbedding, scriptedEmbedding } from './embedding-answers'
import { type Protocol, type ScriptedAnswer, wholeAnswer, writeAnswer } from './model-answers'
import { refusal, type TemplateRule } from './template-rules'

export interface RecordedRequest {
  method: string
  path: string
  headers: Record<string, string>
  /** Parsed, or the text when it is not JSON; undefined without a body. */
  body: unknown
  protocol: Protocol
  /** True once the client hung up before the answer's end. */
  aborted: boolean
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`; OpenAI-compatible clients add `/v1`, Google's `/v1beta`, Ollama's nothing. */
  readonly url: string
  /** Requests that ask for an answer, in order; lists of models are not among them. */
  readonly requests: RecordedRequest[]
  /** Queued answers are used in order; then every question gets `otherwise`. */
  answer(...answers: ScriptedAnswer[]): void
  otherwise: ScriptedAnswer
  rule: TemplateRule
  /** Looks at each question first; what it returns is the answer, as JSON with that status. */
  refuse: ((body: Record<string, unknown>) => { status: number; body: unknown } | undefined) | undefined
  models: { id: string; contextWindow: number }[]
  /** Vectors for `/embeddings`; these requests are not among `requests`. */
  readonly embedding: ScriptedEmbedding
  /** When set, any other key is refused with 401. */
  key: string | undefined
  /** Lets answers with `holdAfter` go on. */
  release(): void
  close(): Promise<void>
}

/** A model server on loopback that says what it is told to, in four protocols, and remembers what it was asked. */
export async function startModelServer(): Promise<ModelServer> {
  const queue: ScriptedAnswer[] = []
  let opened = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await record(request)
    if (model.key !== undefined && !hasKey(asked.headers, model.key))
      return fail(response, asked.protocol, 401, 'Invalid API key')
    if (request.method === 'GET') return json(response, 200, listModels(asked, model.models))
    if (asked.path === '/api/show') return json(response, 200, showModel(asked, model.models))
    if (asked.path.endsWith('/embeddings')) return json(response, 200, embeddingAnswer(model.embedding, asked.body))
    model.requests.push(asked)
    response.on('close', () => {
      asked.aborted = !response.writableEnded
    })
    const refused = refusal(model.rule, asked.protocol, asked.body)
    if (refused) return fail(response, asked.protocol, 400, refused)
    const told = model.refuse?.(Object.fromEntries(Object.entries(asked.body ?? {})))
    if (told) return json(response, told.status, told.body)
    await respond(response, asked, queue.shift() ?? model.otherwise)
  }

  async function respond(response: ServerResponse, asked: RecordedRequest, answer: ScriptedAnswer): Promise<void> {
    if (answer.error) return failAsTold(response, asked.protocol, answer.error)
    if (!wantsStream(asked)) return json(response, 200, wholeAnswer(asked.protocol, answer))
    const { contentType, begin, pieces, end, half } = writeAnswer(asked.protocol, nameOf(asked), answer)
    response.writeHead(200, { 'Content-Type': contentType })
    for (const frame of begin) response.write(frame)
    for (const [at, piece] of pieces.entries()) {
      if (at === answer.cutAfter) return void response.destroy()
      if (at === answer.holdAfter) await opened.promise
      if (response.destroyed) return
      // a cut drops what was not handed over yet, so each piece is waited for
      await new Promise<void>((done) => response.write(piece, () => done()))
      if (answer.pauseMs) await pause(answer.pauseMs)
    }
    if (answer.cutAfter !== undefined) return void response.destroy()
    if (answer.halfLine) return void response.end(half)
    response.end(end.join(''))
  }

  const model: ModelServer = {
    url: '',
    requests: [],
    answer: (...answers) => void queue.push(...answers),
    otherwise: { text: 'Understood.' },
    rule: 'none',
    refuse: undefined,
    models: [{ id: 'test-model', contextWindow: 32_768 }],
    embedding: scriptedEmbedding(),
    key: undefined,
    release() {
      opened.resolve()
      opened = Promise.withResolvers()
    },
    async close() {
      opened.resolve()
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The model server has no address.')
  return Object.assign(model, { url: `http://127.0.0.1:${address.port}` })
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const body = text === '' ? undefined : parsed(text)
  return { method: request.method ?? 'GET', path, headers, body, protocol: protocolOf(path, headers), aborted: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function protocolOf(path: string, headers: Record<string, string>): Protocol {
  if (path.startsWith('/api/')) return 'ollama'
  if (path.startsWith('/v1beta/')) return 'google'
  return headers['anthropic-version'] || path.endsWith('/messages') ? 'anthropic' : 'openai'
}

function hasKey(headers: Record<string, string>, key: string): boolean {
  return [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']].some(
    (given) => given === key || given === `Bearer ${key}`,
  )
}

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Object.entries(body).find(([key]) => key === name)?.[1] : undefined
}

/** Google says in the path whether it streams, Ollama streams unless told not to, the others say so. */
function wantsStream({ protocol, path, body }: RecordedRequest): boolean {
  if (protocol === 'google') return path.includes('streamGenerateContent')
  return protocol === 'ollama' ? field(body, 'stream') !== false : field(body, 'stream') === true
}

function nameOf({ body }: RecordedRequest): string {
  return String(field(body, 'model') ?? 'test-model')
}

function listModels({ protocol }: RecordedRequest, models: ModelServer['models']): unknown {
  switch (protocol) {
    case 'openai':
      return {
        object: 'list',
        data: models.map(({ id, contextWindow }) => ({ id, object: 'model', context_length: contextWindow })),
      }
    case 'anthropic':
      return { data: models.map(({ id }) => ({ id, type: 'model', display_name: id })), has_more: false }
    case 'google':
      return {
        models: models.map(({ id, contextWindow }) => ({
          name: `models/${id}`,
          inputTokenLimit: contextWindow,
          supportedGenerationMethods: ['generateContent'],
        })),
      }
    case 'ollama':
      return { models: models.map(({ id }) => ({ name: id, model: id })) }
  }
}

function showModel(asked: RecordedRequest, models: ModelServer['models']): unknown {
  const found = models.find(({ id }) => id === nameOf(asked))
  return { model_info: { 'test.context_length': found?.contextWindow ?? 8192 }, capabilities: ['completion', 'tools'] }
}

function failAsTold(response: ServerResponse, protocol: Protocol, error: NonNullable<ScriptedAnswer['error']>): void {
  for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value)
  if (error.html === undefined) {
    fail(response, protocol, error.status, error.message ?? 'It failed.')
  } else {
    response.writeHead(error.status, { 'Content-Type': 'text/html' })
    response.end(error.html)
  }
}

function fail(response: ServerResponse, protocol: Protocol, status: number, message: string): void {
  const errors: Record<Protocol, unknown> = {
    openai: { error: { message, type: 'invalid_request_error', code: null, param: null } },
    anthropic: { type: 'error', error: { type: 'invalid_request_error', message } },
    google: { error: { code: status, message, status: 'INVALID_ARGUMENT' } },
    ollama: { error: message },
  }
  json(response, status, errors[protocol])
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(value))
}
