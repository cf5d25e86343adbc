import { z } from 'zod'
import { type CallMap, call } from '../../ipc/contract'
import type { Words } from '../../ipc/said-contract'
import {
  RETRIEVAL_MODES,
  type Retrieval,
  type RetrievalCandidate,
  type RetrievalParts,
  type RetrievalVerdict,
} from './retrieval-contract'

/** What sort of thing a memory says. */
export const MEMORY_KINDS = ['fact', 'preference', 'episode', 'instruction'] as const
export type MemoryKind = (typeof MEMORY_KINDS)[number]

/** Where a memory came from. `conversation` is the background extraction. */
export const MEMORY_SOURCES = ['manual', 'user statement', 'assistant action', 'conversation', 'imported'] as const
export type MemorySourceKind = (typeof MEMORY_SOURCES)[number]

export interface MemorySource {
  kind: MemorySourceKind
  sessionId?: string
  messageId?: string
  /** The words in the source message this was taken from, verbatim. */
  quote?: string
}

/** `active`: retrievable now or later. `past`: its validity is closed; only questions about the past find it. */
export type MemoryStanding = 'active' | 'past' | 'archived'

export interface Memory {
  id: string
  text: string
  kind: MemoryKind
  source: MemorySource
  /** 0–1. */
  importance: number
  /** 0–1. */
  confidence: number
  entities: string[]
  /** ISO 8601 with offset; absent = always was. */
  validFrom?: string
  /** ISO 8601 with offset; absent = still holds. */
  validUntil?: string
  /** The memory that replaced this one. */
  supersededBy?: string
  archived: boolean
  standing: MemoryStanding
  /** Grows by one with every change; send it back with an edit to detect a second window. */
  revision: number
  createdAt: string
  updatedAt: string
  /** How often it was injected into a request that was sent. */
  accessCount: number
  lastAccessAt?: string
}

export const HISTORY_ACTIONS = [
  'created',
  'edited',
  'merged',
  'archived',
  'restored',
  'superseded',
  'imported',
  'undone',
] as const
export type HistoryAction = (typeof HISTORY_ACTIONS)[number]

/** The fields a history entry remembers. */
export type MemorySnapshot = Pick<
  Memory,
  'text' | 'kind' | 'importance' | 'confidence' | 'entities' | 'validFrom' | 'validUntil' | 'supersededBy' | 'archived'
>

export interface MemoryHistoryEntry {
  seq: number
  memoryId: string
  revision: number
  at: string
  action: HistoryAction
  /** Absent for the first entry. */
  before?: MemorySnapshot
  after: MemorySnapshot
}

/** *Retrieved*, *injected* and *used* are kept apart: found; put into the request; echoed by the answer (an estimate). */
export const MEMORY_USES = ['retrieved', 'injected', 'used'] as const
export type MemoryUse = (typeof MEMORY_USES)[number]

export interface MemoryUseEntry {
  memoryId: string
  messageId: string
  sessionId: string
  use: MemoryUse
  at: string
  rank: number
  score: number
}

export interface MemorySuggestion {
  id: string
  kind: 'possible duplicate' | 'replaces'
  /** The newer one. */
  memory: Memory
  other: Memory
  /** Cosine, −1–1, where the embedder can read both; else the share of common words. */
  similarity: number
  createdAt: string
}

/** Found by the background extraction in what a person wrote; becomes a memory only when somebody accepts it. */
export interface MemoryProposal {
  id: string
  text: string
  kind: MemoryKind
  importance: number
  confidence: number
  entities: string[]
  /** Always with session, message and the words quoted from it. */
  source: MemorySource
  createdAt: string
}

export interface MemoryHit {
  /** What a turn would do with it. */
  verdict: RetrievalVerdict
  memory: Memory
  score: number
  parts: RetrievalParts
  rank: number
}

export interface MemoryStatus {
  /** Shown name, for example `Built-in (English, Chinese through a dictionary)`. */
  embedder: string
  dims: number
  /** Memories whose vectors are in place for the space that serves now. */
  indexed: number
  pending: number
  failed: number
  lastError?: string
  lastErrorWords?: Words
  total: number
  active: number
  archived: number
  /** Which scripts the embedder reads, and how many of the stored memories that covers. */
  reads: { scripts: string[]; readable: number; unreadable: number }
  /** A new embedding space being built while the old one serves. */
  building?: { embedder: string; done: number; total: number }
  /** How vectors are searched: typed arrays up to about 15,000 vectors, the on-disk index above. */
  search: { kind: 'scan' | 'index'; vectors: number; problem?: string; problemWords?: Words }
  /** A similarity threshold exists only where the space tells related from unrelated; else this says why not. */
  threshold: { value?: number; note: string; noteWords?: Words }
}

export interface MemorySelfTest {
  embedder: string
  /** Memories tried: each is asked for with a question made from part of its own words. */
  tested: number
  foundFirst: number
  foundInTopK: number
  /** Per script, how many memories the dense channel can read. */
  scripts: { script: string; memories: number; readable: boolean }[]
  missed: { memoryId: string; query: string; rank?: number }[]
  elapsedMs: number
  problem?: string
  problemWords?: Words
}

