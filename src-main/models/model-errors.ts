import { APICallError } from 'ai'
import { AppError } from '../ipc/app-error'
import type { ErrorCode } from '../ipc/contract'
import { rewritten, type Said, type Sentence, said } from '../ipc/said-contract'
import type { ConnectionKind } from './contract'
import { ServerSaid } from './reading/server-words'
import { type Complaint, complaintsOf, isWebPage, serverText } from './refusal-body'
import { scrub } from './secret-text'

/** A failed request in the app's words. */
export interface ModelFailure {
  error: AppError
  /** Whether the same request may succeed later. */
  retryable: boolean
}

/** What the details of a failed request hold. */
export interface RefusalDetails {
  /** HTTP status, where there was one. */
  status?: number
  /** The server's words, readable. */
  serverText: string
  /** The same, one by one, with the places they name. */
  complaints: Complaint[]
}

export function refusalDetails(error: AppError): RefusalDetails | undefined {
  const { details } = error
  return typeof details === 'object' && details !== null && 'serverText' in details && 'complaints' in details
    ? (details as RefusalDetails)
    : undefined
}

/** What an error is about: names for its words, and what must never show in them. */
export interface FailureSubject {
  /** The connection's name. */
  connection: string
  model: string
  kind: ConnectionKind
  baseUrl: string
  /** The list of models was asked for, not an answer. */
  listing?: boolean
  secrets: readonly string[]
}

const SHOWN_CHARACTERS = 600
const KEPT_CHARACTERS = 4000
const TOO_LONG =
  /context[_ ]?(length|window)|maximum context|prompt is too long|too many (input )?tokens|(input|prompt|request).{0,30}(too long|too large|exceeds?).{0,40}(token|context|limit)|exceeds?.{0,40}(context|max\w* (number of )?tokens)|n_ctx|available context/i
const NO_CREDIT = /insufficient[_ ](quota|balance|credits?)|credit balance is|payment required/i
const NETWORK =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EPIPE|EHOSTUNREACH|ENETUNREACH|CERT|SSL|TLS|UND_ERR|self[- ]signed|fetch failed|Cannot connect|terminated|other side closed|socket|network/i

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
}

/** The sentence inside an error body, whichever of the usual shapes it has. */
function sentenceOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) {
    return (
      value
        .map(sentenceOf)
        .filter((text) => text !== undefined)
        .join('; ') || undefined
    )
  }
  const fields = record(value)
  if (!fields) return undefined
  for (const name of ['error', 'message', 'detail', 'msg', 'title']) {
    const text = sentenceOf(fields[name])
    if (text) return text
  }
  return undefined
}

/** The error and everything it was caused by, outermost first. */
function chain(error: unknown): unknown[] {
  const links: unknown[] = []
  for (let link = error; link !== undefined && link !== null && links.length < 8; ) {
    links.push(link)
    link = link instanceof Error ? (link.cause ?? record(link)?.lastError) : undefined
  }
  return links
}

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line
}

function failure(
  code: ErrorCode,
  words: Said,
  rest: {
    subject: FailureSubject
    retryable: boolean
    status?: number | undefined
    text: string
    body?: string | undefined
  },
): ModelFailure {
  const { subject } = rest
  const complaints = complaintsOf(rest.body || rest.text).map(
    (each): Complaint => ({
      ...each,
      text: scrub(each.text.slice(0, KEPT_CHARACTERS), subject.secrets),
    }),
  )
  const details = {
    ...(rest.status === undefined ? {} : { status: rest.status }),
    serverText: scrub(rest.text.slice(0, KEPT_CHARACTERS), subject.secrets),
    complaints,
  } satisfies RefusalDetails
  return {
    error: new AppError(
      code,
      rewritten(words, (each) => scrub(each, subject.secrets)),
      { details },
    ),
    retryable: rest.retryable,
  }
}

function says(text: string): Said {
  return text === '' ? '' : said` It said: ${shown(text)}`
}

function waitText(headers: Record<string, string> | undefined): Sentence {
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) && seconds > 0
    ? said`Wait ${Math.ceil(seconds)} s and try again.`
    : said`Wait and try again.`
}

