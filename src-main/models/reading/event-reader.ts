import { parseAlmostJson, parseJson } from './lenient-json'

/** One thing a server said in a stream, whatever the framing. */
export type WireEvent =
  | { kind: 'json'; value: unknown; name: string | undefined }
  | { kind: 'done' }
  /** Neither JSON nor a comment: a broken piece, or plain words. */
  | { kind: 'unreadable'; text: string; name: string | undefined }

export interface EventReader {
  /** The events that these characters complete. */
  push(text: string): WireEvent[]
  /** What was still open when the stream ended. */
  end(): WireEvent[]
}

const FIELD = /^(data|event|id|retry)(?::|$)/
/** Also in quotes, and with words behind it. */
const DONE = /^(?:["']?\[\s*done\s*\].{0,40}|done)$/i

/**
 * Takes server-sent events, JSON lines, one JSON value over many lines, and mixtures, as they come: servers put one
 * under the name of another. A `data:` line that is whole by itself is an event at once: some servers forget the blank
 * line between events.
 */
export function createEventReader(): EventReader {
  let rest = ''
  let first = true
  let name: string | undefined
  let data: string[] = []
  /** A JSON value without `data:` that has not ended yet. */
  let bare: string[] = []

  const closeData = (events: WireEvent[]): void => {
    if (data.length > 0) events.push(...readLines(data, name))
    data = []
    name = undefined
  }
  const closeBare = (events: WireEvent[]): void => {
    if (bare.length > 0) events.push(...readLines(bare, name))
    bare = []
  }
  const takeData = (text: string, events: WireEvent[]): void => {
    // some relays put the prefix before a line that has it already
    const content = text.replace(/^(?:\s*data:)+/, '').trim()
    if (content === '' && data.length === 0) return
    if (DONE.test(content)) {
      closeData(events)
      events.push({ kind: 'done' })
      return
    }
    const whole = data.length === 0 ? parseJson(content) : undefined
    if (whole) {
      events.push({ kind: 'json', value: whole[0], name })
      return
    }
    data.push(content)
    const joined = data.length > 1 ? parseJson(data.join('\n')) : undefined
    if (!joined) return
    events.push({ kind: 'json', value: joined[0], name })
    data = []
  }
  const takeBare = (line: string, events: WireEvent[]): void => {
    const whole = bare.length === 0 ? parseJson(line) : undefined
    if (whole) {
      events.push({ kind: 'json', value: whole[0], name: undefined })
      return
    }
    bare.push(line)
    // a value written over many lines ends with a bracket at the margin; anything else ends with the stream
    if (/^[}\]]/.test(line) || !/^\s*[{[]/.test(bare[0] ?? '')) closeBare(events)
  }
  const takeLine = (line: string, events: WireEvent[]): void => {
    const field = FIELD.exec(line)?.[1]
    if (field === undefined && (bare.length > 0 || line.trim() !== '')) {
      if (!line.startsWith(':') || bare.length > 0) takeBare(line, events)
      return
    }
    closeBare(events)
    if (field === undefined) closeData(events)
    else if (field === 'data') takeData(line.slice(5), events)
    else if (field === 'event') name = line.slice(6).trim() || undefined
  }

  return {
    push(text) {
      const events: WireEvent[] = []
      const joined = rest + (first ? text.replace(/^\uFEFF/, '') : text)
      if (text !== '') first = false
      // a carriage return at the very end may be the first half of a line end
      const lines = joined.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) takeLine(line, events)
      return events
    },
    end() {
      const events: WireEvent[] = []
      const last = rest.replace(/\r$/, '')
      rest = ''
      if (last !== '') takeLine(last, events)
      closeData(events)
      closeBare(events)
      return events
    },
  }
}

/** Lines that were no JSON one by one: together, each by itself, or put right. */
function readLines(lines: readonly string[], name: string | undefined): WireEvent[] {
  const json = (value: unknown): WireEvent => ({ kind: 'json', value, name })
  const text = lines.join('\n')
  const whole = parseJson(text) ?? parseJson(lines.join('')) ?? parseAlmostJson(text)
  if (whole) return whole.map(json)
  if (lines.length === 1) return text.trim() === '' ? [] : [{ kind: 'unreadable', text, name }]
  const each = lines.map((line) => parseJson(line) ?? parseAlmostJson(line))
  if (each.every((values) => values === undefined)) return [{ kind: 'unreadable', text, name }]
  return lines.flatMap((line, at): WireEvent[] => {
    const values = each[at]
    if (values) return values.map(json)
    return line.trim() === '' ? [] : [{ kind: 'unreadable', text: line, name }]
  })
}
