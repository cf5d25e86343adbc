import { AppError } from '../../ipc/app-error'
import { said } from '../../ipc/said-contract'
import { withQuery } from '../request-fit'
import { checkedVector } from './check-vector'
import type { Embedder, Embedding, HalfAnswer } from './contract'

export type RemoteEmbedderKind = 'openai-compatible' | 'ollama' | 'google'

export interface RemoteEmbedderOptions {
  kind: RemoteEmbedderKind
  /** With or without a trailing slash; for OpenAI-compatible servers including `/v1`. */
  baseUrl: string
  /** Goes with every request, such as `api-version=2024-10-21`. */
  query?: string
  headers?: Readonly<Record<string, string>>
  /** Asked before every request, so that a changed key counts at once. */
  secrets?: () => Promise<{ apiKey?: string; secretHeaders?: Readonly<Record<string, string>> }>
  model: string
  fetch?: typeof fetch
  /** For one request. */
  timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 20_000
const BATCH = 32
const RECIPE = 'r1'

interface Exchange {
  url: string
  headers: Record<string, string>
  body: unknown
  /** One list of numbers a text, in order. Throws when the answer has another shape. */
  read(answer: unknown): ArrayLike<number>[]
}

/** An embedding model behind HTTP. Blank texts are never sent: they get no vector. */
export function createRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const base = options.baseUrl.replace(/\/+$/, '')
  const one = async (
    texts: readonly string[],
    purpose: 'query' | 'memory',
    signal?: AbortSignal,
  ): Promise<Float32Array[]> => {
    const exchange = exchangeFor(options, base, texts, purpose, (await options.secrets?.()) ?? {})
    const answer = await post(exchange, options, signal)
    const rows = readRows(exchange, answer, texts.length)
    // Only within one answer: a server may have another model tomorrow, and who stores vectors knows what size it holds.
    return rows.map((row) => checkedVector(row, rows[0]?.length))
  }
  return {
    space: { provider: options.kind, baseUrl: base, model: options.model, recipe: RECIPE },
    label: `${options.model} (${new URL(base).host})`,
    scripts: ['whatever the model reads'],
    async embed(texts, { purpose, signal }) {
      const wanted = texts.flatMap((text, at) => (/[\p{L}\p{N}]/u.test(text) ? [at] : []))
      const answers: Embedding[] = texts.map(() => ({ channel: 'sentence' }))
      for (let at = 0; at < wanted.length; at += BATCH) {
        const batch = wanted.slice(at, at + BATCH)
        const vectors = await one(
          batch.map((place) => texts[place] ?? ''),
          purpose,
          signal,
        )
        batch.forEach((place, index) => {
          const vector = vectors[index]
          if (vector) answers[place] = { channel: 'sentence', vector }
        })
      }
      return answers
    },
    ready: () => true,
    warm: () => undefined,
    close: async () => undefined,
  }
}

function exchangeFor(
  options: RemoteEmbedderOptions,
  base: string,
  texts: readonly string[],
  purpose: 'query' | 'memory',
  { apiKey, secretHeaders }: { apiKey?: string; secretHeaders?: Readonly<Record<string, string>> },
): Exchange {
  const { model } = options
  const headers = { 'content-type': 'application/json', ...options.headers, ...secretHeaders }
  if (options.kind === 'ollama') {
    return {
      url: `${base.replace(/\/(v1|api)$/, '')}/api/embed`,
      headers: apiKey ? { ...headers, authorization: `Bearer ${apiKey}` } : headers,
      body: { model, input: texts },
      read: (answer) => (answer as { embeddings: number[][] }).embeddings,
    }
  }
  if (options.kind === 'google') {
    const name = model.startsWith('models/') ? model : `models/${model}`
    const taskType = purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
    return {
      url: `${base}/${name}:batchEmbedContents`,
      headers: apiKey ? { ...headers, 'x-goog-api-key': apiKey } : headers,
      body: { requests: texts.map((text) => ({ model: name, taskType, content: { parts: [{ text }] } })) },
      read: (answer) => (answer as { embeddings: { values: number[] }[] }).embeddings.map((entry) => entry.values),
    }
  }
  return {
    url: `${base}/embeddings`,
    headers: apiKey ? { ...headers, authorization: `Bearer ${apiKey}` } : headers,
    body: { model, input: texts, encoding_format: 'float' },
    // The protocol allows any order; the index of each row decides.
    read: (answer) =>
      (answer as { data: { index: number; embedding: number[] }[] }).data
        .toSorted((a, b) => a.index - b.index)
        .map((row) => row.embedding),
  }
}

async function post(exchange: Exchange, options: RemoteEmbedderOptions, signal?: AbortSignal): Promise<unknown> {
  const limit = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const where = new URL(exchange.url).host
  let response: Response
  try {
    response = await (options.fetch ?? fetch)(withQuery(exchange.url, options.query ?? ''), {
      method: 'POST',
      headers: exchange.headers,
      body: JSON.stringify(exchange.body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
  } catch (error) {
    signal?.throwIfAborted()
    const why = limit.aborted ? said`did not answer in time` : said`could not be reached`
    throw new AppError(
      'embedder.unreachable',
      said`The embedding server at ${where} ${why}. Check that it runs and its address in the connection.`,
      { cause: error },
    )
  }
  if (response.ok) {
    try {
      return await response.json()
    } catch (error) {
      throw new AppError(
        'embedder.unreachable',
        said`The embedding server at ${where} answered with something that is not JSON.`,
        { cause: error },
      )
    }
  }
  await response.body?.cancel()
  throw refusal(response.status, where, options.model)
}

function refusal(status: number, where: string, model: string): AppError {
  if (status === 401 || status === 403) {
    return new AppError(
      'model.unauthorised',
      said`The embedding server at ${where} refused the key (HTTP ${status}). Check the key of the connection.`,
    )
  }
  if (status === 429)
    return new AppError(
      'model.rate_limited',
      said`The embedding server at ${where} asks to slow down (HTTP 429). It is tried again later.`,
    )
  if (status === 404)
    return new AppError(
      'embedder.unreachable',
      said`The embedding server at ${where} knows no model "${model}" (HTTP 404). Check the model's name in the memory settings.`,
    )
  if (status >= 500)
    return new AppError('embedder.unreachable', said`The embedding server at ${where} failed (HTTP ${status}).`)
  return new AppError('model.rejected', said`The embedding server at ${where} refused the request (HTTP ${status}).`)
}

/** Half a batch is no batch: a wrong count must not shift vectors to other texts. */
function readRows(exchange: Exchange, answer: unknown, expected: number): ArrayLike<number>[] {
  let rows: ArrayLike<number>[]
  try {
    rows = exchange.read(answer)
  } catch (error) {
    throw new AppError('embedder.unreachable', 'The embedding server answered in a shape that is not its protocol.', {
      cause: error,
    })
  }
  if (!Array.isArray(rows) || rows.length !== expected || rows.some((row) => !Array.isArray(row))) {
    const answered = Array.isArray(rows) ? rows.length : 0
    throw new AppError(
      'embedder.unreachable',
      said`The embedding server answered ${answered} of ${expected} texts. The batch is tried again.`,
      { details: { answered, expected } satisfies HalfAnswer },
    )
  }
  return rows
}
