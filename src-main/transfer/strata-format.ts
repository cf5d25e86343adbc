import { z } from 'zod'
import { LAYOUTS } from '../context/contract'

export const FORMAT = 'strata'
export const VERSION = 1

const optionalText = z.string().optional()
const nullableText = z.string().nullable().default(null)

const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    text: z.string(),
    seconds: z.number().optional(),
    signature: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('tool'),
    callId: z.string(),
    toolId: z.string(),
    name: z.string(),
    arguments: z.unknown(),
    state: z.enum([
      'waiting',
      'queued',
      'running',
      'completed',
      'failed',
      'rejected',
      'timed_out',
      'stopped',
      'interrupted',
    ]),
    result: optionalText,
    fullResultSha256: optionalText,
    note: optionalText,
    elapsedMs: z.number().optional(),
    signature: z.unknown().optional(),
    images: z.array(z.object({ sha256: z.string(), mediaType: z.string() })).optional(),
  }),
  z.object({ type: z.literal('round'), round: z.number() }),
  z.object({ type: z.literal('note'), text: z.string(), words: z.unknown().optional() }),
])

/**
 * One item a line. Folders, tags, prompts and files stand before the sessions that name them; a session's messages
 * follow it, parents before children. Unknown fields are left out on reading, so a newer file is read as far as it goes.
 */
export const itemSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('folder'), id: z.string(), name: z.string(), parentId: nullableText, order: z.number() }),
  z.object({ type: z.literal('tag'), id: z.string(), name: z.string(), colour: z.string() }),
  z.object({
    type: z.literal('prompt'),
    id: z.string(),
    name: z.string(),
    text: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
  z.object({ type: z.literal('snippet'), id: z.string(), name: z.string(), text: z.string() }),
  /** What differs from the defaults; no keys, no connections. */
  z.object({ type: z.literal('settings'), values: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal('blob'), sha256: z.string(), dataBase64: z.string() }),
  z.object({
    type: z.literal('attachment'),
    id: z.string(),
    sha256: z.string(),
    name: z.string(),
    mediaType: z.string(),
    bytes: z.number(),
    extractedText: optionalText,
    tokens: z.number().optional(),
    width: z.number().optional(),
    height: z.number().optional(),
  }),
  z.object({
    type: z.literal('session'),
    id: z.string(),
    title: z.string().default(''),
    titleSource: z.enum(['auto', 'model', 'user']).default('auto'),
    folderId: nullableText,
    tagIds: z.array(z.string()).default([]),
    globalPromptId: nullableText,
    topicPrompt: z.string().default(''),
    enhancedPrompt: nullableText,
    worldbookIds: z.array(z.string()).default([]),
    isolation: z.boolean().default(false),
    modelId: nullableText,
    historyLimit: z.number().int().min(0).nullable().default(null),
    layout: z.enum(LAYOUTS).nullable().default(null),
    toolChoices: z.record(z.string(), z.enum(['on', 'off', 'ask', 'allow', 'deny'])).default({}),
    workingFolder: nullableText,
    summarise: z.boolean().default(true),
    pinned: z.boolean().default(false),
    archived: z.boolean().default(false),
    unread: z.boolean().optional(),
    removedAt: optionalText,
    forkedFrom: z.object({ sessionId: z.string(), messageId: z.string() }).optional(),
    createdAt: z.string(),
    updatedAt: optionalText,
  }),
  z.object({
    type: z.literal('message'),
    id: z.string(),
    parentId: nullableText,
    selected: z.boolean().default(false),
    role: z.enum(['user', 'assistant']),
    text: z.string(),
    /** Left out where the text is the one part. */
    parts: z.array(partSchema).optional(),
    attachments: z.array(z.string()).default([]),
    state: z.enum(['complete', 'streaming', 'stopped', 'failed', 'interrupted']).default('complete'),
    error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
    createdAt: z.string(),
    modelId: optionalText,
    usage: z
      .object({
        inputTokens: z.number().optional(),
        cachedInputTokens: z.number().optional(),
        outputTokens: z.number().optional(),
        reasoningTokens: z.number().optional(),
      })
      .optional(),
    finishReason: optionalText,
    turnId: optionalText,
    replyWanted: z.boolean().optional(),
    /** Written under isolation. Left out by older versions: then every message of an isolated chat counts as such. */
    isolated: z.boolean().optional(),
  }),
])
export type Item = z.output<typeof itemSchema>
export type ItemOf<T extends Item['type']> = Extract<Item, { type: T }>
/** As written: what equals the default may be left out. */
export type WrittenItem = z.input<typeof itemSchema>
