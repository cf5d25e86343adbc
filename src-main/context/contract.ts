import type { Words } from '../ipc/said-contract'
import type { ReminderSource } from './reminders-contract'

/** The eight blocks, in documented order. The order is written here and nowhere else. */
export const BLOCKS = [
  'system_prompt',
  'topic_prompt',
  'time',
  'memory',
  'recent_conversation_memory',
  'user_profile_memory',
  'worldbook',
  'enhanced_prompt',
] as const
export type Block = (typeof BLOCKS)[number]

/** Where tokens are booked, in request order. Attribution follows the source of a text, not its place. */
export const SEGMENTS = [
  'app',
  'worldbook',
  'system_prompt',
  'topic_prompt',
  'time',
  'memory',
  'recent_conversation_memory',
  'user_profile_memory',
  'tools',
  'history',
  'enhanced_prompt',
  'draft',
] as const
export type Segment = (typeof SEGMENTS)[number]

/** Every tag the app writes. Text from others may not close or open one of these. */
export const BLOCK_TAGS = [
  'system_prompt',
  'topic_prompt',
  'time',
  'memory',
  'recent_conversation_memory',
  'user_profile_memory',
  'worldbook_before',
  'worldbook_after',
  'worldbook_an_top',
  'worldbook_an_bottom',
  'worldbook_outlet',
  'enhanced_prompt',
  'instruction_file',
  'system-reminder',
] as const
export type BlockTag = (typeof BLOCK_TAGS)[number]

export const LAYOUTS = ['documented', 'cache-first'] as const
export type LayoutName = (typeof LAYOUTS)[number]

export type Role = 'system' | 'user' | 'assistant' | 'tool'
export type SpokenRole = 'system' | 'user' | 'assistant'

/** Why a block says nothing this turn. Codes are fixed; words live in the renderer's catalogue. */
export const ABSENT_CODES = [
  'off', // switched off in settings or for this session
  'none_selected', // no global prompt chosen
  'empty', // chosen, but nothing but white space
  'not_set_up', // the room has never been given anything to work with
  'nothing_stored',
  'nothing_relevant', // retrieval ran, nothing passed (detail: best rejected score)
  'no_entry_fired', // worldbooks bound, no entry activated
  'none_bound', // no worldbook bound
  'empty_query', // the draft says nothing to look for
  'isolated',
  'temporary', // temporary chats keep and read no memories
  'timed_out',
  'failed',
  'what_if', // switched off for this look only
] as const
export type AbsentCode = (typeof ABSENT_CODES)[number]

export interface AbsentBlock {
  block: Block | 'tools'
  reason: AbsentCode
  /** A plain sentence with the figures of this turn, or the error. */
  detail?: string
  words?: Words
}

/** What happened to one candidate that is not in the request. Every candidate has exactly one verdict: a span or this. */
export interface Verdict {
  block: Block | 'history' | 'tools'
  sourceId: string
  label: string
  /** Machine-readable: `over_budget`, `below_margin`, `over_top_k`, `superseded`, `outside_window`, `isolated`, … */
  reason: string
  detail?: string
  words?: Words
  tokens?: number
  score?: number
  /** Set when one verdict stands for a run of neighbours (messages outside the window): the last id and how many. */
  through?: string
  count?: number
}

/** Where one item of a block goes. Rooms say the place, the layout says the order of places. */
export type Placement =
  | { at: 'block' } // inside the block's own tag (memory, prompts, time, …)
  | { at: 'worldbook_before' | 'worldbook_after' | 'worldbook_an_top' | 'worldbook_an_bottom' }
  | { at: 'examples_top' | 'examples_bottom' }
  | { at: 'outlet'; name: string }
  /** `depth` messages of the original history stay after it. Already cleaned: an integer from 0 up. */
  | { at: 'depth'; depth: number; role: SpokenRole }

/** Why a text is in the request, for the inspector. Rooms add their own figures in `detail`. */
export interface Why {
  /** Machine-readable: `selected`, `session`, `always`, `retrieved`, `constant`, `key`, `recursion`, `sticky`, `forced`, … */
  code: string
  detail?: string
  words?: Words
  score?: number
}

