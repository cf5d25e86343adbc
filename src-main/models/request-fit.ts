import { z } from 'zod'

/**
 * How the requests to one model differ from what the app would send by itself: learned from refusals, remembered per
 * model on its connection. An empty fit changes nothing.
 */
export interface RequestFit {
  /** Fields of the body that are not sent, by their name on the wire (after `rename`), such as `stream_options` or `generationConfig.thinkingConfig`. */
  leaveOut?: readonly string[]
  /** Fields that are sent under another name: `max_tokens` as `max_completion_tokens`. */
  rename?: Readonly<Record<string, string>>
  /** The highest number a field may hold, by its name on the wire. */
  most?: Readonly<Record<string, number>>
  /** An empty text in place of `content: null` beside tool calls. */
  emptyContent?: true
  /** Plain reasoning of earlier answers: demanded back on turns with tool calls, or refused. */
  reasoningBack?: 'demanded' | 'refused'
  /** A request must not end with the model's own words. */
  prefill?: false
}

export const requestFitSchema = z.object({
  leaveOut: z.array(z.string()).optional(),
  rename: z.record(z.string(), z.string()).optional(),
  most: z.record(z.string(), z.number()).optional(),
  emptyContent: z.literal(true).optional(),
  reasoningBack: z.enum(['demanded', 'refused']).optional(),
  prefill: z.literal(false).optional(),
})

type JsonObject = Record<string, unknown>

export function jsonObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

/** Both together; where they differ the later one counts. */
export function mergeFits(...fits: readonly RequestFit[]): RequestFit {
  const sum: RequestFit = {}
  for (const { leaveOut, rename, most, ...rest } of fits) {
    Object.assign(sum, rest)
    if (leaveOut) sum.leaveOut = [...new Set([...(sum.leaveOut ?? []), ...leaveOut])]
    if (rename) sum.rename = { ...sum.rename, ...rename }
    if (most) sum.most = { ...sum.most, ...most }
  }
  return sum
}

/** What has no meaning without the field it stands for. */
const GOES_WITH: Readonly<Record<string, readonly string[]>> = {
  tools: ['tool_choice', 'parallel_tool_calls', 'toolConfig'],
}

/** The object that holds a dotted path's last name, and that name. */
function holderOf(body: JsonObject, path: string): { holder: JsonObject; name: string } | undefined {
  const names = path.split('.')
  const name = names.pop() ?? ''
  let holder: JsonObject | undefined = body
  for (const step of names) holder = holder && jsonObject(holder[step])
  return holder && name in holder ? { holder, name } : undefined
}

function remove(body: JsonObject, path: string): void {
  const found = holderOf(body, path)
  if (!found) return
  delete found.holder[found.name]
  const parent = path.split('.').slice(0, -1).join('.')
  if (parent !== '' && Object.keys(found.holder).length === 0) remove(body, parent)
}

/** Keeps the field's place in the body: the same fields in the same order, so that caches still find their prefix. */
function renamed(body: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(body).filter(
    ([name]) => !Object.entries(names).some(([from, to]) => to === name && from in body),
  )
  return Object.fromEntries(entries.map(([name, value]) => [names[name] ?? name, value]))
}

function withoutNull(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages
  return messages.map((message: unknown) => {
    const fields = jsonObject(message)
    return fields?.role === 'assistant' && (fields.content ?? null) === null ? { ...fields, content: '' } : message
  })
}

/** A body as it leaves: the app's own JSON text, changed where the fit says so. The same text when nothing changes. */
export function fitBody(text: string, fit: RequestFit | undefined): string {
  if (!fit || Object.keys(fit).length === 0) return text
  const parsed = jsonObject(JSON.parse(text))
  if (!parsed) return text
  const body = renamed(parsed, fit.rename ?? {})
  for (const path of fit.leaveOut ?? []) {
    for (const name of [path, ...(GOES_WITH[path] ?? [])]) remove(body, name)
  }
  for (const [path, most] of Object.entries(fit.most ?? {})) {
    const found = holderOf(body, path)
    const value = found?.holder[found.name]
    if (found && typeof value === 'number' && value > most) found.holder[found.name] = most
  }
  if (fit.emptyContent && 'messages' in body) body.messages = withoutNull(body.messages)
  return JSON.stringify(body)
}

/** A `fetch` that sends the fitted body to the address with its query: what preview, record and server see. */
export function fittingFetch(send: typeof fetch, how: { fit?: RequestFit | undefined; query: string }): typeof fetch {
  const { fit, query } = how
  if (!fit && query === '') return send
  return (input, init) => {
    const body = typeof init?.body === 'string' ? { body: fitBody(init.body, fit) } : {}
    return send(input instanceof Request ? input : withQuery(String(input), query), { ...init, ...body })
  }
}

/** An address with the query that belongs to every request of its connection. What the address says itself stays. */
export function withQuery(address: string, query: string): string {
  if (query === '') return address
  const url = new URL(address)
  for (const [name, value] of new URLSearchParams(query))
    if (!url.searchParams.has(name)) url.searchParams.append(name, value)
  return url.href
}
