import { AppError } from '../ipc/app-error'
import type { WireRequest } from '../turns/contract'
import { redactHeaders, scrub } from './secret-text'

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
    `${new URL(url).origin} answered with a web page instead of a model's answer. Check the base URL in Settings: it often ends in /v1.`,
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

/** Passes requests on, telling what left; refuses web pages in place of answers. */
export function sendingFetch(options: {
  fetch: typeof fetch
  watch: WireWatch
  secrets: readonly string[]
  onSent: (wire: WireRequest) => void
}): typeof fetch {
  return async (input, init) => {
    const wire = toWire(input, init)
    options.watch.wire = wire
    options.onSent(wire)
    const response = await options.fetch(input, init)
    if (response.ok && /text\/html/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel()
      throw webPageError(scrub(wire.url, options.secrets))
    }
    if (!response.ok || response.body === null) return response
    return new Response(watchTail(response.body, options.watch), response)
  }
}

/** Keeps the request and stops: what previews and dry runs show is made by the same code that sends. */
export function capturingFetch(watch: WireWatch): typeof fetch {
  return async (input, init) => {
    watch.wire = toWire(input, init)
    throw new StoppedBeforeSending()
  }
}