function byStatus(
  status: number,
  text: string,
  context: { subject: FailureSubject; headers?: Record<string, string> | undefined; body?: string | undefined },
): ModelFailure {
  const { subject } = context
  const make = (code: ErrorCode, words: Said, retryable: boolean) =>
    failure(code, words, { subject, retryable, status, text, body: context.body })
  const { connection, model } = subject
  const spent = status === 402 || NO_CREDIT.test(`${text} ${context.body ?? ''}`)
  if (status === 413 || (status >= 400 && status !== 429 && status !== 401 && status !== 403 && TOO_LONG.test(text))) {
    return make(
      'model.context_too_long',
      said`The request is longer than ${model} takes. Lower the history limit, switch a block off, or choose a model with a larger window.${says(text)}`,
      false,
    )
  }
  if (status === 401 && subject.listing) {
    return make(
      'model.unauthorised',
      said`${connection} refused the key. Check that it was copied whole and belongs to this provider.${says(text)}`,
      false,
    )
  }
  if (status === 404 && subject.listing) {
    return make(
      'model.rejected',
      said`There is no list of models at ${subject.baseUrl}: the address is wrong${pathHint(subject)}.${says(text)}`,
      false,
    )
  }
  if (status === 401 || (status === 403 && !spent)) {
    return make(
      'model.unauthorised',
      said`${connection} refused the key. Check the key in Settings, and that it may use ${model}.${says(text)}`,
      false,
    )
  }
  if (spent) {
    return make(
      'model.rate_limited',
      said`${connection} says that the account's credit or quota is used up. Check the account, then try again.${says(text)}`,
      false,
    )
  }
  if (status === 429) {
    return make(
      'model.rate_limited',
      said`${connection} is limiting requests. ${waitText(context.headers)}${says(text)}`,
      true,
    )
  }
  if (status === 503 || status === 529) {
    return make(
      'model.rate_limited',
      said`${connection} is overloaded. ${waitText(context.headers)}${says(text)}`,
      true,
    )
  }
  if (status === 408 || status === 502 || status === 504 || (status >= 520 && status <= 524)) {
    return make(
      'model.unreachable',
      said`${connection} did not answer in time. Try again in a moment.${says(text)}`,
      true,
    )
  }
  if (status === 404) {
    return make(
      'model.rejected',
      said`${connection} does not know ${model}, or the address ${subject.baseUrl} is wrong${pathHint(subject)}. Check both in Settings.${says(text)}`,
      false,
    )
  }
  if (status < 500 && isWebPage(context.body ?? '')) {
    return make(
      'model.rejected',
      said`${connection} answered with a web page (HTTP ${status}): the address ${subject.baseUrl} is wrong, or a proxy stands in between. Check the address in Settings.${says(text)}`,
      false,
    )
  }
  return make(
    'model.rejected',
    said`${connection} refused the request (HTTP ${status}). ${status >= 500 ? said`Try again, or look at the server’s log.` : said`Change the request or the model’s settings.`}${says(text)}`,
    status >= 500,
  )
}

/** Only these servers keep to no path of their own. */
function pathHint({ kind, baseUrl }: FailureSubject): Said {
  return kind === 'openai-compatible' && !/\/v\d+$/.test(baseUrl) ? said` (it often ends in /v1)` : ''
}

function networkWords(text: string, subject: FailureSubject): Sentence {
  const at = said`${subject.connection} at ${subject.baseUrl}`
  if (/ECONNREFUSED/.test(text)) return said`Nothing answers for ${at}. Start the server, or correct the address.`
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) {
    return said`The address of ${at} was not found. Check it, and the network connection.`
  }
  if (/CERT|SSL|TLS|self[- ]signed/i.test(text)) {
    return said`No safe connection to ${at}: its certificate is not trusted, or it speaks http:// and not https://. Check the address.`
  }
  if (/TIMEOUT|ETIMEDOUT/i.test(text))
    return said`${at} did not answer in time. Try again, or check that it is running.`
  return said`${at} could not be reached. Check the network connection and that the server is running.`
}

/** `words`: the server's own. What the network stack calls it helps nobody. */
function brokenStream(words: string, subject: FailureSubject): ModelFailure {
  return failure(
    'model.stream_broken',
    said`The answer broke off before it was finished. What arrived is kept; continue it or try again.${says(words)}`,
    { subject, retryable: true, text: words },
  )
}

/** A failure the server told of inside a stream. */
function toldFailure(told: ServerSaid, options: { subject: FailureSubject; started: boolean }): ModelFailure {
  const { subject, started } = options
  const text = told.message
  if (TOO_LONG.test(text)) return byStatus(413, text, { subject })
  if (started) return brokenStream(text, subject)
  if (told.statusCode !== undefined) return byStatus(told.statusCode, text, { subject })
  if (/overloaded|rate.?limit/i.test(text)) return byStatus(429, text, { subject })
  return failure(
    'model.rejected',
    said`${subject.connection} could not take the request. Change it or choose another model.${says(text)}`,
    { subject, retryable: false, text },
  )
}

/**
 * Any error of a model request, in words that say what to do. `started`: parts of the answer had already arrived.
 * `details` are `RefusalDetails`; keys are removed everywhere.
 */
export function modelFailure(error: unknown, options: { subject: FailureSubject; started: boolean }): ModelFailure {
  const { subject, started } = options
  const links = chain(error)
  const own = links.find((link) => link instanceof AppError)
  if (own) return { error: own, retryable: own.code === 'model.stream_broken' }
  const told = links.find((link) => link instanceof ServerSaid)
  if (told) return toldFailure(told, options)
  const http = links.find((link) => APICallError.isInstance(link))
  if (http?.statusCode !== undefined && http.statusCode >= 400) {
    const text = serverText(http.responseBody ?? '') || http.message
    return byStatus(http.statusCode, text, { subject, headers: http.responseHeaders, body: http.responseBody })
  }
  const text = links
    .map((link) => {
      const code = record(link)?.code
      return `${typeof code === 'string' ? `${code} ` : ''}${sentenceOf(link) ?? (link instanceof Error ? link.message : String(link))}`
    })
    .join(': ')
  const fields = record(error)
  const status = fields?.statusCode
  if (typeof status === 'number' && status >= 400) return byStatus(status, text, { subject })
  if (TOO_LONG.test(text)) return byStatus(413, text, { subject })
  if (started) return brokenStream('', subject)
  if (NETWORK.test(text)) {
    return failure('model.unreachable', networkWords(text, subject), { subject, retryable: true, text })
  }
  // the app's or a library's own words: not the server's
  return failure(
    'model.rejected',
    said`${subject.connection} could not take the request. Change it or choose another model. The reason: ${shown(text)}`,
    { subject, retryable: false, text: '' },
  )
}

/** The stream ended without saying that the answer is complete. */
export function unfinished(subject: FailureSubject): ModelFailure {
  return brokenStream('', subject)
}
