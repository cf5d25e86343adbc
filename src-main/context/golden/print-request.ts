import type { Assembled } from '../assemble/assemble'
import type { ContextUsage, Span, Verdict } from '../contract'
import type { WireMessage } from '../request-contract'

const LONGEST_LINE = 300

function shorten(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, 60)}… (${line.length} characters)`
}

function body(spans: readonly Span[]): string {
  const text = spans
    .map((span) => (span.kind === 'image' || span.kind === 'file' ? `[${span.kind} ${span.label}]` : span.text))
    .join('')
  return text.split('\n').map(shorten).join('\n')
}

function verdictLine(verdict: Verdict): string {
  const { block, sourceId, through, count, reason, detail, tokens } = verdict
  const who = through ? `${sourceId}…${through} (${count})` : sourceId
  return `  ${block} ${who}: ${reason}${tokens === undefined ? '' : `, ${tokens} tokens`}${detail ? ` — ${detail}` : ''}`
}

function usageLines(usage: ContextUsage): string[] {
  const { used, over, percent, budget, free, reserved } = usage
  const total =
    budget === undefined
      ? `  used ${used}, window unknown, reserved ${reserved}`
      : `  used ${used} of ${budget} (${percent?.toFixed(1)} %), free ${free}, over ${over}, reserved ${reserved}`
  return [...usage.segments.map(({ segment, tokens }) => `  ${segment} ${tokens}`), total]
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines]
}

/** One request as people read it: messages, tokens per segment, what is absent and why. */
export function printRequest(
  request: { messages: readonly WireMessage[]; trace: readonly string[]; ledger: readonly Span[] },
  assembled: Assembled,
  usage: ContextUsage,
): string {
  const { messages, ledger, trace } = request
  const { windowStart: start, absent, rejected, warnings } = assembled
  return [
    ...messages.flatMap(({ role, mid, mark }, index) => [
      `── ${role}${mid ? ' (mid)' : ''}${mark ? ' #' : ''} ──`,
      body(ledger.filter((span) => span.message === index)),
    ]),
    ...list('tokens', usageLines(usage)),
    ...list(
      'absent',
      absent.map(({ block, reason, detail }) => `  ${block}: ${reason}${detail ? ` — ${detail}` : ''}`),
    ),
    ...list('rejected', rejected.map(verdictLine)),
    ...list('window', start ? [`  starts at ${start.messageId}, ${start.dropped} left out, limit ${start.limit}`] : []),
    ...list(
      'warnings',
      warnings.map(({ code, message }) => `  ${code}: ${message}`),
    ),
    ...list(
      'not counted',
      (usage.notCounted ?? []).map((name) => `  ${name}`),
    ),
    ...list(
      'projection',
      trace.map((line) => `  ${line}`),
    ),
  ].join('\n')
}
