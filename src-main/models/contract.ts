import { z } from 'zod'
import { type CallMap, call } from '../ipc/contract'
import type { Words } from '../ipc/said-contract'

export const CONNECTION_KINDS = ['openai-compatible', 'openai', 'anthropic', 'google', 'ollama', 'dry-run'] as const
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]

/** How one server wants its messages. Facts in docs/decisions; every connection kind has a default, learning tightens it. */
export const wireProfileSchema = z.strictObject({
  leadingSystems: z.enum(['many', 'one', 'inUser']),
  midSystem: z.enum(['anthropic', 'anywhere', 'none']),
  alternate: z.boolean(),
  userFirst: z.boolean(),
  marks: z.enum(['anthropic4', 'openai', 'none']),
  minCacheTokens: z.number().int().min(0).optional(),
  usageShape: z.enum(['openai', 'anthropic', 'google', 'ollama']),
})
export type WireProfile = z.output<typeof wireProfileSchema>

/** One thing a refusal taught, newest first in a list of them. */
export interface LearnedThing {
  id: string
  at: string
  what: string
  words?: Words
  /** The model it holds for; missing = every model of the connection. */
  model?: string
  /** HTTP status of the refusal. */
  status?: number
  /** The server's words; '' for what was learned before they were kept. */
  said: string
}

/** What a client may see of a connection. The key itself never leaves the main process. */
export interface Connection {
  id: string
  name: string
  kind: ConnectionKind
  baseUrl?: string
  headers: Record<string, string>
  hasKey: boolean
  /** The last characters, such as `…c3f1`; only for keys of 12 characters or more. */
  keyHint?: string
  /** The profile in force: the kind's default, tightened by what was learned, overridden by what was set by hand since. */
  profile: WireProfile
  /** What was learned from refusals, for people to read. */
  learned: LearnedThing[]
  /** Where the key is kept: the system's key store, a 0600 file, or memory only (gone at exit). */
  keyStore: 'os' | 'file' | 'memory'
  createdAt: string
}

export interface ModelCapabilities {
  tools: boolean
  vision: boolean
  pdf: boolean
  reasoning: boolean
  promptCache: boolean
}

export interface Model {
  /** `<connectionId>/<name the server knows>` */
  id: string
  connectionId: string
  name: string
  contextWindow?: number
  /** Where the model takes less than its window in one request, whatever is reserved for the answer. */
  maxInputTokens?: number
  maxOutputTokens?: number
  capabilities: ModelCapabilities
  /** Per million tokens, in the currency of the price list. */
  price?: { input?: number; output?: number; cachedInput?: number; currency: string }
  /** How far the window can be raised; only where the app sets it. */
  largestWindow?: number
  /**
   * Where the window comes from, strongest first. `app`: chosen for a server that takes what it is told. `guess`: from
   * what the server reported as read.
   */
  windowSource: 'user' | 'server' | 'app' | 'guess' | 'known' | 'unknown'
  available: boolean
}

export type Encoding = 'o200k' | 'cl100k'

/** Tokens of texts for one model. Sync numbers are exact once a text was primed, estimates before. */
export interface TokenCounter {
  /** Cached exact count × calibration factor, else the character-class estimate × factor. Never blocks. */
  count(text: string): number
  /** Counts texts exactly off the main thread and fills the cache. Resolves false when the worker was not ready in time. */
  prime(texts: readonly string[]): Promise<boolean>
  readonly quality: 'calibrated' | 'estimated'
}

/** Turns texts into vectors; the memory and worldbook rooms take whichever one is configured. */
export interface EmbedderStatus {
  kind: 'built-in' | 'openai-compatible' | 'ollama' | 'google' | 'none'
  model: string
  dims?: number
  ready: boolean
  lastError?: string
}

