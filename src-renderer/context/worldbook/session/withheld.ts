import { useEffect, useState } from 'react'
import type { Segment, Span } from '../../../../src-main/context/contract'
import type { Session } from '../../../../src-main/sessions/contract'
import type { Preview } from '../../../../src-main/turns/contract'
import { call } from '../../../api/client'
import { draftOf } from '../../../composer/draft-store'
import { usePreview } from '../../context-bar/preview-store'

/** What isolation keeps out, in the order the drawings show it. */
export const WITHHELD = [
  'time',
  'memory',
  'recent_conversation_memory',
  'user_profile_memory',
  'tools',
  'tool_traffic',
] as const
export type WithheldKind = (typeof WITHHELD)[number]

export interface Withheld {
  kind: WithheldKind
  tokens: number
  /** Tools, or tool messages in the history; 0 for blocks. */
  count: number
}

const isTraffic = ({ kind }: Span) => kind === 'tool-call' || kind === 'tool-result'
const sum = (spans: readonly Span[]) => spans.reduce((total, span) => total + span.tokens, 0)

/** Reads off a preview made without isolation what isolation would take away. */
export function withheldFrom({ ledger }: Pick<Preview, 'ledger'>): Withheld[] {
  const of = (segment: Segment) => ledger.filter((span) => span.segment === segment)
  return WITHHELD.map((kind) => {
    if (kind === 'tool_traffic') {
      const traffic = of('history').filter(isTraffic)
      return { kind, tokens: sum(traffic), count: traffic.length }
    }
    const spans = of(kind)
    const count = kind === 'tools' ? spans.filter((span) => span.kind === 'tool-definition').length : 0
    return { kind, tokens: sum(spans), count }
  })
}

/** Null until counted, and where it cannot be (no model yet). Counted again whenever the preview changes. */
export function useWithheld(session: Session, shown: boolean): readonly Withheld[] | null {
  const [withheld, setWithheld] = useState<readonly Withheld[] | null>(null)
  const hash = usePreview((state) => state.preview?.sha256)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request means other figures
  useEffect(() => {
    if (!shown) return
    let current = true
    const { text } = draftOf(session.id)
    call('turns.preview', { sessionId: session.id, draft: text, overrides: { isolation: false } })
      .then((preview) => current && setWithheld(withheldFrom(preview)))
      // the list of names stands without figures; the preview itself reports what is wrong
      .catch(() => current && setWithheld(null))
    return () => {
      current = false
    }
  }, [session.id, shown, hash])
  return withheld
}
