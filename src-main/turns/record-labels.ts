import type { ContextUsage, Segment, Span, Verdict } from '../context/contract'
import type { Preview } from './contract'

/** Texts of these can be deleted after they were sent, and are stored under their source so that they can be blanked. */
const DELETABLE: ReadonlySet<string> = new Set<Segment>(['memory', 'recent_conversation_memory', 'user_profile_memory'])

/** The source a text may be deleted by; undefined for the app's own frames and for everything else. */
export function deletableSource(segment: string, sourceId: string): string | undefined {
  return DELETABLE.has(segment) && !sourceId.startsWith('frame:') ? sourceId : undefined
}

type Labelled = { sourceId: string; label: string }

/** Labels are first words of the texts, so they are kept like them: once per source, apart from the rest. */
export function labelsOf({ ledger, rejected }: Pick<Preview, 'ledger' | 'rejected'>): Map<string, string> {
  const labels = new Map<string, string>()
  const keep = (segment: string, { sourceId, label }: Labelled) => {
    if (deletableSource(segment, sourceId) !== undefined && !labels.has(sourceId)) labels.set(sourceId, label)
  }
  for (const span of ledger) keep(span.segment, span)
  for (const verdict of rejected) keep(verdict.block, verdict)
  return labels
}

/** Puts labels in (or, with an empty one for each, takes them out) wherever a deletable source is named. */
export interface Relabel {
  span<S extends Pick<Span, 'segment' | 'sourceId' | 'label'>>(span: S): S
  rejected(verdicts: readonly Verdict[]): Verdict[]
  usage(usage: ContextUsage): ContextUsage
}

function relabelWith(labelFor: (sourceId: string, label: string) => string): Relabel {
  const relabel = <L extends Labelled>(segment: string, one: L): L =>
    deletableSource(segment, one.sourceId) === undefined ? one : { ...one, label: labelFor(one.sourceId, one.label) }
  return {
    span: (span) => relabel(span.segment, span),
    rejected: (verdicts) => verdicts.map((verdict) => relabel(verdict.block, verdict)),
    usage: (usage) => ({
      ...usage,
      segments: usage.segments.map((each) => ({ ...each, top: each.top.map((top) => relabel(each.segment, top)) })),
    }),
  }
}

export const withoutLabels: Relabel = relabelWith(() => '')

/** Labels that were never taken out stay. */
export function withLabels(labels: ReadonlyMap<string, string>): Relabel {
  return relabelWith((sourceId, label) => labels.get(sourceId) ?? label)
}
