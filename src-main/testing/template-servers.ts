import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The rules of servers and chat templates about who may speak when; each is enforced with that server's own words. */
export const TEMPLATES = [
  'openai',
  'qwen',
  'mistral',
  'gemma',
  'anthropic',
  'anthropic-old',
  'google',
  'ollama',
] as const
export type Template = (typeof TEMPLATES)[number]

export interface SeenRequest {
  method: string
  path: string
  headers: Record<string, string>
  /** The body exactly as it arrived. */
  raw: string
}

export interface TemplateServer {
  /** Origin, such as `http://127.0.0.1:1234`. */
  origin: string
  /** What to enter as base URL for this server's kind. */
  baseUrl: string
  requests: SeenRequest[]
  close(): Promise<void>
}

interface Turn {
  role: string
  content?: unknown
  tool_calls?: unknown
}

/** Words of the refusal, or undefined when the rules hold. */
type Rule = (turns: readonly Turn[]) => string | undefined

function systemOnlyFirst(turns: readonly Turn[]): string | undefined {
  return turns.slice(1).some((turn) => turn.role === 'system') ? 'System message must be at the beginning.' : undefined
}

/** Tool calls and their results belong to the assistant's turn. */
function strictTurns(turns: readonly Turn[]): boolean {
  const spoken = turns.filter((turn) => turn.role !== 'tool' && !(turn.role === 'assistant' && turn.tool_calls))
  return spoken.every((turn, at) => turn.role === (at % 2 === 0 ? 'user' : 'assistant'))
}

function mistralRule(turns: readonly Turn[]): string | undefined {
  const rest = turns[0]?.role === 'system' ? turns.slice(1) : turns
  if (strictTurns(rest)) return undefined
  return 'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...'
}

function gemmaRule(turns: readonly Turn[]): string | undefined {
  if (turns.some((turn) => turn.role === 'system')) return 'System role not supported'
  return strictTurns(turns) ? undefined : 'Conversation roles must alternate user/assistant/user/assistant/...'
}

function isEmptyBlock(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'text' in block && block.text === ''
}

function anthropicRule(capable: boolean): Rule {
  return (turns) => {
    for (const [at, turn] of turns.entries()) {
      if (Array.isArray(turn.content) && turn.content.some(isEmptyBlock)) {
        return `messages.${at}: text content blocks must be non-empty`
      }
      if (turn.role !== 'system') continue
      if (!capable) return "role 'system' is not supported on this model"
      const before = turns[at - 1]?.role
      const after = turns[at + 1]?.role
      if (before !== 'user') return `messages.${at}: a system message must directly follow a user message`
      if (after !== undefined && after !== 'assistant') {
        return `messages.${at}: a system message must be last or be followed by an assistant message`
      }
    }
    return turns[0]?.role === 'user' ? undefined : 'messages: first message must use the "user" role'
  }
}

const RULES: Record<Template, Rule> = {
  openai: () => undefined,
  qwen: systemOnlyFirst,
  mistral: mistralRule,
  gemma: gemmaRule,
  anthropic: anthropicRule(true),
  'anthropic-old': anthropicRule(false),
  google: (turns) =>
    turns.every((turn) => turn.role === 'user' || turn.role === 'model')
      ? undefined
      : 'Please use a valid role: user, model.',
  ollama: systemOnlyFirst,
}

function sse(response: ServerResponse, events: readonly unknown[], named = false): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const name = named && typeof event === 'object' && event !== null && 'type' in event ? `event: ${event.type}\n` : ''
    response.write(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  }
  response.end()
}

