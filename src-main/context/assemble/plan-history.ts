import { asDetail, type Said, said } from '../../ipc/said-contract'
import type { Message } from '../../sessions/contract'
import type { TurnInput } from '../block-source'
import type { Verdict } from '../contract'
import type { TargetNeeds } from '../request-contract'
import type { CacheHints } from './cache-marks'
import { type ExpandedMessage, type ExpandOptions, expandAnswer, expandUser, type HistoryEntry } from './expand-history'
import { windowStarts } from './history-window'
import type { Layout } from './layouts'
import { rememberPerMessage } from './remember'

export interface WindowStart {
  messageId: string
  /** Messages of the branch before it. */
  dropped: number
  limit: number
}

/** Which messages of the branch are sent, and as what. */
export interface HistoryPlan {
  /** What is sent of the branch, in order. */
  history: readonly HistoryEntry[]
  /** For each entry of `history`, the index in the branch of the message it comes from. */
  owners: readonly number[]
  /** Index in the branch of the newest user message, -1 when there is none. */
  draftIndex: number
  /** The answer a turn goes on with: it stands last. */
  cutOff: ExpandedMessage | undefined
  windowStart: WindowStart | null
  rejected: Verdict[]
  cache: Pick<CacheHints, 'historyStays' | 'rounds' | 'goesOn' | 'wentOn'>
}

/** Stored messages do not change, so what they become is worked out once per message and way of sending. */
const remembered = rememberPerMessage<ExpandedMessage>()

function expander(options: ExpandOptions): (message: Message) => ExpandedMessage {
  const way = `${options.sendReasoning} ${options.plainReasoning} ${options.toolTraffic} ${options.modelId}`
  const make = (message: Message) =>
    message.role === 'user' ? expandUser(message, 'history') : expandAnswer(message, options)
  return (message) => remembered(message, way, make)
}

function rangeVerdict(messages: readonly Message[], reason: string, detail: Said): Verdict[] {
  const first = messages[0]
  const last = messages.at(-1)
  if (!first || !last) return []
  const label = first.text.slice(0, 60).replace(/\s+/g, ' ').trim() || first.role
  const count = messages.length
  return [{ block: 'history', sourceId: first.id, through: last.id, count, label, reason, ...asDetail(detail) }]
}

export function historyLimitOf(turn: TurnInput): number {
  return turn.overrides.historyLimit ?? turn.session.historyLimit ?? turn.settings.context.historyLimit
}

/** How far the loop of tools has come, and whether those before it in this chat went further. */
function loopOf(history: readonly HistoryEntry[], draftIndex: number, owners: readonly number[]) {
  const roundsBy = new Map<number, number>()
  history.forEach(({ role }, at) => {
    const owner = owners[at] ?? -1
    if (role === 'tool') roundsBy.set(owner, (roundsBy.get(owner) ?? 0) + 1)
  })
  let rounds = 0
  const before: number[] = []
  for (const [owner, count] of roundsBy) {
    if (owner > draftIndex) rounds += count
    else before.push(count)
  }
  const mostWentOn = (from: number) => {
    const alike = before.filter((count) => count >= from)
    return alike.filter((count) => count > from).length * 2 >= alike.length
  }
  return { rounds, goesOn: mostWentOn(rounds), wentOn: mostWentOn(rounds - 1) }
}

/**
 * Cuts the branch to the window and expands what is left. The answer being written (or gone on with) does not count:
 * the window of a turn is fixed by its user message, so every round of a tool loop sends the same one.
 */
export function planHistory(turn: TurnInput, layout: Layout, needs: TargetNeeds): HistoryPlan {
  const { branch } = turn
  const options: ExpandOptions = {
    sendReasoning: turn.settings.context.sendReasoning,
    plainReasoning: needs.plainReasoning,
    modelId: turn.modelId,
    toolTraffic: !turn.isolated,
    keepFailed: false,
  }
  const expand = expander(options)
  const draftIndex = branch.findLastIndex((message) => message.role === 'user')
  const newest = branch.at(-1)
  const goneOn = turn.trigger === 'continue' && newest?.role === 'assistant' ? newest : undefined
  // looked at with nothing typed: the newest message was answered long ago and is history like the others
  const answered = newest?.role === 'assistant' && newest !== goneOn && newest.state !== 'streaming'
  const typedIndex = answered ? -1 : draftIndex
  const off = turn.overrides.blocksOff ?? []
  const limit = historyLimitOf(turn)

  const countAt = (index: number) => {
    const message = branch[index]
    if (!message || message === goneOn || message.state === 'streaming') return 0
    return expand(message).entries.length
  }
  const { now: inWindow, next } = windowStarts(branch, limit, layout.window, countAt)
  const from = off.includes('history') && draftIndex >= 0 ? draftIndex : inWindow
  const first = branch[inWindow]
  const rejected: Verdict[] =
    from > inWindow || off.includes('history')
      ? rangeVerdict(branch.slice(0, from), 'what_if', 'Switched off for this look.')
      : rangeVerdict(branch.slice(0, from), 'outside_window', said`The window holds ${limit} messages, in whole turns.`)

  const history: HistoryEntry[] = []
  const owners: number[] = []
  for (let index = from; index < branch.length; index++) {
    const message = branch[index]
    if (!message || message === goneOn) continue
    if (index === typedIndex && off.includes('draft')) {
      rejected.push(...rangeVerdict([message], 'what_if', 'Switched off for this look.'))
      continue
    }
    const expanded = index === typedIndex ? expandUser(message, 'draft') : expand(message)
    if (expanded.rejected.length > 0) rejected.push(...expanded.rejected)
    for (let at = 0; at < expanded.entries.length; at++) owners.push(index)
    history.push(...expanded.entries)
  }
  const cutOff = goneOn ? expandAnswer(goneOn, { ...options, keepFailed: true }) : undefined
  if (cutOff) rejected.push(...cutOff.rejected)
  const windowStart = inWindow > 0 && first ? { messageId: first.id, dropped: inWindow, limit } : null
  const cache = { historyStays: next === inWindow, ...loopOf(history, draftIndex, owners) }
  return { history, owners, draftIndex, cutOff, windowStart, rejected, cache }
}
