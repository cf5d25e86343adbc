import type { Words } from '../../ipc/said-contract'
import type { AbsentCode } from '../contract'

export const RETRIEVAL_MODES = ['hybrid', 'vector', 'keyword'] as const
export type RetrievalMode = (typeof RETRIEVAL_MODES)[number]

/** The signals of one candidate, each 0–1 after normalisation. A score is the weighted sum, nothing else. */
export const RETRIEVAL_PARTS = [
  'lexical',
  'dense',
  'glossLexical',
  'entity',
  'recency',
  'importance',
  'confidence',
] as const
export type RetrievalPart = (typeof RETRIEVAL_PARTS)[number]

export interface WeightedPart {
  /** 0–1. */
  value: number
  /** 0–1; 0 when the channel could not vote for this candidate. */
  weight: number
}
export type RetrievalParts = Record<RetrievalPart, WeightedPart>

/** Exactly one for every candidate. */
export const RETRIEVAL_VERDICTS = [
  'injected',
  'below_margin',
  'below_threshold',
  'superseded',
  'expired',
  'not_yet_valid',
  'archived',
  'over_top_k',
  'over_token_ceiling',
] as const
export type RetrievalVerdict = (typeof RETRIEVAL_VERDICTS)[number]

export interface RetrievalCandidate {
  memoryId: string
  revision: number
  /** 1 = best. In "all active" mode the rank is the creation order. */
  rank: number
  /** Σ value · weight over `parts`; see `scoreOf`. */
  score: number
  parts: RetrievalParts
  /** Before normalisation, for people who want to know: BM25-like sum and cosine. */
  raw: { lexical: number; dense?: number; glossLexical: number }
  /** Query tokens found in this memory, as the lexical channel saw them; `about:food` is a topic in common. */
  matched: string[]
  verdict: RetrievalVerdict
  /** Admitted although it no longer holds, because the question asks about the past. */
  past?: true
  /** Estimated tokens of what goes in; set for injected ones and those over the ceiling. */
  tokens?: number
  /** The text was cut to the per-memory ceiling. */
  cut?: true
}

/** The context's absent codes that this room can give. */
export type MemoryAbsentReason = Extract<
  AbsentCode,
  | 'off'
  | 'isolated'
  | 'temporary'
  | 'nothing_stored'
  | 'empty_query'
  | 'nothing_relevant'
  | 'timed_out'
  | 'failed'
  | 'what_if'
>

export interface RetrievalDegraded {
  channel: 'lexical' | 'dense'
  /** One sentence someone can act on. */
  reason: string
  words?: Words
}

/** The whole story of one retrieval: what was asked, what was considered, what went in and why. */
export interface Retrieval {
  /** `all` = Top K 0: every active memory in creation order. */
  mode: RetrievalMode | 'all'
  query: { draft: string; previous?: string; contentWords: number; asksPast: boolean }
  /** The moment recency and validity were judged against. */
  asOf: string
  topK: number
  ceiling: { perMemory: number; total: number; used: number }
  /** Best first, at most 50 plus every injected one; `considered` counts all of them. */
  candidates: RetrievalCandidate[]
  considered: number
  /** Memories that may be retrieved now. */
  active: number
  embedder?: string
  elapsedMs: number
  degraded?: RetrievalDegraded
  /** Present exactly when nothing is injected. */
  absent?: MemoryAbsentReason
}

/** The one definition of a score. Stored parts recompute to the stored score through this. */
export function scoreOf(parts: RetrievalParts): number {
  let sum = 0
  for (const part of RETRIEVAL_PARTS) sum += parts[part].value * parts[part].weight
  return sum
}
