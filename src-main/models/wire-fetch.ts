import { z } from 'zod'
import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { WireRequest } from '../turns/contract'
import { redactHeaders } from './secret-text'

/** Thrown by the capturing fetch: the request is complete and must not leave. */
export class StoppedBeforeSending extends Error {
  constructor() {
    super('The request was built and not sent.')
    this.name = 'StoppedBeforeSending'
  }
}

const TAIL_CHARACTERS = 256

/** What the transport saw, beside what the protocol adapter reads. */
export interface WireWatch {
  wire?: WireRequest
  /** The end of the answer's raw text, to tell a finished stream from a cut one. */
  tail: string
}

type FetchInput = Parameters<typeof fetch>[0]

function toWire(input: FetchInput, init: RequestInit | undefined): WireRequest {
  const url = input instanceof Request ? input.url : String(input)
  if (init?.body !== undefined && typeof init.body !== 'string') throw new TypeError('A model request body is text.')
  return {
    method: init?.method ?? 'GET',
    url,
    headers: redactHeaders(new Headers(init?.headers)),
    body: init?.body ?? '',
  }
}

/** A web page where an API answer should be: the address is wrong, or a proxy or login page stands in between. */
function webPageError(url: string): AppError {
  return new AppError(
    'model.rejected',
    said`${new URL(url).origin} answered with a web page instead of a model's answer. Check the address in Settings: it often ends in /v1.`,
  )
}

function watchTail(body: ReadableStream<Uint8Array>, watch: WireWatch): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder()
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const text = decoder.decode(chunk.subarray(-TAIL_CHARACTERS))
        watch.tail = (watch.tail + text).slice(-TAIL_CHARACTERS)
        controller.enqueue(chunk)
      },
    }),
  )
}

/** A redirect would carry the key to an address nobody entered, and turns a POST into a GET. */
export function redirectError(response: Response, url: string): AppError | undefined {
  if (response.status < 300 || response.status > 399) return undefined
  const to = response.headers.get('location')
  const target = to !== null && URL.canParse(to, url) ? new URL(to, url).origin : undefined
  return new AppError(
    'model.rejected',
    said`${new URL(url).origin} passes requests on to ${target ?? 'another address'}. Enter the address it leads to in Settings.`,
  )
}

const wholeAnswer = z.object({
  choices: z
    .array(
      z.object({
        message: z.looseObject({ tool_calls: z.array(z.looseObject({})).nullish() }),
        finish_reason: z.unknown(),
      }),
    )
    .min(1),
  usage: z.unknown(),
})

/** A server that ignored `stream` answers in one piece: the same answer as a stream of one chunk. */
function asStream(text: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const answer = wholeAnswer.safeParse(value).data
  const choice = answer?.choices[0]
  if (!answer || !choice) return undefined
  const { tool_calls: calls, ...message } = choice.message
  const delta = { ...message, ...(calls ? { tool_calls: calls.map((call, index) => ({ index, ...call })) } : {}) }
  const chunk = { choices: [{ index: 0, delta, finish_reason: choice.finish_reason ?? 'stop' }], usage: answer.usage }
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`
}

/** JSON where a stream was asked for: an answer in one piece, or an error under status 200. */
async function readWhole(response: Response, wire: WireRequest): Promise<Response> {
  const text = await response.text()
  const stream = wire.url.endsWith('/chat/completions') ? asStream(text) : undefined
  if (stream !== undefined) return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  return new Response(text, { status: 400, headers: { 'content-type': 'application/json' } })
}

/** Passes requests on, telling what left; refuses web pages and redirects in place of answers. */
export function sendingFetch(options: {
  fetch: typeof fetch
  watch: WireWatch
  onSent: (wire: WireRequest) => void
}): typeof fetch {
  const watched = (response: Response) =>
    response.ok && response.body ? new Response(watchTail(response.body, options.watch), response) : response
  return async (input, init) => {
    const wire = toWire(input, init)
    options.watch.wire = wire
    options.onSent(wire)
    const response = await options.fetch(input, { ...init, redirect: 'manual' })
    const type = response.headers.get('content-type') ?? ''
    const problem =
      redirectError(response, wire.url) ??
      (response.ok && /text\/html/i.test(type) ? webPageError(wire.url) : undefined)
    if (problem) {
      await response.body?.cancel()
      throw problem
    }
    if (!response.ok || response.body === null) return response
    if (/application\/json/i.test(type) && !wire.url.endsWith('/api/chat'))
      return watched(await readWhole(response, wire))
    return watched(response)
  }
}

/** Keeps the request and stops: what previews and dry runs show is made by the same code that sends. */
export function capturingFetch(watch: WireWatch): typeof fetch {
  return async (input, init) => {
    watch.wire = toWire(input, init)
    throw new StoppedBeforeSending()
  }
}
