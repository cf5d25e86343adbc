import { z } from 'zod'
import { type CallMap, call, type OutputOf } from '../../ipc/contract'
import type { Words } from '../../ipc/said-contract'

/** SillyTavern's number is the index: 0 and-any … 3 and-all. */
export const SELECTIVE_LOGICS = ['and-any', 'not-all', 'not-any', 'and-all'] as const
export type SelectiveLogic = (typeof SELECTIVE_LOGICS)[number]

/** SillyTavern's number is the index: 0 before … 7 outlet. */
export const POSITIONS = [
  'before',
  'after',
  'an-top',
  'an-bottom',
  'at-depth',
  'examples-top',
  'examples-bottom',
  'outlet',
] as const
export type Position = (typeof POSITIONS)[number]

/** SillyTavern's number is the index. Only meaningful at depth. */
export const ENTRY_ROLES = ['system', 'user', 'assistant'] as const
export type EntryRole = (typeof ENTRY_ROLES)[number]

export const GENERATION_TRIGGERS = ['normal', 'continue', 'impersonate', 'swipe', 'regenerate', 'quiet'] as const
export type GenerationTrigger = (typeof GENERATION_TRIGGERS)[number]

export const WORLDBOOK_FORMATS = ['sillytavern', 'ccv3', 'strata'] as const
export type WorldbookFormat = (typeof WORLDBOOK_FORMATS)[number]

/** Any object, as it is: `z.record` would leave out a member called `__proto__`, which is a name like any other here. */
const looseSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)
const countSchema = z.number().nullable()

/** A word or its SillyTavern number; the word comes out. */
function wordOrNumber<const W extends readonly [string, ...string[]]>(words: W) {
  return z.union([
    z.enum(words),
    z
      .int()
      .min(0)
      .max(words.length - 1)
      .transform((index): W[number] => words[index] ?? words[0]),
  ])
}

/**
 * Original values that a format cannot get back from the entry or book: what was normalised away (a depth of −1,
 * `"2"` as text, a folder id), by the field names of that format.
 */
const originSchema = z.strictObject({ format: z.string(), fields: looseSchema })
export type Origin = z.output<typeof originSchema>

/** Every field but the id, none of them with a default, so that the same shapes serve whole entries and patches. */
const entryShape = {
  /** Title shown in lists; never sent. */
  comment: z.string(),
  content: z.string(),
  /** As in the file, blank ones too: a blank primary key is ignored, a blank secondary key counts as not found. */
  keys: z.array(z.string()),
  secondaryKeys: z.array(z.string()),
  /** false = secondary keys are kept but not asked. */
  selective: z.boolean(),
  selectiveLogic: wordOrNumber(SELECTIVE_LOGICS),
  constant: z.boolean(),
  vectorized: z.boolean(),
  enabled: z.boolean(),
  /** High = considered first for the budget, printed last. */
  order: z.number(),
  position: wordOrNumber(POSITIONS),
  /** Messages that stay below the block. Negative acts as 0. */
  depth: z.number(),
  role: wordOrNumber(ENTRY_ROLES),
  outletName: z.string(),
  /** Messages scanned; null = inherit. */
  scanDepth: countSchema,
  caseSensitive: z.boolean().nullable(),
  wholeWords: z.boolean().nullable(),
  /**
   * true = keys without slashes that use pattern syntax are patterns too. `/pattern/flags` is one whatever this says.
   * SillyTavern writes `use_regex: true` on every entry, so the engine takes plain words for words all the same.
   */
  regexKeys: z.boolean(),
  /** Percent, 0–100. */
  probability: z.number(),
  useProbability: z.boolean(),
  /** Names separated by commas; an entry may belong to several groups. */
  group: z.string(),
  groupWeight: z.number(),
  /** SillyTavern's groupOverride: among prioritised members the highest order wins without a roll. */
  prioritise: z.boolean(),
  groupScoring: z.boolean().nullable(),
  /** Messages; null or 0 = off. */
  sticky: countSchema,
  cooldown: countSchema,
  delay: countSchema,
  excludeRecursion: z.boolean(),
  preventRecursion: z.boolean(),
  /** 0 = off, n = waits for recursion level n. */
  delayUntilRecursion: z.number(),
  ignoreBudget: z.boolean(),
  /** Kinds of generation this entry is for; empty = all. */
  triggers: z.array(z.string()),
  automationId: z.string(),
  /** Unknown fields by their names in the file, untouched. */
  extra: looseSchema,
  origin: originSchema.nullable(),
}

/** Id is unique within its book; for SillyTavern books the uid in decimal. */
export const entrySchema = z.strictObject({ id: z.string().min(1), ...entryShape })
export type Entry = z.output<typeof entrySchema>

