import type { WireProfile } from '../../models/contract'
import { joinParts } from './parts'
import { frame } from './render-block'
import { type Draft, wrapDraft } from './wire-drafts'

/** An at-depth answer may not open the conversation, nor close it where roles must alternate. */
export function tameAssistantReminders(drafts: readonly Draft[], profile: WireProfile, trace: string[]): Draft[] {
  if (!profile.alternate && !profile.userFirst) return [...drafts]
  const firstSpoken = drafts.findIndex((draft) => draft.role !== 'system')
  let first = firstSpoken
  let last = drafts.length - 1
  const reminder = (index: number) => drafts[index]?.role === 'assistant' && drafts[index]?.source !== undefined
  while (reminder(first)) first++
  if (profile.alternate) while (last >= first && reminder(last)) last--
  return drafts.map((draft, index) => {
    if (!reminder(index) || (index >= first && index <= last)) return draft
    trace.push(`sent the assistant text ${draft.source} as tagged user text`)
    return wrapDraft(draft)
  })
}

function merged(above: Draft, below: Draft): Draft {
  const floats = above.floats || below.floats
  const parts = joinParts(above.parts, below.parts)
  const both: Draft = { role: above.role, parts, mid: above.mid, floats }
  return above.wrapped || below.wrapped ? { ...both, wrapped: true } : both
}

/** Index after the run of user drafts that starts here, and whether a real message is among them. */
function userRun(drafts: readonly Draft[], start: number): { end: number; real: boolean } {
  let end = start
  let real = false
  for (; drafts[end]?.role === 'user'; end++) real ||= drafts[end]?.source === undefined
  return { end, real }
}

/**
 * Strict alternation: neighbours of one role become one message. Reminders that would stand between a tool result and
 * the answer to it join the newest user message above instead, where the next round finds the same bytes.
 */
export function mergeNeighbours(drafts: readonly Draft[], profile: WireProfile, trace: string[]): Draft[] {
  if (!profile.alternate) return [...drafts]
  const out: Draft[] = []
  let merges = 0
  for (let index = 0; index < drafts.length; ) {
    const draft = drafts[index]
    if (!draft) break
    const run = draft.role === 'user' ? userRun(drafts, index) : { end: index + 1, real: true }
    const afterTool = out.at(-1)?.role === 'tool'
    const target =
      afterTool && !run.real
        ? out.findLastIndex((one) => one.role === 'user')
        : out.at(-1)?.role === draft.role && draft.role !== 'tool' && draft.role !== 'system'
          ? out.length - 1
          : -1
    const one = drafts.slice(index, run.end).reduce(merged)
    merges += run.end - index - 1
    const above = out[target]
    if (above) {
      out[target] = merged(above, one)
      merges++
    } else out.push(one)
    index = run.end
  }
  if (merges > 0)
    trace.push(`merged ${merges} ${merges === 1 ? 'message' : 'messages'} into neighbours of the same role`)
  return out
}

/** Where the server wants a user message first and the branch begins with an answer, the app opens. */
export function putUserFirst(drafts: readonly Draft[], profile: WireProfile, trace: string[]): Draft[] {
  const at = drafts.findIndex((draft) => draft.role !== 'system')
  if (!profile.userFirst || at < 0 || drafts[at]?.role === 'user') return [...drafts]
  trace.push('opened with a user message, because this server wants one first')
  const pieces = [frame('app', 'opening', 'The conversation begins with the assistant.')]
  const opening = wrapDraft({ role: 'user', parts: [{ type: 'text', pieces }], mid: false, floats: false })
  return [...drafts.slice(0, at), opening, ...drafts.slice(at)]
}

/**
 * Index of the last message that will stand there with the same bytes next turn: not a system, and before the first
 * text that floats. -1 when there is none.
 */
export function lastLastingMessage(drafts: readonly Draft[]): number {
  let last = -1
  for (const [index, draft] of drafts.entries()) {
    if (draft.floats) return last
    if (draft.role !== 'system') last = index
  }
  return last
}