function answerOpenAi(response: ServerResponse, body: Record<string, unknown>): void {
  const chunk = (delta: unknown, finish: string | null) => ({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: body.model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const usage = {
    prompt_tokens: 1200,
    completion_tokens: 30,
    total_tokens: 1230,
    prompt_tokens_details: { cached_tokens: 1024 },
    completion_tokens_details: { reasoning_tokens: 7 },
  }
  const options = body.stream_options
  const wantsUsage = typeof options === 'object' && options !== null && 'include_usage' in options
  sse(response, [
    chunk({ role: 'assistant', reasoning_content: 'Hm.' }, null),
    chunk({ content: 'Good ' }, null),
    chunk({ content: 'day.' }, null),
    chunk({}, 'stop'),
    ...(wantsUsage ? [{ ...chunk({}, null), choices: [], usage }] : []),
    '[DONE]',
  ])
}

function answerAnthropic(response: ServerResponse, body: Record<string, unknown>): void {
  const usage = { input_tokens: 100, cache_read_input_tokens: 1000, cache_creation_input_tokens: 100, output_tokens: 1 }
  const message = { id: 'm1', type: 'message', role: 'assistant', model: body.model, content: [], usage }
  sse(
    response,
    [
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig-1' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Good day.' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 30 } },
      { type: 'message_stop' },
    ],
    true,
  )
}

function answerGoogle(response: ServerResponse): void {
  const part = (text: string, rest: object) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...rest }],
  })
  const usageMetadata = {
    promptTokenCount: 1200,
    cachedContentTokenCount: 1024,
    candidatesTokenCount: 23,
    thoughtsTokenCount: 7,
    totalTokenCount: 1230,
  }
  sse(response, [part('Good ', {}), { ...part('day.', { finishReason: 'STOP' }), usageMetadata }])
}

function answerOllama(response: ServerResponse, body: Record<string, unknown>): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const line = (fields: object) => response.write(`${JSON.stringify({ model: body.model, ...fields })}\n`)
  line({ message: { role: 'assistant', content: '', thinking: 'Hm.' }, done: false })
  line({ message: { role: 'assistant', content: 'Good day.' }, done: false })
  line({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 1200,
    eval_count: 30,
  })
  response.end()
}

function turnsOf(template: Template, body: Record<string, unknown>): Turn[] {
  const list = template === 'google' ? body.contents : body.messages
  return Array.isArray(list) ? list : []
}

function refuse(response: ServerResponse, template: Template, words: string): void {
  const shape =
    template === 'ollama'
      ? { error: words }
      : template.startsWith('anthropic')
        ? { type: 'error', error: { type: 'invalid_request_error', message: words } }
        : { error: { message: words, code: 400, status: 'INVALID_ARGUMENT' } }
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(shape))
}

function answer(template: Template, response: ServerResponse, body: Record<string, unknown>): void {
  const words = RULES[template](turnsOf(template, body))
  if (words !== undefined) refuse(response, template, words)
  else if (template.startsWith('anthropic')) answerAnthropic(response, body)
  else if (template === 'google') answerGoogle(response)
  else if (template === 'ollama') answerOllama(response, body)
  else answerOpenAi(response, body)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString('utf8')
}

const BASE_PATH: Record<Template, string> = {
  openai: '/v1',
  qwen: '/v1',
  mistral: '/v1',
  gemma: '/v1',
  anthropic: '/v1',
  'anthropic-old': '/v1',
  google: '/v1beta',
  ollama: '',
}

export type Reply = (response: ServerResponse, request: SeenRequest) => void

/** A server on loopback that keeps what arrives and answers with `reply`. */
export async function startServer(reply: Reply, basePath = '/v1'): Promise<TemplateServer> {
  const requests: SeenRequest[] = []
  const server = createServer((request, response) => {
    readBody(request).then((raw) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const seen = { method: request.method ?? '', path: request.url ?? '', headers, raw }
      requests.push(seen)
      reply(response, seen)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    baseUrl: `${origin}${basePath}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A model server that enforces one template's rules and answers "Good day." with usage figures. */
export function startTemplateServer(template: Template): Promise<TemplateServer> {
  return startServer((response, seen) => {
    if (seen.method !== 'POST') {
      response.writeHead(404).end()
      return
    }
    answer(template, response, JSON.parse(seen.raw))
  }, BASE_PATH[template])
}