export interface MemoryImportReport {
  dryRun: boolean
  added: number
  updated: number
  unchanged: number
  conflicts: number
  rows: {
    line: number
    outcome: 'added' | 'updated' | 'unchanged' | 'conflict'
    text: string
    memoryId?: string
    existing?: string
  }[]
  skipped: { line: number; reason: string; words?: Words }[]
}

const unit = z.number().min(0).max(1)
const time = z.iso.datetime({ offset: true })
const id = z.string().min(1).max(200)
const ids = z.array(id).min(1).max(100_000)
const status = z.enum(['active', 'past', 'archived', 'all'])

export const memorySourceSchema = z.strictObject({
  kind: z.enum(MEMORY_SOURCES),
  sessionId: id.optional(),
  messageId: id.optional(),
  quote: z.string().max(4_000).optional(),
})

export const memorySaveSchema = z.strictObject({
  /** Absent = a new memory; a text equal to a stored one after normalisation merges into it. */
  id: id.optional(),
  text: z
    .string()
    .max(2_000_000)
    .refine((text) => text.trim() !== '', 'A memory needs some text.'),
  kind: z.enum(MEMORY_KINDS).optional(),
  importance: unit.optional(),
  confidence: unit.optional(),
  entities: z.array(z.string().min(1).max(200)).max(100).optional(),
  /** `null` clears it. */
  validFrom: time.nullable().optional(),
  validUntil: time.nullable().optional(),
  source: memorySourceSchema.optional(),
  /** The revision the edit started from; another one in the store is a `conflict`. */
  revision: z.int().min(1).optional(),
  /** The memory this one replaces: its validity is closed and it links here. */
  replaces: id.optional(),
})
export type MemorySaveInput = z.output<typeof memorySaveSchema>

export const memoryCalls = {
  'memory.list': call<{ memories: Memory[]; nextCursor: string | null; total: number }>()(
    z.strictObject({
      status: status.optional(),
      query: z.string().max(2_000).optional(),
      kind: z.enum(MEMORY_KINDS).optional(),
      limit: z.int().min(1).max(1_000).optional(),
      cursor: z.string().max(400).optional(),
    }),
  ),
  'memory.get': call<Memory>()(z.strictObject({ id })),
  'memory.save': call<Memory>()(memorySaveSchema),
  'memory.archive': call<{ changed: string[] }>()(z.strictObject({ ids, archived: z.boolean() })),
  'memory.remove': call<{ removed: string[] }>()(z.strictObject({ ids })),
  /** Closes the old one's validity and links it to the new one. */
  'memory.supersede': call<{ old: Memory; current: Memory }>()(z.strictObject({ oldId: id, newId: id })),
  'memory.search': call<{ hits: MemoryHit[]; rejected: RetrievalCandidate[]; retrieval: Retrieval }>()(
    z.strictObject({
      query: z.string().max(200_000),
      mode: z.enum(RETRIEVAL_MODES).optional(),
      limit: z.int().min(0).max(1_000).optional(),
    }),
  ),
  'memory.status': call<MemoryStatus>()(z.strictObject({})),
  'memory.reindex': call<{ jobId: string }>()(z.strictObject({})),
  'memory.export': call<{ fileName: string; dataBase64: string }>()(
    z.strictObject({
      format: z.enum(['jsonl', 'markdown']).optional(),
      status: status.optional(),
      ids: ids.optional(),
    }),
  ),
  'memory.import': call<MemoryImportReport>()(
    z.strictObject({
      fileName: z.string().min(1).max(400),
      dataBase64: z.string(),
      dryRun: z.boolean().optional(),
      /** What happens where the file and the store both changed one memory. Default: keep the stored one. */
      onConflict: z.enum(['keep', 'replace']).optional(),
    }),
  ),
  'memory.history': call<{ entries: MemoryHistoryEntry[] }>()(z.strictObject({ id })),
  /** Puts back what stood before entry `seq` (default: the newest entry). Itself a change with a history entry. */
  'memory.undo': call<Memory>()(z.strictObject({ id, seq: z.int().optional() })),
  'memory.suggestions': call<{ suggestions: MemorySuggestion[] }>()(z.strictObject({ id: id.optional() })),
  'memory.settle': call<{ settled: string }>()(
    z.strictObject({ suggestionId: id, decision: z.enum(['keep both', 'replace', 'merge']) }),
  ),
  /** What extraction found and nobody has decided yet, newest first. */
  'memory.proposals': call<{ proposals: MemoryProposal[] }>()(z.strictObject({ sessionId: id.optional() })),
  /** `text`: in other words than proposed. */
  'memory.accept': call<Memory>()(z.strictObject({ proposalId: id, text: memorySaveSchema.shape.text.optional() })),
  'memory.decline': call<{ declined: string[] }>()(z.strictObject({ proposalIds: ids })),
  'memory.self-test': call<MemorySelfTest>()(z.strictObject({ sample: z.int().min(1).max(500).optional() })),
  'memory.usage': call<{ uses: MemoryUseEntry[] }>()(
    z.strictObject({ id: id.optional(), messageId: id.optional(), limit: z.int().min(1).max(1_000).optional() }),
  ),
} satisfies CallMap

export interface MemoryEvents {
  'memory.changed': { ids: string[] }
}
