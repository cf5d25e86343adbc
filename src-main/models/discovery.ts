import { APICallError } from 'ai'
import PQueue from 'p-queue'
import { AppError, saidBy } from '../ipc/app-error'
import { asMessage, type Sentence, said } from '../ipc/said-contract'
import { baseUrlOf, deploymentOf, isLocalAddress, queryOf } from './base-url'
import { secretsOf } from './client'
import type { ModelTarget } from './client-types'
import type { ConnectionTest } from './contract'
import { type FailureSubject, modelFailure } from './model-errors'
import {
  nextPageOf,
  readAnthropicList,
  readGoogleList,
  readLlamaProps,
  readOllamaLoaded,
  readOllamaShow,
  readOllamaTags,
  readOpenAiList,
} from './model-listing'
import { withQuery } from './request-fit'
import type { ListedModel } from './stored-model'
import { redirectError } from './wire-fetch'

/** The part of a target that listing needs; a draft has no model yet. */
export type Endpoint = Pick<ModelTarget, 'connection' | 'apiKey' | 'secretHeaders'>

const LIST_TIMEOUT_MS = 15_000
const EXTRA_TIMEOUT_MS = 3000
const MOST_BYTES = 20_000_000
const PARALLEL_SHOWS = 4
const MOST_PAGES = 20

interface Asking {
  endpoint: Endpoint
  fetch: typeof fetch
  timeoutMs?: number
}

function headersOf(endpoint: Endpoint): Record<string, string> {
  const { connection, apiKey } = endpoint
  const own = { ...connection.headers, ...endpoint.secretHeaders }
  if (connection.kind === 'anthropic') {
    return { 'anthropic-version': '2023-06-01', ...(apiKey ? { 'x-api-key': apiKey } : {}), ...own }
  }
  if (connection.kind === 'google') return { ...(apiKey ? { 'x-goog-api-key': apiKey } : {}), ...own }
  return { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...own }
}

async function readLimited(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? 0)
  if (length > MOST_BYTES) throw new Error('The answer is too large for a list of models.')
  return response.text()
}

/** GET, or POST when there is a body. Throws what `modelFailure` understands. */
async function askJson(asking: Asking, url: string, body?: unknown): Promise<unknown> {
  const response = await asking.fetch(withQuery(url, queryOf(asking.endpoint.connection)), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headersOf(asking.endpoint),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(asking.timeoutMs ?? LIST_TIMEOUT_MS),
    redirect: 'manual',
  })
  const moved = redirectError(response, url)
  if (moved) throw moved
  const text = await readLimited(response)
  if (!response.ok) {
    throw new APICallError({
      message: response.statusText,
      url,
      requestBodyValues: {},
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: text,
    })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('model.rejected', notAListWords(asking.endpoint), { cause: error })
  }
}

function notAListWords(endpoint: Endpoint): Sentence {
  const url = baseUrlOf(endpoint.connection)
  const hint =
    endpoint.connection.kind === 'openai-compatible' && !/\/v\d\w*$/.test(url)
      ? said` Try ${url}/v1 .`
      : said` Check the address and the kind of connection.`
  return said`Something answers at ${url}, but it is not a model server of this kind.${hint}`
}

/** Extras a server may or may not have: no answer is an answer. */
async function askMaybe(asking: Asking, url: string): Promise<unknown> {
  try {
    return await askJson({ ...asking, timeoutMs: EXTRA_TIMEOUT_MS }, url)
  } catch {
    return undefined
  }
}

async function listOllama(asking: Asking): Promise<ListedModel[] | undefined> {
  const base = baseUrlOf(asking.endpoint.connection)
  const [tags, running] = await Promise.all([askJson(asking, `${base}/api/tags`), askMaybe(asking, `${base}/api/ps`)])
  const names = readOllamaTags(tags)
  if (!names) return undefined
  const loaded = readOllamaLoaded(running)
  const queue = new PQueue({ concurrency: PARALLEL_SHOWS })
  const listed = await Promise.all(
    names.map((name) =>
      queue.add(async () => {
        try {
          return readOllamaShow(name, await askJson(asking, `${base}/api/show`, { model: name }), loaded.get(name))
        } catch {
          // the list is still good when one model's details are not
          return readOllamaShow(name, {}, loaded.get(name))
        }
      }),
    ),
  )
  return listed.filter((model) => model !== undefined)
}

