import type { Segment, Span } from '../../../src-main/context/contract'
import type { Preview } from '../../../src-main/turns/contract'

/** One stratum: neighbouring spans of one segment in one section, as the Context tab shows them. */
export interface Stratum {
  id: string
  segment: Segment
  /** The tag it stands in, when it has one. */
  tag?: string
  tokens: number
  /** Names of what is in it, framing left out. */
  labels: string[]
  /** The words themselves, framing left out. */
  text: string
  /** Landmarks: time that stands among the messages. */
  landmark: boolean
}

export interface Section {
  id: 'system' | 'tools' | 'messages' | 'last'
  tokens: number
  strata: Stratum[]
}

const TAG = /<([a-z_]+)[\s>]/

/** The ledger grouped for reading: system prompt, tools, messages, and what stands last. Sums only what is given. */
export function strataOf({ ledger }: Pick<Preview, 'ledger'>): Section[] {
  const lastHistory = ledger.findLastIndex(({ segment }) => segment === 'history' || segment === 'draft')
  const firstHistory = ledger.findIndex(({ role, message }) => message >= 0 && role !== 'system')
  const sections = new Map<Section['id'], Span[]>()
  ledger.forEach((span, index) => {
    const id = sectionOf(span, index, { firstHistory, lastHistory })
    sections.set(id, [...(sections.get(id) ?? []), span])
  })
  return (['system', 'tools', 'messages', 'last'] as const).flatMap((id) => {
    const spans = sections.get(id)
    if (!spans) return []
    const tokens = spans.reduce((sum, span) => sum + span.tokens, 0)
    return [{ id, tokens, strata: id === 'messages' ? bySegment(spans) : byRun(spans) }]
  })
}

function sectionOf(span: Span, index: number, edge: { firstHistory: number; lastHistory: number }): Section['id'] {
  if (span.message < 0) return 'tools'
  if (span.segment === 'history' || span.segment === 'draft') return 'messages'
  if (edge.lastHistory >= 0 && index > edge.lastHistory) return 'last'
  if (span.segment === 'time' && index > 0 && isLandmark(span)) return 'messages'
  return edge.firstHistory >= 0 && index > edge.firstHistory ? 'messages' : 'system'
}

const isLandmark = (span: Span) =>
  span.sourceId.startsWith('landmark:') || (span.segment === 'time' && span.message > 0)

function byRun(spans: readonly Span[]): Stratum[] {
  const runs: Span[][] = []
  for (const span of spans) {
    const run = runs.at(-1)
    if (run && run[0]?.segment === span.segment && !opensTag(span, run)) run.push(span)
    else runs.push([span])
  }
  return runs.map((run, index) => stratum(run, String(index)))
}

/** A second block of the same segment begins where a new opening tag stands. */
const opensTag = (span: Span, run: readonly Span[]) =>
  span.sourceId.startsWith('frame:') && TAG.test(span.text) && run.some((each) => each.text.includes('</'))

function bySegment(spans: readonly Span[]): Stratum[] {
  const groups = new Map<Segment, Span[]>()
  for (const span of spans) groups.set(span.segment, [...(groups.get(span.segment) ?? []), span])
  return [...groups.values()].map((group, index) => stratum(group, `m${index}`))
}

function stratum(spans: readonly Span[], id: string): Stratum {
  const bare = spans.filter(({ sourceId }) => !sourceId.startsWith('frame:'))
  const frames = spans.filter(({ sourceId }) => sourceId.startsWith('frame:')).map((span) => span.text)
  const tag = TAG.exec(frames.join(''))?.[1]
  const first = spans[0]
  return {
    id,
    segment: first?.segment ?? 'app',
    ...(tag ? { tag } : {}),
    tokens: spans.reduce((sum, span) => sum + span.tokens, 0),
    labels: [...new Map(bare.map((span) => [span.sourceId, span.label])).values()],
    text: bare.map((span) => span.text).join(''),
    landmark: first?.segment === 'time' && spans.some(isLandmark),
  }
}
