import { AppError } from '../ipc/app-error'
import { type Said, said } from '../ipc/said-contract'
import type { ConnectionKind } from './contract'

/** Where a kind lives when no address was given. */
export const DEFAULT_BASE_URL: Record<ConnectionKind, string | undefined> = {
  'openai-compatible': undefined,
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434',
  'dry-run': 'https://dry-run.invalid/v1',
}

/** Full endpoints people paste where the base address belongs. */
const PASTED_ENDPOINTS =
  /\/(chat\/completions|completions|responses|messages|embeddings|models(\/[^/]*)?|api\/(chat|generate|tags))$/i
const LOCAL_HOST = /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[[0-9a-f:]+\]|10(\.\d+){3}|192\.168(\.\d+){2})(:|\/|$)/i

function bad(message: Said): AppError {
  return new AppError('bad_input', message, { details: { path: 'baseUrl' } })
}

function parse(text: string): URL {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (!withScheme) {
    const guess = LOCAL_HOST.test(text) ? `http://${text}` : `https://${text}`
    throw bad(said`The address "${text}" has no http:// or https:// in front. Did you mean ${guess} ?`)
  }
  if (!URL.canParse(text)) throw bad(said`"${text}" is no web address. It should look like https://example.com/v1 .`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw bad(said`The address must begin with http:// or https://, not ${url.protocol}// .`)
  }
  if (url.username || url.password) {
    throw bad('The address holds a user name or password. Take them out and enter the key in the key field.')
  }
  if ([...url.searchParams.keys()].some((name) => /key|token|secret|password/i.test(name))) {
    throw bad('The address holds a key. Take everything from the question mark on out and use the key field.')
  }
  return url
}

/** What a kind expects at the end of its base address. */
function completePath(kind: ConnectionKind, path: string): string {
  if (kind === 'ollama') return path.replace(/\/(api|v1)$/i, '')
  if (path !== '') return path
  if (kind === 'anthropic' || kind === 'openai') return '/v1'
  return kind === 'google' ? '/v1beta' : path
}

/**
 * The address as it is stored: no trailing slash, no pasted endpoint, the kind's own path where it was left out. A
 * query stays: it belongs to every request.
 * Undefined stays undefined when the kind has a default. Throws `bad_input` saying what to write instead.
 */
export function normaliseBaseUrl(kind: ConnectionKind, raw: string | undefined): string | undefined {
  const text = raw?.trim() ?? ''
  if (kind === 'dry-run') return undefined
  if (text === '') {
    if (DEFAULT_BASE_URL[kind] !== undefined) return undefined
    throw bad('This kind of connection needs an address, such as https://example.com/v1 or http://127.0.0.1:1234/v1 .')
  }
  const url = parse(text)
  let path = url.pathname.replace(/\/+$/, '')
  path = path.replace(PASTED_ENDPOINTS, '')
  return `${url.origin}${completePath(kind, path)}${url.search === '?' ? '' : url.search}`
}

/** The address requests go to, without its query. Throws for a kind without default when none is stored. */
export function baseUrlOf(connection: { kind: ConnectionKind; baseUrl?: string }): string {
  const url = connection.baseUrl ?? DEFAULT_BASE_URL[connection.kind]
  if (url === undefined) throw bad('This connection has no address. Enter one in Settings.')
  return url.replace(/\?.*$/s, '')
}

/** What belongs to every request of a connection, such as Azure's `api-version=2024-10-21`; '' for none. */
export function queryOf(connection: { baseUrl?: string }): string {
  const at = connection.baseUrl?.indexOf('?') ?? -1
  return at < 0 ? '' : (connection.baseUrl?.slice(at + 1) ?? '')
}

/** The deployment of a classic Azure address, which is one model; such an address has no list of its own. */
export function deploymentOf(baseUrl: string): { name: string; listUrl: string } | undefined {
  const found = /^(.*\/openai)\/deployments\/([^/]+)$/.exec(baseUrl)
  return found?.[1] && found[2] ? { name: decodeURIComponent(found[2]), listUrl: `${found[1]}/models` } : undefined
}

/** This machine or its own network, where servers tell more than the common protocol does. */
export function isLocalAddress(baseUrl: string): boolean {
  const host = new URL(baseUrl).host
  return LOCAL_HOST.test(host) || /\.local(:|$)/i.test(host)
}
