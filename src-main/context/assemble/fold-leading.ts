import { type Sentence, said } from '../../ipc/said-contract'
import type { WireProfile } from '../../models/contract'
import type { Piece, RequestEntry } from '../request-contract'
import { joinParts } from './parts'
import { frame, joinSections } from './render-block'
import { type Draft, messageDraft } from './wire-drafts'

type Leading = Extract<RequestEntry, { kind: 'leading' }>

export function isLeading(entry: RequestEntry): entry is Leading {
  return entry.kind === 'leading'
}

/** Where the prefix ends: index of the first entry that is neither a leading system nor a reference attached to it. */
export function prefixBoundary(entries: readonly RequestEntry[]): number {
  const attached = (entry: RequestEntry) => entry.kind === 'reminder' && entry.source === 'reference'
  const end = entries.findIndex((entry) => !isLeading(entry) && !attached(entry))
  return end < 0 ? entries.length : end
}

function textOf(entries: readonly Leading[]): Piece[] {
  const sections = entries.map((entry) =>
    entry.parts.flatMap((part) => part.pieces).filter((piece) => piece.text !== ''),
  )
  return joinSections(sections.filter((section) => section.length > 0))
}

function draft(pieces: readonly Piece[]): Draft {
  return messageDraft('system', [{ type: 'text', pieces }])
}

/** Up to three: app prefix (joined with the rest where the layout wants one message), lasting sections, changing ones. */
function manySystems(leading: readonly Leading[], app: readonly Leading[]): Draft[] {
  const whole = leading.some((entry) => entry.group === 'whole')
  const dynamic = textOf(leading.filter((entry) => entry.group === 'dynamic'))
  const first = whole ? [] : app
  const lasting = leading.filter((entry) => entry.group !== 'dynamic' && entry.group !== 'app')
  const groups: [pieces: Piece[], comesAgain: boolean][] = [
    [textOf([...first, ...leading.filter((entry) => entry.group === 'app')]), true],
    [textOf(whole ? [...app, ...lasting] : lasting), lasting.every((entry) => entry.lasts !== false)],
    // A changing section begins with a blank line, so that the ones before it end the same whatever follows.
    [dynamic.length > 0 ? [frame(dynamic[0]?.segment ?? 'app', 'dynamic', '\n\n'), ...dynamic] : [], false],
  ]
  return groups
    .filter(([pieces]) => pieces.length > 0)
    .map(([pieces, comesAgain]) => (comesAgain ? draft(pieces) : { ...draft(pieces), lasts: false }))
}

/** Leading systems as the profile takes them, put before the conversation. */
export function foldLeading(
  leading: readonly Leading[],
  appPrefix: string,
  drafts: readonly Draft[],
  profile: WireProfile,
  trace: Sentence[],
): readonly Draft[] {
  // A kept place counts where such text can be: a server that takes systems anywhere gets none.
  const kept = profile.midSystem !== 'anywhere' && leading.some((entry) => entry.group === 'app')
  const sendsTagged = kept || drafts.some((one) => one.wrapped)
  const app: Leading[] =
    sendsTagged && appPrefix.trim() !== ''
      ? [{ kind: 'leading', group: 'app', parts: [{ type: 'text', pieces: [frame('app', 'app_prefix', appPrefix)] }] }]
      : []
  if (profile.leadingSystems === 'many') return [...manySystems(leading, app), ...drafts]
  const all = [...app, ...leading].filter((entry) => entry.parts.length > 0)
  const pieces = textOf(all)
  if (pieces.length === 0) return drafts
  if (profile.leadingSystems === 'one') {
    if (all.length > 1) trace.push(said`folded ${all.length} leading systems into one`)
    return [draft(pieces), ...drafts]
  }
  trace.push(said`put the system prompt into the first user message, because this model takes no system message`)
  const part = { type: 'text' as const, pieces }
  const [first, ...rest] = drafts
  return first?.role === 'user'
    ? [{ ...first, parts: joinParts([[part], first.parts]) }, ...rest]
    : [messageDraft('user', [part]), ...drafts]
}
