import { z } from 'zod'
import { LAYOUTS } from '../context/contract'
import { type CallMap, call } from '../ipc/contract'
import type { Words } from '../ipc/said-contract'
import { type Attachment, composerCalls, fromDraft } from './composer-contract'

/** Per-session choice for one tool: absent = as configured. */
export type ToolChoices = Record<string, 'on' | 'off' | 'ask' | 'allow' | 'deny'>

/** null in an overridable field means "inherited from Settings". */
export interface SessionSettings {
  /** The chosen global prompt; null = none. */
  globalPromptId: string | null
  topicPrompt: string
  /** null = the one in Settings; '' = none for this session. */
  enhancedPrompt: string | null
  worldbookIds: string[]
  isolation: boolean
  modelId: string | null
  historyLimit: number | null
  layout: (typeof LAYOUTS)[number] | null
  toolChoices: ToolChoices
  workingFolder: string | null
  /** Off = this session's content makes no summaries. */
  summarise: boolean
}

export interface Session extends SessionSettings {
  id: string
  title: string
  /** `auto` titles may be replaced by the model's, `user` ones never. */
  titleSource: 'auto' | 'model' | 'user'
  temporary: boolean
  folderId: string | null
  tagIds: string[]
  pinned: boolean
  archived: boolean
  /** Set while it lies in the bin. */
  removedAt?: string
  forkedFrom?: { sessionId: string; messageId: string }
  createdAt: string
  updatedAt: string
  messageCount: number
  /** First characters of the newest message, one line. */
  snippet: string
  /** An answer ended since a window last showed this chat. */
  unread?: boolean
  /** Messages written under isolation and not released; told where one chat is asked for, not in lists. */
  isolatedMessages?: number
}

/** `interrupted`: the app ended while it ran, so nobody knows what it did. Without a result it is still open. */
export type ToolOutcome = 'completed' | 'failed' | 'rejected' | 'timed_out' | 'stopped' | 'interrupted'
export type ToolCallState = 'waiting' | 'queued' | 'running' | ToolOutcome

/** An answer is a list of parts in the order they came; a tool loop appends to it round by round. */
export type MessagePart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; seconds?: number; signature?: unknown }
  | {
      type: 'tool'
      callId: string
      toolId: string
      name: string
      /** Parsed arguments, or the raw text when it was no JSON. */
      arguments: unknown
      state: ToolCallState
      /** Text as the model gets it. */
      result?: string
      /** The whole result when `result` was cut. */
      fullResultSha256?: string
      note?: string
      elapsedMs?: number
      /** Provider bytes that must go back unchanged. */
      signature?: unknown
      images?: { sha256: string; mediaType: string }[]
    }
  /** Between two model calls of one turn. */
  | { type: 'round'; round: number }
  /** The app's own sentence about the answer, such as that a piece of it could not be read. Never sent. */
  | { type: 'note'; text: string; words?: Words }

export type MessageState = 'complete' | 'streaming' | 'stopped' | 'failed' | 'interrupted'

export interface Message {
  id: string
  sessionId: string
  parentId: string | null
  role: 'user' | 'assistant'
  /** All text parts joined: what copy, search and titles use. */
  text: string
  parts: MessagePart[]
  attachments: Attachment[]
  state: MessageState
  error?: { code: string; message: string; words?: Words; retryable: boolean }
  createdAt: string
  modelId?: string
  /** Ids of all versions at this place, oldest first, this one included. */
  siblings: string[]
  /** Of each sibling, in the same order: what is below it, for `2/3 · 47 msgs · 3 d`. */
  siblingInfo?: { messages: number; lastAt: string }[]
  usage?: { inputTokens?: number; cachedInputTokens?: number; outputTokens?: number; reasoningTokens?: number }
  finishReason?: string
  turnId?: string
  /** True where a new temporary text was appended without asking for a reply. */
  replyWanted?: boolean
  /** Written under isolation: nothing but its own chat may read it, whatever the chat's switch says later. */
  isolated?: true
}

