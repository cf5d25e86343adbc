import type { Role, Span } from '../contract'
import type { RequestPart, RequestTool, WireMessage } from '../request-contract'

type Count = (text: string) => number

/** `.p0.s0`: few of them exist, so each is made once. */
const suffixes: string[][] = []
function suffixOf(part: number, index: number): string {
  const row = suffixes[part] ?? []
  suffixes[part] = row
  const suffix = row[index] ?? `.p${part}.s${index}`
  row[index] = suffix
  return suffix
}

/** The spans of one part, numbered without gaps; an image or file is one even without a text. */
function addSpans(
  spans: Span[],
  part: RequestPart,
  place: { role: Role; message: number; part: number },
  count: Count,
) {
  const { role, message } = place
  const fixed = part.type === 'image' || part.type === 'file' ? (part.tokens ?? 0) : undefined
  let index = 0
  // by index, as the same list is walked for every message of every request: an iterator each would be garbage
  for (let at = 0; at < part.pieces.length; at++) {
    const piece = part.pieces[at]
    if (!piece || (piece.text === '' && fixed === undefined)) continue
    const { segment, sourceId, label, text, why } = piece
    const tokens = fixed === undefined ? count(text) : index === 0 ? fixed : 0
    const id = `m${message}${suffixOf(place.part, index)}`
    index++
    const span: Span = { id, segment, sourceId, label, role, text, tokens, message, kind: part.type }
    if (why) span.why = why
    spans.push(span)
  }
}

/**
 * The one ledger of a request: the tool list first, then every message's pieces in order. The spans of a message
 * concatenate to its text; images and files are spans with text '' and the tokens known for them, 0 when nobody knows.
 */
export function ledgerOf(
  messages: readonly WireMessage[],
  tools: readonly RequestTool[],
  count: Count,
  toolText: (tool: RequestTool) => string,
): Span[] {
  const spans = tools.map((tool, index): Span => {
    const text = toolText(tool)
    return {
      id: `t${index}`,
      segment: 'tools',
      sourceId: tool.id,
      label: tool.name,
      role: 'system',
      text,
      tokens: count(text),
      message: -1,
      kind: 'tool-definition',
    }
  })
  messages.forEach(({ role, parts }, message) => {
    let part = 0
    for (let at = 0; at < parts.length; at++) {
      const content = parts[at]
      const before = spans.length
      if (content) addSpans(spans, content, { role, message, part }, count)
      if (spans.length > before) part++
    }
  })
  return spans
}

/** Labels of attachments whose tokens nobody knows, for the usage's `notCounted`. */
export function notCountedIn(messages: readonly WireMessage[]): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'image' || part.type === 'file') return part.tokens === undefined ? [part.name] : []
      return part.type === 'tool-result' ? (part.images ?? []).map(() => part.name) : []
    }),
  )
}