/** A whole entry written by hand: what is left out takes ENTRY_DEFAULTS; without an id it gets the next free one. */
export const entryInputSchema = z.strictObject({ id: z.string().min(1), ...entryShape }).partial()
export type EntryInput = z.output<typeof entryInputSchema>

/** SillyTavern's new-entry template. */
export const ENTRY_DEFAULTS: Omit<Entry, 'id'> = {
  comment: '',
  content: '',
  keys: [],
  secondaryKeys: [],
  selective: true,
  selectiveLogic: 'and-any',
  constant: false,
  vectorized: false,
  enabled: true,
  order: 100,
  position: 'before',
  depth: 4,
  role: 'system',
  outletName: '',
  scanDepth: null,
  caseSensitive: null,
  wholeWords: null,
  regexKeys: false,
  probability: 100,
  useProbability: true,
  group: '',
  groupWeight: 100,
  prioritise: false,
  groupScoring: null,
  sticky: null,
  cooldown: null,
  delay: null,
  excludeRecursion: false,
  preventRecursion: false,
  delayUntilRecursion: 0,
  ignoreBudget: false,
  triggers: [],
  automationId: '',
  extra: {},
  origin: null,
}

/** Each null = inherit the app-wide value. */
const bookSettingsShape = {
  scanDepth: countSchema,
  /** Tokens for this book inside the shared budget. */
  tokenBudget: countSchema,
  recursive: z.boolean().nullable(),
  wholeWords: z.boolean().nullable(),
  caseSensitive: z.boolean().nullable(),
  /** Also scan the session's topic prompt. */
  scanTopicPrompt: z.boolean(),
}
export const bookSettingsSchema = z.strictObject(bookSettingsShape)
export type BookSettings = z.output<typeof bookSettingsSchema>

export const BOOK_SETTINGS_DEFAULTS: BookSettings = {
  scanDepth: null,
  tokenBudget: null,
  recursive: null,
  wholeWords: null,
  caseSensitive: null,
  scanTopicPrompt: false,
}

/** A book before it is stored: what an importer reads and an exporter writes. Entries stand in file order. */
export interface BookDraft {
  name: string
  description: string
  settings: BookSettings
  entries: Entry[]
  /** Unknown book-level fields by their names in the file, untouched. */
  extra: Record<string, unknown>
  origin: Origin | null
}

export interface Book extends BookDraft {
  id: string
  /** Rises by one with every edit. */
  version: number
  createdAt: string
  updatedAt: string
}

export const bookInputSchema = z.strictObject({
  name: z.string().trim().min(1),
  description: z.string().default(''),
  settings: bookSettingsSchema.partial().default({}),
  entries: z.array(entryInputSchema).default([]),
  extra: looseSchema.default({}),
  origin: originSchema.nullable().default(null),
})
export type BookInput = z.output<typeof bookInputSchema>

/** What is said of a book beside its entries; what is left out stays. */
export const bookHeadPatchSchema = z
  .strictObject({ name: z.string().trim().min(1), description: z.string(), settings: bookSettingsSchema.partial() })
  .partial()
export type BookHeadPatch = z.output<typeof bookHeadPatchSchema>

/** A book's line in the list. `tokens` counts contents: enabled entries, all entries. */
export interface BookSummary {
  id: string
  name: string
  description: string
  entries: number
  enabledEntries: number
  tokens: { active: number; total: number }
  boundSessions: number
  warnings: number
  version: number
  createdAt: string
  updatedAt: string
}

export interface BookVersion {
  version: number
  savedAt: string
  name: string
  entries: number
}

/** App-wide rules. `budgetPercent` of the window, `budgetCap` in tokens (0 = none), counts in messages or sweeps (0 = no limit). */
export const worldbookSettingsSchema = z.strictObject({
  scanDepth: z.number(),
  recursive: z.boolean(),
  wholeWords: z.boolean(),
  caseSensitive: z.boolean(),
  budgetPercent: z.number(),
  budgetCap: z.number().min(0),
  maxRecursionSteps: z.number().min(0),
  minActivations: z.number().min(0),
  minActivationsDepthMax: z.number().min(0),
  includeNames: z.boolean(),
  groupScoring: z.boolean(),
})
export type WorldbookSettings = z.output<typeof worldbookSettingsSchema>

export const WORLDBOOK_SETTINGS_DEFAULTS: WorldbookSettings = {
  scanDepth: 2,
  recursive: true,
  wholeWords: true,
  caseSensitive: false,
  budgetPercent: 25,
  budgetCap: 0,
  maxRecursionSteps: 0,
  minActivations: 0,
  minActivationsDepthMax: 0,
  includeNames: false,
  groupScoring: false,
}

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