export interface Folder {
  id: string
  name: string
  parentId: string | null
  order: number
}
export interface Tag {
  id: string
  name: string
  colour: string
}

export interface SearchHit {
  sessionId: string
  messageId?: string
  /** Set for `global_prompt`; its `sessionId` is ''. */
  promptId?: string
  field: 'title' | 'topic_prompt' | 'enhanced_prompt' | 'message' | 'global_prompt'
  title: string
  snippet: string
  /** UTF-16 offsets into the snippet: start, end. */
  ranges: [number, number][]
  createdAt: string
}

const sessionPatch = z.strictObject({
  title: z.string().max(500).optional(),
  globalPromptId: z.string().nullable().optional(),
  topicPrompt: z.string().max(4_000_000).optional(),
  enhancedPrompt: z.string().max(4_000_000).nullable().optional(),
  worldbookIds: z.array(z.string()).max(200).optional(),
  isolation: z.boolean().optional(),
  modelId: z.string().nullable().optional(),
  historyLimit: z.number().int().min(0).max(100_000).nullable().optional(),
  layout: z.enum(LAYOUTS).nullable().optional(),
  folderId: z.string().nullable().optional(),
  tagIds: z.array(z.string()).max(100).optional(),
  toolChoices: z.record(z.string(), z.enum(['on', 'off', 'ask', 'allow', 'deny'])).optional(),
  workingFolder: z.string().max(4000).nullable().optional(),
  summarise: z.boolean().optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  /** false: the window has shown what came. */
  unread: z.boolean().optional(),
})
export type SessionPatch = z.output<typeof sessionPatch>

const listChange = z.strictObject({
  add: z.array(z.string()).max(200).optional(),
  remove: z.array(z.string()).max(200).optional(),
})
/** Changes of lists, made on what is stored when they come: two windows do not take back each other's. */
const sessionChange = z.strictObject({
  worldbookIds: listChange.optional(),
  tagIds: listChange.optional(),
  /** null = as configured again. */
  toolChoices: z.record(z.string(), z.enum(['on', 'off', 'ask', 'allow', 'deny']).nullable()).optional(),
})
export type SessionChange = z.output<typeof sessionChange>

