import type { WorldbookSettings } from '../book-contract'
import type { GenerationTrigger } from '../entry-contract'
import type { Timers } from '../trace-contract'
import type { CompiledBook } from './compile'

export interface ScanMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  name?: string | undefined
  /** Written under isolation: scanned like any other, not sent to an embedder elsewhere. */
  staysHere?: boolean | undefined
}

/** An entry switched on from outside; with a score (cosine, 0–1) it is a similarity hit. */
export interface ForcedEntry {
  worldbookId: string
  entryId: string
  score?: number | undefined
}

/** Everything an evaluation depends on. The same request gives the same result. */
export interface EvaluationRequest {
  books: readonly CompiledBook[]
  /** Oldest first: the visible branch including the draft, uncut. */
  messages: readonly ScanMessage[]
  settings: WorldbookSettings
  timers: Timers
  seed: string
  /** The value of every draw, in place of the seed's. */
  roll?: number | undefined
  /** Tokens of a text. */
  countTokens(text: string): number
  /** Context window in tokens; without one only the cap limits. */
  window?: number | undefined
  topicPrompt?: string | undefined
  forced: readonly ForcedEntry[]
  trigger: GenerationTrigger
}

export const SIMILARITY_THRESHOLD = 0.25
export const SIMILARITY_MOST = 5

/** Tokens the entries may take together: a share of the window, at least 1, under the cap. */
export function budgetLimit(settings: WorldbookSettings, window: number | undefined): number | null {
  const percent = settings.budgetPercent > 100 ? 25 : Math.max(0, settings.budgetPercent)
  const share = window === undefined ? null : Math.max(1, Math.round((percent * window) / 100))
  if (settings.budgetCap <= 0) return share
  return share === null ? settings.budgetCap : Math.min(share, settings.budgetCap)
}

/** The best five entries at or over the threshold; entries forced without a score all count. */
export function effectiveForced(forced: readonly ForcedEntry[]): readonly ForcedEntry[] {
  const scored = forced
    .filter((entry) => entry.score !== undefined && entry.score >= SIMILARITY_THRESHOLD)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
  return [...forced.filter((entry) => entry.score === undefined), ...scored.slice(0, SIMILARITY_MOST)]
}
