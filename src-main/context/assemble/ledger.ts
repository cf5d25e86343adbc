import type { Span } from '../contract'
import type { RequestPart, RequestTool, WireMessage } from '../request-contract'

function partTokens(part: RequestPart): number | undefined {
  return part.type === 'image' || part.type === 'file' ? (part.tokens ?? 0) : undefined
}

/**
 * The one ledger of a request: the tool list first, then every message's pieces in order. The spans of a message
 * concatenate to its text; images and files are spans with text '' and the tokens known for them, 0 when nobody knows.
 */
export function ledgerOf(
  messages: readonly WireMessage[],
  tools: readonly RequestTool[],
  count: (text: string) => number,
  toolText: (tool: RequestTool) => string,
): Span[] {
  const spans: Span[] = tools.map((tool, index) => {
    const text = toolText(tool)
    const { id: sourceId, name: label } = tool
    const tokens = count(text)
    return {
      id: `t${index}`,
      segment: 'tools',
      sourceId,
      label,
      role: 'system',
      text,
      tokens,
      message: -1,
      kind: 'tool-definition',
    }
  })
  messages.forEach(({ role, parts }, message) => {
    parts.forEach((part, p) => {
      const fixed = partTokens(part)
      part.pieces.forEach((piece, s) => {
        if (piece.text === '' && fixed === undefined) return
        const tokens = fixed === undefined ? count(piece.text) : s === 0 ? fixed : 0
        const { segment, sourceId, label, text, why } = piece
        const span: Span = {
          id: `m${message}.p${p}.s${s}`,
          segment,
          sourceId,
          label,
          role,
          text,
          tokens,
          message,
          kind: part.type,
        }
        if (why) span.why = why
        spans.push(span)
      })
    })
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
