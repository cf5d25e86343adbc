import type { ContextUsage, Segment, Span } from '../../src-main/context/contract'
import type { Preview } from '../../src-main/turns/contract'

export function aSpan(fields: Partial<Span> = {}): Span {
  const text = fields.text ?? 'words'
  return {
    id: 'm0.p0.s0',
    segment: 'history',
    sourceId: 'm1',
    label: text.slice(0, 20),
    role: 'user',
    text,
    tokens: text.length,
    message: 0,
    kind: 'text',
    ...fields,
  }
}

/** A usage whose figures agree with each other, from tokens by segment. */
export function aUsage(tokens: Partial<Record<Segment, number>>, fields: Partial<ContextUsage> = {}): ContextUsage {
  const window = fields.window ?? 128_000
  const reserved = fields.reserved ?? 16_000
  const budget = window - reserved
  const entries = Object.entries(tokens) as [Segment, number][]
  const used = entries.reduce((sum, [, count]) => sum + count, 0)
  return {
    window,
    reserved,
    budget,
    used,
    free: Math.max(0, budget - used),
    over: Math.max(0, used - budget),
    percent: (used / budget) * 100,
    quality: 'estimated',
    segments: entries.map(([segment, count]) => ({
      segment,
      tokens: count,
      share: count / budget,
      top: [{ sourceId: `${segment}-1`, label: `First of ${segment}`, tokens: count }],
      more: 0,
    })),
    ...fields,
  }
}

export function aPreview(fields: Partial<Preview> = {}): Preview {
  return {
    ledger: [],
    absent: [],
    rejected: [],
    usage: aUsage({ system_prompt: 1860, history: 37_800 }),
    wire: { method: 'POST', url: 'https://model.test/v1', headers: {}, body: '{}' },
    sha256: 'a'.repeat(64),
    worldbook: null,
    memory: null,
    layout: 'documented',
    windowStart: null,
    warnings: [],
    projection: [],
    ...fields,
  }
}
