import { fieldsOf, isFields, nameOf, numberOf } from './coerce'
import { parseJson } from './lenient-json'

/** What a server itself said about a failure, inside a stream it had begun well. */
export class ServerSaid extends Error {
  /** As an HTTP status, where the server named one. */
  readonly statusCode: number | undefined

  constructor(words: string, statusCode?: number) {
    super(words)
    this.name = 'ServerSaid'
    this.statusCode = statusCode
  }
}

/** Names under which servers put a sentence: `message`, `msg`, `error_msg`, `errorMessage`, `detail`, … */
const SENTENCE = /(^|[_-])(message|msg|detail|details|description|reason|error|errors|title)$|(Message|Msg|Detail)$/
const MOST_DEPTH = 5

/** The first sentence in a value, outermost first; '' when there is none. */
function sentenceIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value.trim()
  if (depth > MOST_DEPTH) return ''
  if (Array.isArray(value)) {
    return value
      .map((each) => sentenceIn(each, depth + 1))
      .filter((each) => each !== '')
      .join('; ')
  }
  if (!isFields(value)) return ''
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && inner.trim() !== '' && SENTENCE.test(name)) return inner.trim()
  }
  for (const [name, inner] of Object.entries(value)) {
    const words = SENTENCE.test(name) || isFields(inner) ? sentenceIn(inner, depth + 1) : ''
    if (words !== '') return words
  }
  return ''
}

/** Relays put what the server behind them said beside a sentence of their own, as text that may be JSON again. */
function relayed(error: unknown): string {
  const raw = fieldsOf(fieldsOf(error).metadata).raw
  if (typeof raw !== 'string') return sentenceIn(raw)
  const parsed = parseJson(raw)
  return (parsed ? sentenceIn(parsed[0]) : raw.trim()).slice(0, 1000)
}

const says = (value: unknown): boolean =>
  isFields(value) ? Object.values(value).some(says) : Array.isArray(value) ? value.some(says) : Boolean(value)

function statusIn(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const fields = fieldsOf(value)
    for (const name of ['status', 'statusCode', 'status_code', 'http_status', 'code', 'error_code']) {
      const status = numberOf(fields[name])
      if (status !== undefined && status >= 400 && status < 600) return status
    }
  }
  return undefined
}

/** An `error` that holds nothing (null, '', {}, false, code 0) is none. */
function fromError(error: unknown, around: unknown): ServerSaid | undefined {
  if (!says(error)) return undefined
  const inner = sentenceIn(error)
  const behind = relayed(error)
  if (behind !== '') return new ServerSaid(inner === '' ? behind : `${inner}: ${behind}`, statusIn(error, around))
  const words = inner !== '' ? inner : error === true || typeof error === 'number' ? sentenceIn(around) : ''
  const code = fieldsOf(error).type ?? fieldsOf(error).code ?? (typeof error === 'object' ? undefined : error)
  return new ServerSaid(words || (nameOf(code) ?? JSON.stringify(error)), statusIn(error, around))
}

/**
 * The failure an event tells of, in any of the usual shapes. `carries`: the event also holds a part of an answer, so
 * only a field that is named for an error counts.
 */
export function failureIn(
  value: unknown,
  options: { carries: boolean; name?: string | undefined },
): ServerSaid | undefined {
  const fields = fieldsOf(value)
  const named = fromError(fields.error, fields) ?? fromError(fields.errors, fields)
  if (named) return named
  if (options.carries) return undefined
  const isError = options.name === 'error' || fields.type === 'error' || fields.object === 'error'
  const words = sentenceIn(value)
  if (isError) return new ServerSaid(words || JSON.stringify(value), statusIn(value, fields.base_resp))
  // no field of an answer in it, but a sentence: `{"detail": …}`, `{"code": 1113, "msg": …}`
  return words === '' || typeof fields.type === 'string' ? undefined : new ServerSaid(words, statusIn(value))
}