export const sessionCalls = {
  'sessions.create': call<Session>()(
    z.strictObject({
      title: z.string().max(500).optional(),
      globalPromptId: z.string().nullable().optional(),
      topicPrompt: z.string().max(4_000_000).optional(),
      enhancedPrompt: z.string().max(4_000_000).nullable().optional(),
      worldbookIds: z.array(z.string()).max(200).optional(),
      isolation: z.boolean().optional(),
      modelId: z.string().nullable().optional(),
      folderId: z.string().nullable().optional(),
      temporary: z.boolean().optional(),
      /** Versions of an assistant message the chat begins with; the first is shown. Blank ones are left out. */
      greetings: z.array(z.string().max(1_000_000)).max(100).optional(),
    }),
  ),
  'sessions.list': call<{ sessions: Session[]; nextCursor: string | null }>()(
    z.strictObject({
      folderId: z.string().nullable().optional(),
      tagId: z.string().optional(),
      query: z.string().max(1000).optional(),
      /** `active` (default), `archived`, `bin`, `all` (without the bin). */
      view: z.enum(['active', 'archived', 'bin', 'all']).optional(),
      modelId: z.string().optional(),
      limit: z.number().int().min(1).max(1000).optional(),
      cursor: z.string().optional(),
    }),
  ),
  /**
   * The visible branch, oldest first, with siblings' ids per message. `limit` and `before` page from the newest end
   * (`hasMore`); without them the whole branch.
   */
  'sessions.get': call<{ session: Session; messages: Message[]; hasMore: boolean; total: number }>()(
    z.strictObject({
      sessionId: z.string(),
      limit: z.number().int().min(1).max(10_000).optional(),
      before: z.string().optional(),
    }),
  ),
  'sessions.update': call<Session>()(
    z.strictObject({ sessionId: z.string(), patch: sessionPatch, change: sessionChange.optional() }),
  ),
  /** Carries every setting; with a message, the branch up to and including it. */
  'sessions.fork': call<Session>()(z.strictObject({ sessionId: z.string(), messageId: z.string().optional() })),
  /** What was written under isolation counts from now on like everything else of the chat. */
  'sessions.release-isolated': call<{ released: number; session: Session }>()(
    z.strictObject({ sessionId: z.string() }),
  ),
  'sessions.remove': call<{ removed: number }>()(z.strictObject({ sessionIds: z.array(z.string()).max(10_000) })),
  'sessions.restore': call<{ restored: number }>()(z.strictObject({ sessionIds: z.array(z.string()).max(10_000) })),
  'sessions.purge': call<{ purged: number }>()(z.strictObject({ sessionIds: z.array(z.string()).max(10_000) })),
  'sessions.search': call<{ hits: SearchHit[]; nextCursor: string | null; total: number }>()(
    z.strictObject({
      query: z.string().max(1000),
      limit: z.number().int().min(1).max(200).optional(),
      cursor: z.string().optional(),
      folderId: z.string().nullable().optional(),
      tagId: z.string().optional(),
      modelId: z.string().optional(),
      after: z.string().optional(),
      before: z.string().optional(),
      sessionId: z.string().optional(),
    }),
  ),
  /** Messages of one chat that hold the words: those of the visible branch in its order, then the hidden versions. */
  'sessions.find': call<{ visible: string[]; hidden: string[] }>()(
    z.strictObject({ sessionId: z.string(), query: z.string().max(1000) }),
  ),
  /** Whether a message of this id is stored, as a message or as one that waits. */
  'messages.delivered': call<{ delivered: boolean }>()(z.strictObject({ id: z.string() })),
  /** One message of any branch, such as another version. */
  'messages.get': call<Message>()(z.strictObject({ messageId: z.string() })),
  'messages.edit': call<Message>()(z.strictObject({ messageId: z.string(), text: z.string().max(16_000_000) })),
  'messages.select': call<{ sessionId: string; messageId: string }>()(z.strictObject({ messageId: z.string() })),
  'messages.remove': call<{ removed: number }>()(z.strictObject({ messageId: z.string() })),
  /** Adds a user message without asking for a reply. */
  'messages.append': call<Message>()(
    z.strictObject({
      sessionId: z.string(),
      text: z.string().max(16_000_000),
      attachments: z.array(z.string()).max(50).optional(),
      /** As in `turns.send`. */
      id: z.string().min(8).max(100).optional(),
      /** It was written in the composer: it leaves this chat's draft in the same moment. */
      fromDraft: fromDraft.optional(),
    }),
  ),
  'folders.list': call<Folder[]>()(z.strictObject({})),
  'folders.save': call<Folder>()(
    z.strictObject({
      id: z.string().optional(),
      name: z.string().min(1).max(200),
      parentId: z.string().nullable().optional(),
      order: z.number().optional(),
    }),
  ),
  /** Its sessions and folders move up one level. */
  'folders.remove': call<{ removed: number }>()(z.strictObject({ id: z.string() })),
  'tags.list': call<Tag[]>()(z.strictObject({})),
  'tags.save': call<Tag>()(
    z.strictObject({
      id: z.string().optional(),
      name: z.string().min(1).max(100),
      colour: z.string().max(32).optional(),
    }),
  ),
  'tags.remove': call<{ removed: number }>()(z.strictObject({ id: z.string() })),
  ...composerCalls,
} satisfies CallMap

export interface SessionEvents {
  'sessions.changed': { ids: string[] }
  'messages.changed': { sessionId: string; ids: string[] }
  'folders.changed': { ids: string[] }
  'tags.changed': { ids: string[] }
  'snippets.changed': { ids: string[] }
  /** One chat's draft ('' = the new-chat screen), and which revision it has now. */
  'drafts.changed': { ids: string[]; revision: number }
  /** Chats whose waiting messages changed. */
  'queue.changed': { ids: string[] }
}
