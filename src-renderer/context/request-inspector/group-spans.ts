import type { Role, Segment, Span } from '../../../src-main/context/contract'

/** Neighbouring spans of one segment inside one message: drawn as one coloured block. */
export interface SpanRun {
  id: string
  segment: Segment
  spans: Span[]
}

export interface SpanMessage {
  /** Index on the wire; -1 = the tool list. */
  index: number
  role: Role
  runs: SpanRun[]
  tokens: number
}

/** The ledger as messages in the order they leave, the tool list last. */
export function groupSpans(ledger: readonly Span[]): SpanMessage[] {
  const messages = new Map<number, SpanMessage>()
  for (const span of ledger) {
    const message = messages.get(span.message) ?? { index: span.message, role: span.role, runs: [], tokens: 0 }
    messages.set(span.message, message)
    message.tokens += span.tokens
    const run = message.runs.at(-1)
    if (run && run.segment === span.segment && span.message >= 0) run.spans.push(span)
    else message.runs.push({ id: span.id, segment: span.segment, spans: [span] })
  }
  return [...messages.values()].sort((a, b) => place(a.index) - place(b.index))
}

const place = (index: number) => (index < 0 ? Number.MAX_SAFE_INTEGER : index)

/** The whole request as plain lines, for comparing: role lines, then each message's text. */
export function requestText(ledger: readonly Span[]): string {
  return groupSpans(ledger)
    .map(({ index, role, runs }) => {
      const text = runs.map((run) => run.spans.map(spanText).join(index < 0 ? '\n' : '')).join(index < 0 ? '\n' : '')
      return `── ${index < 0 ? 'tools' : role} ──\n${text.trim()}\n`
    })
    .join('\n')
}

/** The words of a span; what carries no text is named. */
export function spanText(span: Span): string {
  return span.kind === 'image' || span.kind === 'file' ? `[${span.label}]` : span.text
}

/** The first segment in which two requests differ. */
export function firstDifference(a: readonly Span[], b: readonly Span[]): Segment | null {
  const most = Math.max(a.length, b.length)
  for (let at = 0; at < most; at++) {
    const [left, right] = [a[at], b[at]]
    if (left?.text !== right?.text || left?.role !== right?.role || left?.segment !== right?.segment) {
      return (right ?? left)?.segment ?? null
    }
  }
  return null
}
