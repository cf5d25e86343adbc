import { type Sentence, said } from '../../ipc/said-contract'
import type { WireProfile } from '../../models/contract'
import { REMINDERS, type ReminderSource } from '../reminders-contract'
import type { RequestEntry, RequestPart, WireMessage } from '../request-contract'
import { defusePieces } from './borders'
import { joinParts, saysNothing } from './parts'
import { frame } from './render-block'

/** A message on its way to the wire, with what it came from. Never changed in place. */
export interface Draft extends Readonly<WireMessage> {
  /** The reminder it came from; history has none. */
  readonly source?: ReminderSource
  /** Went out as `<system-reminder>` user text. */
  readonly wrapped?: boolean
  /** Holds text that will stand elsewhere, or not at all, next turn. */
  readonly floats: boolean
  /** A leading system whose bytes may be others next turn. */
  readonly lasts?: false
}

/** What stands elsewhere, or not at all, next turn. Landmarks do not: the same history gives the same bytes. */
const FLOATING: readonly ReminderSource[] = ['at_depth', 'continue', 'enhanced', 'retrieved', 'worldbook']

/** Neighbours as one message, of the first one's role. */
export function joinDrafts(drafts: readonly [Draft, ...Draft[]]): Draft {
  const [first] = drafts
  if (drafts.length === 1) return first
  const { source: _source, ...rest } = first
  const joined = {
    ...(first.mid ? first : rest),
    parts: joinParts(drafts.map((draft) => draft.parts)),
    floats: drafts.some((draft) => draft.floats),
  }
  return drafts.some((draft) => draft.wrapped) ? { ...joined, wrapped: true } : joined
}

/** Mid systems in a row become one where the placement rule would refuse them singly, or where both waited for it. */
function standTogether(above: Draft | undefined, draft: Draft, profile: WireProfile): boolean {
  if (profile.midSystem === 'none' || !above?.mid || !draft.mid) return false
  return (
    profile.midSystem === 'anthropic' || [above, draft].every(({ source }) => source && REMINDERS[source].mayBubble)
  )
}

/** An ordinary message. */
export function messageDraft(role: Draft['role'], parts: Draft['parts']): Draft {
  return { role, parts, mid: false, mark: false, floats: false }
}

function draftOf(entry: Exclude<RequestEntry, { kind: 'leading' }>, trace: Sentence[]): Draft {
  if (entry.kind === 'message') return messageDraft(entry.role, entry.parts)
  const { source, role, parts } = entry
  const { mayProject } = REMINDERS[source]
  const draft = { role, parts, mid: role === 'system', mark: false, source, floats: FLOATING.includes(source) }
  if (mayProject || !draft.mid) return draft
  trace.push(said`sent the reminder ${source} as tagged user text`)
  return wrapDraft(draft)
}

/** One draft per entry that says something, mid systems that belong together as one. */
export function draftsOf(entries: readonly RequestEntry[], profile: WireProfile, trace: Sentence[]): Draft[] {
  const drafts: Draft[] = []
  let run: Draft[] = []
  const flush = () => {
    const [first, ...others] = run
    if (first) drafts.push(joinDrafts([first, ...others]))
    for (const { source } of others) trace.push(said`joined the reminder ${source ?? ''} with the one before it`)
    run = []
  }
  for (const entry of entries) {
    if (entry.kind === 'leading' || saysNothing(entry.parts)) continue
    const draft = draftOf(entry, trace)
    if (run.length > 0 && !standTogether(run.at(-1), draft, profile)) flush()
    if (draft.mid) run.push(draft)
    else drafts.push(draft)
  }
  flush()
  return drafts
}

function wrapped(parts: Draft['parts']): Draft['parts'] {
  return parts.map((part): RequestPart => {
    if (part.type !== 'text') return part
    const segment = part.pieces[0]?.segment ?? 'app'
    const tag = 'system-reminder'
    const body = defusePieces(part.pieces, 'reminder')
    return { type: 'text', pieces: [frame(segment, tag, `<${tag}>\n`), ...body, frame(segment, tag, `\n</${tag}>`)] }
  })
}

/** Old landmarks are wrapped again in every request of a chat. */
const known = new WeakMap<Draft['parts'], Draft['parts']>()

/** `<system-reminder>` user text; an imitation of the border inside it is defused. */
export function wrapDraft(draft: Draft): Draft {
  const parts = known.get(draft.parts) ?? wrapped(draft.parts)
  known.set(draft.parts, parts)
  return { ...draft, role: 'user', parts, mid: false, wrapped: true }
}

/** The placement rule: after a user message or tool result, before an answer or the end, under a leading system. */
function mayStand(drafts: readonly Draft[], index: number, above: Draft | undefined, hasLeading: boolean): boolean {
  const below = drafts[index + 1]
  return (
    hasLeading &&
    (above?.role === 'user' || above?.role === 'tool') &&
    (below === undefined || below.role === 'assistant')
  )
}

/** Mid systems the profile would refuse at their place become `<system-reminder>` user text there. */
export function downgradeMidSystems(
  drafts: readonly Draft[],
  profile: WireProfile,
  hasLeading: boolean,
  trace: Sentence[],
): readonly Draft[] {
  if (profile.midSystem === 'anywhere' || !drafts.some(({ mid }) => mid)) return drafts
  const out: Draft[] = []
  // a long chat has hundreds of landmarks: one sentence serves them all
  const sentences = new Map<ReminderSource | undefined, Sentence>()
  drafts.forEach((draft, index) => {
    if (!draft.mid || (profile.midSystem === 'anthropic' && mayStand(drafts, index, out.at(-1), hasLeading))) {
      out.push(draft)
      return
    }
    const { source } = draft
    const sentence = sentences.get(source) ?? said`sent the reminder ${source ?? ''} as tagged user text`
    sentences.set(source, sentence)
    trace.push(sentence)
    out.push(wrapDraft(draft))
  })
  return out
}