export interface CardFields {
  name: string
  description: string
  personality: string
  scenario: string
  firstMessage: string
  /** Other first messages to choose from. */
  alternateGreetings: string[]
  systemPrompt: string
  postHistoryInstructions: string
}

export interface SessionPrompts {
  title: string
  topicPrompt: string
  enhancedPrompt: string
  firstMessage: string
  alternateGreetings: string[]
}

export interface ImportReport {
  worldbookIds: string[]
  /** The shape found, for example `sillytavern` or `character_card_v3`. */
  format: string
  books: { name: string; entries: number }[]
  entries: { imported: number; skipped: { index: number; reason: string; words?: Words }[] }
  /** Names of fields that were kept for export but have no effect here. */
  keptNotExecuted: string[]
  /** Books already here under the same name. */
  collisions: { name: string; worldbookId: string }[]
  warnings: WorldbookWarning[]
  /** The character's own texts, when the file is a card. */
  card?: CardFields
  /** The same texts as the prompts of a new session, names put in. */
  sessionPrompts?: SessionPrompts
  dryRun: boolean
}

/** What `formats/` gives for one file; ids of books, collisions and dryRun are added by the handler. */
export interface ReadResult {
  books: BookDraft[]
  report: Omit<ImportReport, 'worldbookIds' | 'collisions' | 'sessionPrompts' | 'dryRun'>
}

export const LINT_CODES = [
  'never_fires',
  'matches_everything',
  'never_fits_budget',
  'recursion_loop',
  'duplicate_key',
  'slow_pattern',
  'broken_pattern',
  'empty_content',
  'unnamed_outlet',
] as const
export type LintCode = (typeof LINT_CODES)[number]

export interface LintFinding {
  code: LintCode
  severity: 'error' | 'warning' | 'note'
  entryIds: string[]
  message: string
  words?: Words
  /** Of `never_fires`: the reason alone. */
  because?: string
  key?: string
}

export const worldbookCalls = {
  'worldbook.list': call<BookSummary[]>()(z.strictObject({})),
  'worldbook.get': call<Book>()(z.strictObject({ worldbookId: z.string() })),
  'worldbook.save': call<Book>()(z.strictObject({ worldbookId: z.string().optional(), book: bookInputSchema })),
  /**
   * Patches by id (an unknown or missing id adds an entry), removes, puts the named ids first in that order, and changes
   * what is said of the book.
   */
  'worldbook.save-entries': call<{ worldbookId: string; version: number; saved: Entry[]; removed: string[] }>()(
    z.strictObject({
      worldbookId: z.string(),
      /** Each is checked against `entryInputSchema` on its turn: a whole large book at once would hold up everybody. */
      entries: z.array(z.custom<z.input<typeof entryInputSchema>>((value) => typeof value === 'object')).optional(),
      remove: z.array(z.string()).optional(),
      order: z.array(z.string()).optional(),
      head: bookHeadPatchSchema.optional(),
    }),
  ),
  'worldbook.remove': call<{ removed: string[] }>()(z.strictObject({ worldbookId: z.string() })),
  'worldbook.versions': call<BookVersion[]>()(z.strictObject({ worldbookId: z.string() })),
  /** Back to the version before the newest, or to the one named; itself a new version. */
  'worldbook.undo': call<Book>()(z.strictObject({ worldbookId: z.string(), version: z.int().positive().optional() })),
  'worldbook.import': call<ImportReport>()(
    z.strictObject({
      fileName: z.string(),
      dataBase64: z.string(),
      dryRun: z.boolean().optional(),
      onCollision: z.enum(['update', 'copy']).optional(),
    }),
  ),
  'worldbook.export': call<{ fileName: string; dataBase64: string }>()(
    z.strictObject({ worldbookId: z.string(), format: z.enum(WORLDBOOK_FORMATS) }),
  ),
  'worldbook.evaluate': call<EvaluateResult>()(evaluateInputSchema),
  /** Tokens of each entry's content by entry id, as the list counts them. */
  'worldbook.entry-tokens': call<Record<string, number>>()(z.strictObject({ worldbookId: z.string() })),
  'worldbook.lint': call<LintFinding[]>()(z.strictObject({ worldbookId: z.string() })),
} satisfies CallMap

export type WorldbookOutput<K extends keyof typeof worldbookCalls> = OutputOf<(typeof worldbookCalls)[K]>

export interface WorldbookEvents {
  'worldbook.changed': { ids: string[] }
  /** A book's index is being built: true at the start, false when scans can go on. */
  'worldbook.building': { worldbookId: string; building: boolean }
}