/** Servers on this machine tell their real window outside the common protocol. */
async function withLocalFacts(asking: Asking, models: ListedModel[]): Promise<ListedModel[]> {
  const base = baseUrlOf(asking.endpoint.connection)
  if (!isLocalAddress(base) || models.length === 0 || models.every((model) => model.contextWindow)) return models
  const { origin } = new URL(base)
  const [studio, llama] = await Promise.all([
    askMaybe(asking, `${origin}/api/v0/models`),
    askMaybe(asking, `${origin}/props`),
  ])
  const byName = new Map((readOpenAiList(studio) ?? []).map((model) => [model.name, model]))
  const props = readLlamaProps(llama)
  return models.map((model) => ({ ...model, ...props, ...byName.get(model.name) }))
}

/** A list that may come in pages. A later page that cannot be read ends it: the first ones are still good. */
async function listPages(
  asking: Asking,
  list: { url: string; next: string; read: (value: unknown) => ListedModel[] | undefined },
): Promise<ListedModel[] | undefined> {
  let answer = await askJson(asking, list.url)
  const models = list.read(answer)
  for (let page = 1; models && page < MOST_PAGES; page += 1) {
    const token = nextPageOf(answer)
    if (token === undefined) break
    answer = await askMaybe(asking, `${list.url}&${list.next}=${encodeURIComponent(token)}`)
    models.push(...(list.read(answer) ?? []))
  }
  return models
}

async function listPlain(asking: Asking): Promise<ListedModel[] | undefined> {
  const base = baseUrlOf(asking.endpoint.connection)
  switch (asking.endpoint.connection.kind) {
    case 'dry-run':
      return [{ name: 'dry-run', contextWindow: 128_000, maxOutputTokens: 16_384, capabilities: DRY_RUN_CAN }]
    case 'ollama':
      return listOllama(asking)
    case 'anthropic':
      return listPages(asking, { url: `${base}/models?limit=1000`, next: 'after_id', read: readAnthropicList })
    case 'google':
      return listPages(asking, { url: `${base}/models?pageSize=1000`, next: 'pageToken', read: readGoogleList })
    case 'openai':
    case 'openai-compatible': {
      const deployment = deploymentOf(base)
      if (deployment) {
        // asked only to see that key and address are right
        await askJson(asking, deployment.listUrl)
        return [{ name: deployment.name }]
      }
      const models = readOpenAiList(await askJson(asking, `${base}/models`))
      return models && (await withLocalFacts(asking, models))
    }
  }
}

const DRY_RUN_CAN = { tools: true, vision: true, pdf: true }

/** What the server lists, chat models only, with the limits it tells. Throws an `AppError`. */
export async function listServerModels(asking: Asking): Promise<ListedModel[]> {
  const subject: FailureSubject = {
    connection: asking.endpoint.connection.name,
    model: 'the list of models',
    listing: true,
    kind: asking.endpoint.connection.kind,
    baseUrl: baseUrlOf(asking.endpoint.connection),
    secrets: secretsOf(asking.endpoint),
  }
  try {
    const models = await listPlain(asking)
    if (models) return models
  } catch (error) {
    throw modelFailure(error, { subject, started: false }).error
  }
  throw new AppError('model.rejected', notAListWords(asking.endpoint))
}

/** A better base URL for a compatible server that answers 404: the same one with /v1. */
async function hintFor(asking: Asking, error: AppError): Promise<Sentence | undefined> {
  const { connection } = asking.endpoint
  const base = baseUrlOf(connection)
  if (connection.kind !== 'openai-compatible' || error.code !== 'model.rejected' || /\/v1$/.test(base)) return undefined
  const found = readOpenAiList(await askMaybe(asking, `${base}/v1/models`))
  return found ? said`The server answers under ${base}/v1 : enter that as the address.` : undefined
}

/** Lists models, which also proves key and address. Never throws for a server's fault. `now`: milliseconds. */
export async function testConnection(
  asking: Asking,
  now: () => number,
): Promise<{ test: ConnectionTest; listed?: ListedModel[] }> {
  const from = now()
  try {
    const listed = await listServerModels(asking)
    const latencyMs = Math.round(now() - from)
    const models = listed.map((model) => ({
      id: `${asking.endpoint.connection.id}/${model.name}`,
      name: model.name,
      ...(model.contextWindow === undefined ? {} : { contextWindow: model.contextWindow }),
      ...(model.maxOutputTokens === undefined ? {} : { maxOutputTokens: model.maxOutputTokens }),
    }))
    const message =
      models.length === 0 ? { message: 'The server answers, but lists no chat model. Load or pull one there.' } : {}
    return { test: { ok: true, models, latencyMs, ...message }, listed }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const latencyMs = Math.round(now() - from)
    const hint = await hintFor(asking, error)
    return { test: { ok: false, models: [], latencyMs, ...asMessage(hint ?? saidBy(error)), code: error.code } }
  }
}
