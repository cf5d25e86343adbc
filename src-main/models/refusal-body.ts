import { pythonAsJson } from './refusals/python-literal'

/** One thing a server found wrong. */
export interface Complaint {
  /** In the server's words. */
  text: string
  /** Where in the request it points, as segments: `['messages', '2', 'content']`. Missing where it names no place. */
  place?: string[]
  /** The machine's word for it, such as `extra_forbidden`. '' where there is none. */
  kind: string
}

/** Names under which servers put what a person should read, the most telling first. */
const SENTENCES = ['error', 'message', 'detail', 'msg', 'error_description', 'reason', 'description', 'title'] as const
/** `status_msg`, `error_msg`, `errorMessage`, AWS's `Message`. */
const OTHER_SENTENCE = /(msg|message)$/i
/** Where others' refusals lie inside: OpenRouter's `metadata.raw`, Google's `details`, gateways' `errors` and `cause`. */
const INSIDE = [
  'error',
  'errors',
  'detail',
  'details',
  'metadata',
  'raw',
  'message',
  'body',
  'response',
  'base_resp',
  'cause',
  'inner',
  'inner_error',
  'innererror',
  'upstream',
  'upstream_error',
  'provider_error',
  'originalError',
  'fieldViolations',
  'field_violations',
  'data',
] as const
/** Of these, the ones that may hold a plain sentence that stands nowhere else. */
const PLAIN_INSIDE: ReadonlySet<string> = new Set([
  'raw',
  'details',
  'errors',
  'cause',
  'inner_error',
  'upstream_error',
  'provider_error',
])
const PLACES = ['loc', 'param', 'parameter', 'params', 'field', 'path', 'pointer', 'property', 'target', 'instancePath']
const KINDS = ['type', 'code', 'kind', 'status', 'keyword']
const MOST_DEPTH = 16
const MOST_COMPLAINTS = 50

const WEB_PAGE = /^\s*<(!doctype|html|head|body|\?xml)/i

export const isWebPage = (body: string): boolean => WEB_PAGE.test(body)

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
}

/** Undefined where it is no JSON after all, or cut: then it is read as plain text. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON in a text, or a Python literal, also behind a few words ("400 Bad Request: {…}", "data: {…}"); undefined when there is none. */
function jsonIn(text: string): unknown {
  const trimmed = text.trim()
  const from = trimmed.search(/[[{]/)
  if (from < 0 || from > 200) return undefined
  for (const piece of [
    trimmed.slice(from),
    trimmed.slice(from, trimmed.lastIndexOf(trimmed[from] === '{' ? '}' : ']') + 1),
  ]) {
    // `[1, 8192]` in a sentence is a range
    const value = parsed(piece) ?? parsed(/^[[{]+'/.test(piece) ? pythonAsJson(piece) : undefined)
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first === 'object' && first !== null) return value
  }
  return undefined
}

/** `messages.[3].content`, `/tools/0`, `['body', 'tools']` and `$.tools` as segments; `body` in front says nothing. */
function segmentsOf(value: unknown): string[] | undefined {
  // a Spring server's `path` is the address that was asked, no place in the request
  const given = Array.isArray(value)
    ? value.filter((part) => typeof part === 'string' || typeof part === 'number').map(String)
    : typeof value === 'string' && !/^\/(api|v\d|chat|openai)\b/.test(value)
      ? value.split(/[.[\]/]+/)
      : []
  const segments = given.map((part) => part.replaceAll(/["'`$]/g, '').trim()).filter((part) => part !== '')
  while (/^(body|request|root|#)$/.test(segments[0] ?? '')) segments.shift()
  return segments.length > 0 && segments.every((part) => /^[\w-]{1,100}$/.test(part)) ? segments : undefined
}

/** What one object says by itself, whatever lies inside it. */
function complaintIn(fields: Record<string, unknown>): Complaint {
  const others = Object.keys(fields).filter((name) => OTHER_SENTENCE.test(name))
  const words = [...new Set([...SENTENCES, ...others])]
    .map((name) => fields[name])
    .filter((text): text is string => typeof text === 'string' && jsonIn(text) === undefined && text !== '')
  // some relays put the whole sentence where the name of the field belongs
  for (const name of PLACES) {
    const said = fields[name]
    if (typeof said === 'string' && said.trim().includes(' ')) words.push(said)
  }
  const place = PLACES.map((name) => segmentsOf(fields[name])).find((segments) => segments !== undefined)
  const kind = KINDS.map((name) => fields[name])
    .filter((part) => typeof part === 'string')
    .join(' ')
  return { text: words.join(' ') || (place ? kind : ''), kind, ...(place ? { place } : {}) }
}

/** Everything wrong that a body tells, outermost first. Reads what is wrapped: JSON inside text, text inside JSON. */
export function complaintsOf(body: string): Complaint[] {
  const found: Complaint[] = []
  const seen = new Set<string>()
  const add = (complaint: Complaint) => {
    const key = `${complaint.text}\n${complaint.place?.join('.') ?? ''}`
    if (complaint.text.trim() === '' || seen.has(key) || found.length >= MOST_COMPLAINTS) return
    seen.add(key)
    found.push(complaint)
  }
  const walk = (value: unknown, depth: number): void => {
    if (depth > MOST_DEPTH) return
    if (typeof value === 'string') {
      const inside = jsonIn(value)
      if (inside === undefined) add({ text: value, kind: '' })
      else walk(inside, depth + 1)
      return
    }
    if (Array.isArray(value)) for (const each of value) walk(each, depth + 1)
    const fields = record(value)
    if (!fields) return
    add(complaintIn(fields))
    for (const name of INSIDE) {
      const inner = fields[name]
      const isText = typeof inner === 'string' && (PLAIN_INSIDE.has(name) || jsonIn(inner) !== undefined)
      if (typeof inner === 'object' || isText) walk(inner, depth + 1)
    }
  }
  walk(isWebPage(body) ? pageWords(body) : body, 0)
  return found
}

/** Sentences of gateways that only say that somebody else said something. */
const WRAPPER = /^(\w+ )?(provider|upstream|backend)?\s*(returned|sent)?\s*(an? )?error\.?$|^bad request\.?$|^error$/i

function wordsIn(body: string): string {
  const complaints = complaintsOf(body)
  const telling = complaints.filter(({ text }) => !WRAPPER.test(text.trim()))
  return (telling.length > 0 ? telling : complaints)
    .map(({ text, place }) => {
      // a schema's checker names the field beside its sentence only
      const bare = place && !text.includes(place.at(-1) ?? '') ? `${text} (${place.join('.')})` : text
      return bare.trim()
    })
    .filter((text, at, all) => !all.some((other, index) => index !== at && other.includes(text) && other !== text))
    .join('; ')
}

/** Readable text of a body that may be JSON, JSON inside JSON, a web page or plain. */
export function serverText(body: string): string {
  const trimmed = body.trim()
  if (isWebPage(trimmed)) return pageWords(trimmed)
  return jsonIn(trimmed) === undefined ? trimmed : wordsIn(trimmed) || trimmed
}

function pageWords(text: string): string {
  const page = text.slice(0, 100_000).replaceAll(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
  // the title of an error page is its heading once more
  return wordsOf(page.replace(/<title[\s\S]*?<\/title>/i, ' ')) || wordsOf(page)
}

const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
