import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { WireRequest } from '../turns/contract'
import { patiently } from './patient-fetch'
import { type Protocol, readableBody } from './reading/read-body'
import type { WireWatch } from './reading/wire-watch'
import { redactHeaders } from './secret-text'
import type { Silence } from './silence'

/** Thrown by the capturing fetch: the request is complete and must not leave. */
export class StoppedBeforeSending extends Error {
  constructor() {
    super('The request was built and not sent.')
    this.name = 'StoppedBeforeSending'
  }
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

/** Passes requests on, telling what left; hands answers over in the form the protocol's adapter takes. */
export function sendingFetch(options: {
  fetch: typeof fetch
  watch: WireWatch
  protocol: Protocol
  silence: Silence
  onSent: (wire: WireRequest) => void
}): typeof fetch {
  const { watch, protocol, silence } = options
  return async (input, init) => {
    const wire = toWire(input, init)
    watch.wire = wire
    options.onSent(wire)
    const signal = silence.begin(init?.signal ?? undefined)
    let response: Response
    try {
      response = await options.fetch(input, patiently({ ...init, redirect: 'manual', ...(signal ? { signal } : {}) }))
    } catch (error) {
      silence.end()
      throw watch.failure ?? error
    }
    const problem = redirectError(response, wire.url)
    if (problem) {
      silence.end()
      await response.body?.cancel()
      throw problem
    }
    if (!response.ok) {
      silence.end()
      return response
    }
    const body = readableBody(response.body ?? new Blob([]).stream(), {
      protocol,
      watch,
      onEvent: silence.heard,
      onEnd: silence.end,
      webPage: () => webPageError(wire.url),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

/** Keeps the request and stops: what previews and dry runs show is made by the same code that sends. */
export function capturingFetch(watch: WireWatch): typeof fetch {
  return async (input, init) => {
    watch.wire = toWire(input, init)
    throw new StoppedBeforeSending()
  }
}