const connectionFields = {
  id: z.string().optional(),
  name: z.string().min(1).max(200),
  kind: z.enum(CONNECTION_KINDS),
  baseUrl: z.string().max(2000).optional(),
  /** Missing = keep the stored key; '' = remove it. */
  apiKey: z.string().max(10_000).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  profile: wireProfileSchema.partial().optional(),
}
export const connectionDraftSchema = z.strictObject(connectionFields)
export type ConnectionDraft = z.output<typeof connectionDraftSchema>

export interface ConnectionTest {
  ok: boolean
  models: { id: string; name: string; contextWindow?: number; maxOutputTokens?: number }[]
  latencyMs: number
  message?: string
  words?: Words
  /** The error's code when not ok. */
  code?: string
}

export interface DetectedServer {
  name: string
  kind: ConnectionKind
  baseUrl: string
  models: number
}

const lessonsSchema = z.strictObject({ id: z.string(), lessonIds: z.array(z.string()).max(1000) })

export const modelCalls = {
  'connections.list': call<Connection[]>()(z.strictObject({})),
  'connections.save': call<Connection>()(connectionDraftSchema),
  'connections.remove': call<{ removed: number }>()(z.strictObject({ id: z.string() })),
  /** Tests a stored connection or an unsaved draft; a draft with an id and no apiKey uses the stored key. */
  'connections.test': call<ConnectionTest>()(
    z.union([z.strictObject({ id: z.string() }), z.strictObject({ draft: connectionDraftSchema })]),
  ),
  /** Looks for Ollama, LM Studio, llama.cpp on this machine's usual ports. */
  'connections.detect': call<DetectedServer[]>()(z.strictObject({})),
  'connections.reset-profile': call<Connection>()(z.strictObject({ id: z.string() })),
  /** What was learned is tried again from the next message on. Can be undone with `connections.recall` for some time. */
  'connections.forget': call<Connection>()(lessonsSchema),
  'connections.recall': call<Connection>()(lessonsSchema),
  /** Whether keys survive a restart here, and the user's consent to a file where no key store exists. */
  'connections.key-store': call<{ kind: 'os' | 'file' | 'memory'; canUseFile: boolean }>()(
    z.strictObject({ allowFile: z.boolean().optional() }),
  ),
  'models.list': call<Model[]>()(z.strictObject({ connectionId: z.string().optional() })),
  /** Asks the server again. */
  'models.refresh': call<Model[]>()(z.strictObject({ connectionId: z.string() })),
  /** null clears a value the user set, so that the server's or the known one counts again. */
  'models.save': call<Model>()(
    z.strictObject({
      id: z.string(),
      contextWindow: z.number().int().positive().nullable().optional(),
      maxInputTokens: z.number().int().positive().nullable().optional(),
      maxOutputTokens: z.number().int().positive().nullable().optional(),
      capabilities: z
        .strictObject({
          tools: z.boolean().optional(),
          vision: z.boolean().optional(),
          pdf: z.boolean().optional(),
          reasoning: z.boolean().optional(),
          promptCache: z.boolean().optional(),
        })
        .optional(),
      price: z
        .strictObject({
          input: z.number().min(0).optional(),
          output: z.number().min(0).optional(),
          cachedInput: z.number().min(0).optional(),
          currency: z.string().max(8),
        })
        .nullable()
        .optional(),
    }),
  ),
  /** Tokens of a text for a model (or o200k when none): the editors' counters. */
  'models.count-tokens': call<{ tokens: number; quality: 'calibrated' | 'estimated' }>()(
    z.strictObject({ text: z.string().max(4_000_000), modelId: z.string().optional() }),
  ),
} satisfies CallMap

export interface ModelEvents {
  'connections.changed': { ids: string[] }
  'models.changed': { ids: string[] }
}

/** One short call outside any chat's transcript: titles, summaries, the profile. Same projection as a turn. */
export interface BackgroundModel {
  /**
   * The answer's text, trimmed. Throws an AppError the job queue shows and retries.
   * `modelId` null = the background model of Settings, else the default one.
   */
  complete(request: {
    modelId: string | null
    instruction: string
    text: string
    maxOutputTokens: number
    signal: AbortSignal
  }): Promise<string>
}
