import { type Sentence, said } from '../../ipc/said-contract'
import type { WireProfile } from '../../models/contract'
import { frame } from './render-block'
import { type Draft, joinDrafts, messageDraft, wrapDraft } from './wire-drafts'

type Run = [Draft, ...Draft[]]

const single = (draft: Draft): Run => [draft]
const isReminder = ({ source }: Draft): boolean => source !== undefined
const NO_DRAFTS: readonly Draft[] = []

/** An at-depth answer may not open the conversation, nor close it where roles must alternate. */
export function tameAssistantReminders(
  drafts: readonly Draft[],
  profile: WireProfile,
  trace: Sentence[],
): readonly Draft[] {
  if (!profile.alternate && !profile.userFirst) return drafts
  const untamed = (draft: Draft | undefined) => draft?.role === 'assistant' && isReminder(draft)
  if (!drafts.some(untamed)) return drafts
  const firstSpoken = drafts.findIndex((draft) => draft.role !== 'system')
  let first = firstSpoken
  let last = drafts.length - 1
  while (untamed(drafts[first])) first++
  if (profile.alternate) while (last >= first && untamed(drafts[last])) last--
  return drafts.map((draft, index) => {
    if (!untamed(draft) || (index >= first && index <= last)) return draft
    trace.push(said`sent the assistant text ${draft.source ?? ''} as tagged user text`)
    return wrapDraft(draft)
  })
}

/** Where the neighbours of one role end that begin at an index; tool results and systems stay single. */
function endOfRun(drafts: readonly Draft[], from: number): number {
  const role = drafts[from]?.role
  let end = from + 1
  if (role === 'user' || role === 'assistant') while (drafts[end]?.role === role) end++
  return end
}

/**
 * Strict alternation: neighbours of one role become one message. Reminders that would stand between a tool result and
 * the answer to it join the newest user message above instead, where the next round finds the same bytes.
 */
export function mergeNeighbours(drafts: readonly Draft[], profile: WireProfile, trace: Sentence[]): readonly Draft[] {
  if (!profile.alternate) return drafts
  const kept: Draft[] = []
  /** By index in `kept`: the neighbours that join there. */
  const joining = new Map<number, Run>()
  let newestUser = -1
  for (let from = 0, end = 0; from < drafts.length; from = end) {
    end = endOfRun(drafts, from)
    const first = drafts[from]
    if (!first) break
    const others = end - from > 1 ? drafts.slice(from + 1, end) : NO_DRAFTS
    const above = kept[newestUser]
    if (above && first.role === 'user' && kept.at(-1)?.role === 'tool' && [first, ...others].every(isReminder)) {
      joining.set(newestUser, [...(joining.get(newestUser) ?? single(above)), first, ...others])
      continue
    }
    if (others.length > 0) joining.set(kept.length, [first, ...others])
    if (first.role === 'user') newestUser = kept.length
    kept.push(first)
  }
  for (const [at, run] of joining) kept[at] = joinDrafts(run)
  const merges = drafts.length - kept.length
  if (merges > 0)
    trace.push(
      merges === 1
        ? said`merged 1 message into neighbours of the same role`
        : said`merged ${merges} messages into neighbours of the same role`,
    )
  return kept
}

/** Where the server wants a user message first and the branch begins with an answer, the app opens. */
export function putUserFirst(drafts: readonly Draft[], profile: WireProfile, trace: Sentence[]): readonly Draft[] {
  const at = drafts.findIndex((draft) => draft.role !== 'system')
  if (!profile.userFirst || at < 0 || drafts[at]?.role === 'user') return drafts
  trace.push(said`opened with a user message, because this server wants one first`)
  const pieces = [frame('app', 'opening', 'The conversation begins with the assistant.')]
  const opening = wrapDraft(messageDraft('user', [{ type: 'text', pieces }]))
  return [...drafts.slice(0, at), opening, ...drafts.slice(at)]
}

/**
 * Index of the last message that will stand there with the same bytes next turn: not a system, and before the first
 * text that floats. -1 when there is none.
 */
export function lastLastingMessage(drafts: readonly Draft[]): number {
  const floating = drafts.findIndex((draft) => draft.floats)
  let last = (floating < 0 ? drafts.length : floating) - 1
  while (last >= 0 && drafts[last]?.role === 'system') last--
  return last
}
