import { z } from 'zod'
import type { Words } from '../../ipc/said-contract'
import { worldbookSettingsSchema } from './book-contract'
import { type EntryRole, GENERATION_TRIGGERS, type Position } from './entry-contract'

export interface EntryRef {
  worldbookId: string
  entryId: string
  comment: string
}

/** Where a key was found. `message` counts from the end (−1 = newest); `span` is [start, end) in UTF-16 units of the text. */
export type KeyPlace =
  | { in: 'message'; message: number; span: [number, number] }
  | { in: 'topic_prompt'; span: [number, number] }
  | { in: 'entry'; entry: EntryRef; span: [number, number] }

/** Why an entry fired. `text` says it in one line; `chain` runs from the first entry to the one just before this. */
export type FiredWhy = { text: string; words?: Words } & (
  | { kind: 'constant' }
  | { kind: 'key'; key: string; matched: string; place: KeyPlace; secondary: string[] }
  | { kind: 'recursion'; key: string; matched: string; place: KeyPlace; secondary: string[]; chain: EntryRef[] }
  | { kind: 'sticky'; until: number }
  | { kind: 'forced' }
  | { kind: 'similarity'; score: number }
)

/** Every way not to fire; an entry gets exactly one. */
export const NOT_FIRED_REASONS = [
  'disabled',
  'malformed',
  'trigger',
  'decorator',
  'no_keys',
  'no_key_matched',
  'outside_scan_depth',
  'secondary_failed',
  'delay',
  'cooldown',
  'delay_until_recursion',
  'excluded_from_recursion',
  'lost_group',
  'probability',
  'over_budget',
  'out_of_time',
] as const
export type NotFiredReason = (typeof NOT_FIRED_REASONS)[number]

export interface Fired extends EntryRef {
  content: string
  why: FiredWhy
  /** 1 = first sweep. */
  sweep: number
  position: Position
  /** Only at depth. */
  depth?: number
  role?: EntryRole
  /** Only in an outlet. */
  outletName?: string
  order: number
  tokens: number
}

/** `detail` is the reason in words with its numbers; `facts` the same numbers to compute with. */
export interface NotFired extends EntryRef {
  reason: NotFiredReason
  detail: string
  words?: Words
  facts?: Record<string, unknown>
}

export interface WorldbookWarning {
  worldbookId?: string
  entryId?: string
  code: string
  message: string
  words?: Words
}

export interface DepthBlock {
  depth: number
  role: EntryRole
  text: string
}

/** Joined texts, low order on top. `chat` is the message list with the at-depth blocks in place. */
export interface Placements {
  before: string
  after: string
  anTop: string
  anBottom: string
  examplesTop: string
  examplesBottom: string
  outlets: Record<string, string[]>
  depth: DepthBlock[]
  chat: { role: string; text: string; inserted?: true }[]
}

/** Opaque to callers: pass back what the last evaluation gave. Counts are messages of the visible branch. */
export interface Timers {
  version: 1
  effects: TimerEffect[]
}
export interface TimerEffect {
  worldbookId: string
  entryId: string
  /** Hash of the entry's meaning; another meaning ends the effect. */
  meaning: string
  kind: 'sticky' | 'cooldown'
  start: number
  /** Exclusive; null = for ever. */
  end: number | null
  /** A cooldown that followed a sticky span remembers it, so that a shortened branch gets it back. */
  after?: { start: number; end: number }
}

export interface EvaluateResult {
  fired: Fired[]
  notFired: NotFired[]
  placements: Placements
  timers: Timers
  warnings: WorldbookWarning[]
  /** The seed the draws came from; the same seed gives the same result. */
  seed: string
  sweeps: number
  /** Tokens; a limit of null = the window is unknown and no cap is set. */
  budget: { limit: number | null; used: number }
  elapsedMs: number
}

/**
 * What the inspector, the tester and a turn's record show. For large books a record leaves the entries out that nothing
 * in the text asked for and gives their number by reason instead.
 */
export type Trace = EvaluateResult & { omitted?: Partial<Record<NotFiredReason, number>> }

export const evaluateInputSchema = z.strictObject({
  books: z.array(z.string()),
  /** Oldest first: the visible branch including the draft. */
  messages: z.array(
    z.strictObject({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      text: z.string(),
      name: z.string().optional(),
    }),
  ),
  settings: worldbookSettingsSchema.partial().optional(),
  /** Context window in tokens; the budget is a share of it. */
  window: z.number().positive().nullish(),
  countTokens: z.enum(['model', 'words']).optional(),
  seed: z.union([z.string(), z.number()]).optional(),
  /** The value every draw gives, 0 up to 1. */
  roll: z.number().min(0).max(1).nullish(),
  timers: z.unknown().optional(),
  topicPrompt: z.string().optional(),
  trigger: z.enum(GENERATION_TRIGGERS).optional(),
  /** Entries to switch on from outside; with a score they count as similarity hits. */
  forced: z
    .array(z.strictObject({ worldbookId: z.string(), entryId: z.string(), score: z.number().optional() }))
    .optional(),
})
export type EvaluateInput = z.output<typeof evaluateInputSchema>