/** Smallest piece kept or dropped as a whole, with where it goes and why it is here. */
export interface BlockItem {
  /** Stable over turns: a memory id, `book/entry`, a prompt id. */
  id: string
  /** For people: a title, a memory's first words, an entry's comment. */
  label: string
  /** Bare text: not escaped, no tag, no framing. The assembler adds those. */
  text: string
  placement: Placement
  cacheHint: 'stable' | 'dynamic'
  /** Low order stands first within the same place. Ties keep the room's own order. */
  order: number
  why: Why
}

/** What one room wants to say this turn. It knows nothing of other rooms, budget or provider. */
export interface ContextBlock {
  block: Block
  items: readonly BlockItem[]
  /** Set exactly when there are no items. */
  absent?: AbsentBlock
  rejected: readonly Verdict[]
  /** True when the text was written by the user for this purpose (prompts): only the own closing tag is defused. */
  ownText: boolean
  /** The sentence before the items, already filled in. Absent for user text. */
  framing?: string
  /** The room's own record of this turn (worldbook trace, retrieval): kept beside the ledger, never interpreted here. */
  record?: unknown
  /** To be written when the turn is really sent (timers, access counts). Previews never run it. */
  commit?: (sent: { turnId: string; userMessageId: string; replyMessageId: string }) => void
}

/** How a request entry that is not an ordinary message came to be. */
export interface ReminderMark {
  source: ReminderSource
}

/** One ordered piece of the request, after projection. The ledger is the list of these and nothing else. */
export interface Span {
  /** Stable within a request: `m3.p0.s1`. */
  id: string
  segment: Segment
  /** A block item's id, a message id, `frame:<tag>` for tags and framing, a tool id. Never empty. */
  sourceId: string
  label: string
  role: Role
  text: string
  tokens: number
  /** Index of the wire message it stands in; -1 for the tool list, which is no message. */
  message: number
  /** What kind of content carries it. `image` and `file` spans have text '' and estimated tokens. */
  kind: 'text' | 'reasoning' | 'tool-call' | 'tool-result' | 'image' | 'file' | 'tool-definition'
  why?: Why
}
export type Ledger = readonly Span[]

/** How far a number can be trusted. */
export type UsageQuality = 'reported' | 'calibrated' | 'estimated'

export interface UsageContributor {
  sourceId: string
  label: string
  tokens: number
}

export interface SegmentUsage {
  segment: Segment
  tokens: number
  /** tokens ÷ budget (÷ used when the window is unknown), 0–1. */
  share: number
  /** At most five, biggest first. */
  top: UsageContributor[]
  /** How many further contributors there are. */
  more: number
}

/**
 * Tokens, integers. `budget = min(model input limit, window − reserved)`, `used` = Σ segments,
 * `percent = used ÷ budget × 100`, `free = max(0, budget − used)`, `over = max(0, used − budget)`.
 * Window unknown: no window, budget, free, percent. Not over and no `maxInput`: used + reserved + free = window.
 */
export interface ContextUsage {
  window?: number
  reserved: number
  /** The model's own input limit, only where it is what the budget comes from. */
  maxInput?: number
  budget?: number
  used: number
  free?: number
  over: number
  percent?: number
  quality: UsageQuality
  /** Only segments with tokens, in request order. */
  segments: SegmentUsage[]
  /** Attachments whose tokens nobody knows, by label. */
  notCounted?: string[]
  /** The server reported far fewer tokens than were sent. */
  truncatedByServer?: { sent: number; reported: number; front: string[] }
  cached?: { tokens: number; of: number }
}

/** A what-if: changes this look only, stores nothing. */
export interface Overrides {
  blocksOff?: readonly (Block | 'tools' | 'history' | 'draft')[]
  topK?: number
  layout?: LayoutName
  historyLimit?: number
  isolation?: boolean
  reservedOutput?: number
}
