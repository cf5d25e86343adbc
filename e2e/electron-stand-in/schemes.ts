import { app } from './electron-app.ts'

type SchemeHandler = (request: Request) => Response | Promise<Response>

const handlers = new Map<string, SchemeHandler>()

/** A page of `app://host/x` travels as `https://host.app.stand-in.invalid/x`, which no resolver can answer. */
const SUFFIX = 'stand-in.invalid'
export const WIRE_PATTERN = `https://*.${SUFFIX}/*`

export const protocol = {
  registerSchemesAsPrivileged() {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
  },
  handle: (scheme: string, handler: SchemeHandler) => void handlers.set(scheme, handler),
  unhandle: (scheme: string) => void handlers.delete(scheme),
  isProtocolHandled: (scheme: string) => handlers.has(scheme),
}

export function hasSchemes(): boolean {
  return handlers.size > 0
}

export function toWire(url: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/.exec(url) ?? []
  return handlers.has(scheme) ? `https://${host}.${scheme}.${SUFFIX}${rest || '/'}` : url
}

export function fromWire(url: string): string {
  return url.replace(/^https:\/\/([^/]*?)\.([a-z0-9+-]+)\.stand-in\.invalid/, '$2://$1')
}

export interface WireRequest {
  url: string
  method: string
  headers: Record<string, string>
  postData?: string
}

/** Asks the handler of the request's scheme, with the URL it would see in Electron. */
export async function answerScheme({ url, method, headers, postData }: WireRequest): Promise<Response> {
  const real = fromWire(url)
  const handler = handlers.get(real.slice(0, real.indexOf(':')))
  if (!handler) throw new Error(`No handler for ${real}`)
  return handler(new Request(real, { method, headers, ...(postData === undefined ? {} : { body: postData }) }))
}
