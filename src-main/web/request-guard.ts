import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
export const MIN_REMOTE_TOKEN = 24

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Compares digests, so neither content nor length shows in the time taken. */
export function hasToken(headers: IncomingHttpHeaders, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (given === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

/**
 * The names this server answers to. A page of another site that made its own name point here (DNS rebinding) sends
 * that name as Host, and is refused. A remote server also answers to the machine's own names and addresses.
 */
export function knownHosts(boundHost: string, port: number, extra: readonly string[] = []): ReadonlySet<string> {
  const names = new Set([...LOOPBACK, bracketed(boundHost)])
  if (!isLoopback(boundHost)) {
    names.add(hostname().toLowerCase())
    names.add(`${hostname().toLowerCase()}.local`)
    for (const card of Object.values(networkInterfaces())) {
      for (const address of card ?? []) names.add(bracketed(address.address))
    }
  }
  const own = [...names].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  return new Set([...own, ...extra.map((name) => name.toLowerCase())])
}

/** Who is asked and by whom: said twice, two readers may believe two different things. */
const SAID_ONCE = ['host', 'origin', 'authorization', 'sec-fetch-site', 'content-length', 'transfer-encoding']

/** Node keeps one of several headers, or joins them: only the raw list shows that there were two. */
export function saysTwice(rawHeaders: readonly string[]): boolean {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase())
  return SAID_ONCE.some((once) => names.filter((name) => name === once).length > 1)
}

/**
 * The path and query asked for. A request may name the whole address instead, and then that is who it asks: another
 * host than the header's gets nothing. Undefined for what is neither.
 */
export function targetOf(url: string, headers: IncomingHttpHeaders): string | undefined {
  if (url.startsWith('/')) return url
  const whole = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url)
  if (!whole) return undefined
  const [, host = '', rest = ''] = whole
  if (host.toLowerCase() !== headers.host?.toLowerCase()) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** True when the request names this server and, if a page sent it, a page of this server. */
export function isOwnRequest(headers: IncomingHttpHeaders, hosts: ReadonlySet<string>): boolean {
  const host = headers.host?.toLowerCase()
  if (host === undefined || !hosts.has(host)) return false
  const origin = headers.origin?.toLowerCase()
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase()
}
