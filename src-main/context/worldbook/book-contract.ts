import { z } from 'zod'
import { countSchema, type Entry, entryInputSchema, looseSchema, type Origin, originSchema } from './entry-contract'

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
