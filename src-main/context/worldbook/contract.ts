import { z } from 'zod'
import { type CallMap, call, type OutputOf } from '../../ipc/contract'
import type { Words } from '../../ipc/said-contract'
import {
  type Book,
  type BookDraft,
  type BookSummary,
  type BookVersion,
  bookHeadPatchSchema,
  bookInputSchema,
} from './book-contract'
import type { Entry, entryInputSchema } from './entry-contract'
import { type EvaluateResult, evaluateInputSchema, type WorldbookWarning } from './trace-contract'

export const WORLDBOOK_FORMATS = ['sillytavern', 'ccv3', 'strata'] as const
export type WorldbookFormat = (typeof WORLDBOOK_FORMATS)[number]

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
