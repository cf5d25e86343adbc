import type { WireProfile } from '../../models/contract'
import { lastLastingMessage } from './shape-messages'
import type { Draft } from './wire-drafts'

/** What the marks must know that the messages do not show. */
export interface CacheHints {
  /** The window begins at the same message next turn. */
  historyStays: boolean
  /** Rounds of tools that the answer being written has behind it. */
  rounds: number
  /** Earlier answers with as many rounds went on to more; true where there were none. */
  goesOn: boolean
  /** The same, as it was one round ago: what was marked then can be read now. */
  wentOn: boolean
  /** Entries at a depth move with every message, also while tools run. */
  depthsWander: boolean
}

export const CALM: CacheHints = { historyStays: true, rounds: 0, goesOn: false, wentOn: false, depthsWander: false }

/** Anthropic honours four. */
const MOST_MARKS = 4

const isTyped = ({ role, source, wrapped }: Draft): boolean => role === 'user' && source === undefined && !wrapped

/** Index of the last leading system that comes again, and whether all of them do. -1 when none does. */
function headOf(drafts: readonly Draft[]): { last: number; whole: boolean } {
  const end = drafts.findIndex(({ role, mid }) => role !== 'system' || mid)
  const leading = end < 0 ? drafts.length : end
  const changing = drafts.slice(0, leading).findIndex(({ lasts }) => lasts === false)
  return changing < 0 ? { last: leading - 1, whole: true } : { last: changing - 1, whole: false }
}

/** Blocks a provider looks back over from a mark for what it has, with some to spare: adapters add blocks. */
const LOOK_BACK = 16

/** A mark further up finds what one this far down would miss. -1 where the lower one finds it by itself. */
function ifFar(drafts: readonly Draft[], upper: number, lower: number): number {
  const blocks = drafts.slice(upper + 1, lower + 1).reduce((sum, { parts }) => sum + parts.length, 0)
  return upper >= 0 && blocks > LOOK_BACK ? upper : -1
}

/** Where the turn before had its mark: a loop of tools in between may be longer than a provider looks back. */
function markBefore(drafts: readonly Draft[], lasting: number): number {
  const typed = drafts.flatMap((draft, index) => (isTyped(draft) ? [index] : []))
  const newest = typed.at(-1) ?? -1
  const before = typed.at(-2) ?? -1
  if (before < 0 || lasting >= newest) return before
  let index = before - 1
  while (index >= 0 && (drafts[index]?.source !== undefined || drafts[index]?.role === 'system')) index -= 1
  return index
}

/** The results of the newest round, to be kept for the next, and those of the one before, to be read. -1 for none. */
function loopMarks(drafts: readonly Draft[], lasting: number, hints: CacheHints): { newest: number; before: number } {
  const none = { newest: -1, before: -1 }
  if (hints.rounds === 0 || hints.depthsWander) return none
  const tools = drafts.flatMap(({ role }, index) => (role === 'tool' ? [index] : []))
  const last = tools.at(-1) ?? -1
  const newest = lasting >= last || hints.goesOn ? last : -1
  const before = hints.rounds > 1 && (lasting >= last || hints.wentOn) ? (tools.at(-2) ?? -1) : -1
  return { newest, before: newest < 0 ? before : ifFar(drafts, before, newest) }
}

/**
 * Marks a block only where everything before it comes again with the same bytes: a block written to a provider's cache
 * costs a quarter more than one that is only read, and pays when the next request finds it.
 */
export function withMarks(drafts: readonly Draft[], profile: WireProfile, hints: CacheHints = CALM): readonly Draft[] {
  if (profile.marks === 'none') return drafts
  const head = headOf(drafts)
  const lasting = head.whole && hints.historyStays ? lastLastingMessage(drafts) : -1
  const loop = loopMarks(drafts, lasting, hints)
  const lookBack = lasting < 0 ? -1 : ifFar(drafts, markBefore(drafts, lasting), lasting)
  // what matters most comes first; without a head the tool list takes the fourth
  const wanted = [...new Set([head.last, loop.newest, lasting, loop.before, lookBack])].filter((at) => at >= 0)
  const marked = new Set(wanted.slice(0, head.last >= 0 ? MOST_MARKS : MOST_MARKS - 1))
  return drafts.map((draft, index) => (marked.has(index) ? { ...draft, mark: true } : draft))
}
