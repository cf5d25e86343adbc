import { z } from 'zod'

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

/** Any object, as it is: `z.record` would leave out a member called `__proto__`, which is a name like any other here. */
export const looseSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)
export const countSchema = z.number().nullable()

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
export const originSchema = z.strictObject({ format: z.string(), fields: looseSchema })
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
