import type { Block, BlockTag, LayoutName, Placement } from '../contract'

/** Where a slot stands in the request. History lies between `before_history` and `after_history`. */
export type Zone =
  | 'leading_whole'
  | 'leading_stable'
  | 'leading_dynamic'
  | 'before_history'
  | 'before_newest'
  | 'after_history'

export interface Slot {
  zone: Zone
  block: Block
  at: Placement['at']
  /** Absent = the text stands without a tag of its own. */
  tag?: BlockTag
  /** Which items it takes, by cache hint. */
  take: 'all' | 'stable' | 'dynamic'
}

export interface Layout {
  slots: readonly Slot[]
  /** How the history window is cut: turn by turn, or in blocks so that its start moves once in many turns. */
  window: 'sliding' | 'blocks'
  /** Where entries deeper than 0 go: to their depth, or with the other changing text right before the newest message. */
  depths: 'in_place' | 'before_newest'
  /** The app prefix stands at the head of every request that may need it, so that the head does not come and go. */
  prefixStays: boolean
  /** Old turns keep the time they were sent with, instead of landmarks. */
  timeStaysWithTurn: boolean
}

type Row = readonly [block: Block, at: Placement['at'], tag?: BlockTag]

function slots(zone: Zone, take: Slot['take'], rows: readonly Row[]): Slot[] {
  return rows.map(([block, at, tag]) => (tag ? { zone, take, block, at, tag } : { zone, take, block, at }))
}

const before: Row = ['worldbook', 'worldbook_before', 'worldbook_before']
const globalPrompt: Row = ['system_prompt', 'block', 'system_prompt']
const topicPrompt: Row = ['topic_prompt', 'block', 'topic_prompt']
const outlets: Row = ['worldbook', 'outlet', 'worldbook_outlet']
const time: Row = ['time', 'block', 'time']
const memory: Row = ['memory', 'block', 'memory']
const recent: Row = ['recent_conversation_memory', 'block', 'recent_conversation_memory']
const profile: Row = ['user_profile_memory', 'block', 'user_profile_memory']
const after: Row = ['worldbook', 'worldbook_after', 'worldbook_after']
const noteTop: Row = ['worldbook', 'worldbook_an_top', 'worldbook_an_top']
const examplesTop: Row = ['worldbook', 'examples_top']
const examplesBottom: Row = ['worldbook', 'examples_bottom']
const noteBottom: Row = ['worldbook', 'worldbook_an_bottom', 'worldbook_an_bottom']
const enhanced: Row = ['enhanced_prompt', 'block', 'enhanced_prompt']

/** The order of every request, in one place. */
export const LAYOUT_SLOTS: Readonly<Record<LayoutName, Layout>> = {
  documented: {
    window: 'sliding',
    depths: 'in_place',
    prefixStays: false,
    timeStaysWithTurn: false,
    slots: [
      ...slots('leading_whole', 'all', [
        before,
        globalPrompt,
        topicPrompt,
        outlets,
        time,
        memory,
        recent,
        profile,
        after,
      ]),
      ...slots('before_history', 'all', [noteTop, examplesTop]),
      ...slots('after_history', 'all', [examplesBottom, noteBottom, enhanced]),
    ],
  },
  'cache-first': {
    window: 'blocks',
    depths: 'before_newest',
    prefixStays: true,
    timeStaysWithTurn: true,
    slots: [
      ...slots('leading_stable', 'stable', [before, globalPrompt, topicPrompt, outlets, after]),
      ...slots('leading_stable', 'all', [profile, recent]),
      ...slots('leading_stable', 'stable', [memory]),
      ...slots('leading_dynamic', 'dynamic', [globalPrompt, topicPrompt]),
      ...slots('before_history', 'stable', [noteTop, examplesTop]),
      ...slots('before_newest', 'dynamic', [memory, before, outlets, after, noteTop, examplesTop]),
      ...slots('before_newest', 'all', [time]),
      ...slots('after_history', 'all', [examplesBottom, noteBottom, enhanced]),
    ],
  },
}
