import { type Sentence, said } from '../../ipc/said-contract'
import type { WireProfile } from '../../models/contract'
import { frame } from './render-block'
import { type Draft, joinDrafts, wrapDraft } from './wire-drafts'

/** An at-depth answer may not open the conversation, nor close it where roles must alternate. */
export function tameAssistantReminders(drafts: readonly Draft[], profile: WireProfile, trace: Sentence[]): Draft[] {
  if (!profile.alternate && !profile.userFirst) return [...drafts]
  const firstSpoken = drafts.findIndex((draft) => draft.role !== 'system')
  let first = firstSpoken
  let last = drafts.length - 1
  const reminder = (index: number) => drafts[index]?.role === 'assistant' && drafts[index]?.source !== undefined
  while (reminder(first)) first++
  if (profile.alternate) while (last >= first && reminder(last)) last--
  return drafts.map((draft, index) => {
    if (!reminder(index) || (index >= first && index <= last)) return draft
    trace.push(said`sent the assistant text ${draft.source ?? ''} as tagged user text`)
    return wrapDraft(draft)
  })
}

type Run = [Draft, ...Draft[]]

/** Neighbours of one role; tool results and systems stay single. */
function runsOf(drafts: readonly Draft[]): Run[] {
  const runs: Run[] = []
  for (const draft of drafts) {
    const run = runs.at(-1)
    const merges = draft.role === 'user' || draft.role === 'assistant'
    if (run && merges && run[0].role === draft.role) run.push(draft)
    else runs.push([draft])
  }
  return runs
}

/**
 * Strict alternation: neighbours of one role become one message. Reminders that would stand between a tool result and
 * the answer to it join the newest user message above instead, where the next round finds the same bytes.
 */
export function mergeNeighbours(drafts: readonly Draft[], profile: WireProfile, trace: Sentence[]): Draft[] {
  if (!profile.alternate) return [...drafts]
  const kept: Run[] = []
  let newestUser: Run | undefined
  for (const run of runsOf(drafts)) {
    const user = run[0].role === 'user'
    const onlyReminders = user && run.every((draft) => draft.source !== undefined)
    if (onlyReminders && newestUser && kept.at(-1)?.[0].role === 'tool') newestUser.push(...run)
    else {
      kept.push(run)
      if (user) newestUser = run
    }
  }
  const merges = drafts.length - kept.length
  if (merges > 0)
    trace.push(
      merges === 1
        ? said`merged 1 message into neighbours of the same role`
        : said`merged ${merges} messages into neighbours of the same role`,
    )
  return kept.map(joinDrafts)
}

/** Where the server wants a user message first and the branch begins with an answer, the app opens. */
export function putUserFirst(drafts: readonly Draft[], profile: WireProfile, trace: Sentence[]): Draft[] {
  const at = drafts.findIndex((draft) => draft.role !== 'system')
  if (!profile.userFirst || at < 0 || drafts[at]?.role === 'user') return [...drafts]
  trace.push(said`opened with a user message, because this server wants one first`)
  const pieces = [frame('app', 'opening', 'The conversation begins with the assistant.')]
  const opening = wrapDraft({ role: 'user', parts: [{ type: 'text', pieces }], mid: false, floats: false })
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
