import { z } from 'zod'
import {
  type AbsentBlock,
  BLOCKS,
  type ContextUsage,
  LAYOUTS,
  type Ledger,
  type Segment,
  type Verdict,
} from '../context/contract'
import { type CallMap, call } from '../ipc/contract'
import type { Words } from '../ipc/said-contract'
import { fromDraft } from '../sessions/composer-contract'
import type { MessagePart, ToolCallState } from '../sessions/contract'
import type { ToolChange, ToolForm } from '../tools/contract'

/** The HTTP request as it leaves, keys redacted in headers and nothing else. */
export interface WireRequest {
  method: string
  url: string
  headers: Record<string, string>
  /** The exact body text. */
  body: string
}

export interface Preview {
  ledger: Ledger
  absent: AbsentBlock[]
  rejected: Verdict[]
  usage: ContextUsage
  wire: WireRequest
  /** Of the body, hex. */
  sha256: string
  /** The worldbook room's Trace, null when no book is bound. */
  worldbook: unknown
  /** The memory room's Retrieval, null when memory did not run. */
  memory: unknown
  layout: string
  /** First history message inside the sent window; null = all are. */
  windowStart: { messageId: string; dropped: number; limit: number } | null
  warnings: { code: string; message: string; words?: Words }[]
  /** What projection did (folded, merged, downgraded, moved), in order. */
  projection: string[]
  /** The same steps, for screens in other languages. Older records have none. */
  projectionWords?: Words[]
  /** Against the request before this one on the same branch: what is shared at the front, and what ended that. */
  prefix?: {
    sharedBytes: number
    totalBytes: number
    sharedTokens: number
    /** Behind the first change: tokens that were sent before and had to be read anew. */
    lostTokens: number
    /** Set where the shared tokens are fewer than the server caches at all: what it takes. */
    leastTokens?: number
    firstChange?: { segment: Segment; sourceId: string; label: string }
  }
}

export interface ReportedUsage {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  reasoningTokens: number
}

export interface TurnRecord extends Preview {
  sentAt: string
  connectionId: string
  modelId: string
  reported?: ReportedUsage
  /** Milliseconds. */
  timings: { collect: number; assemble: number; firstByte?: number; firstText?: number; total?: number }
  finishReason?: string
  /** What is to be said about the answer, such as that a piece of it could not be read. */
  notes?: { text: string; words?: Words }[]
  error?: { code: string; message: string; words?: Words }
  /** One record per model call of the turn; this one is the last. Earlier ones by index. */
  rounds: number
  round: number
}

export const turnOverrides = z.strictObject({
  blocksOff: z.array(z.enum([...BLOCKS, 'tools', 'history', 'draft'])).optional(),
  topK: z.number().int().min(0).max(200).optional(),
  layout: z.enum(LAYOUTS).optional(),
  historyLimit: z.number().int().min(0).max(100_000).optional(),
  isolation: z.boolean().optional(),
  reservedOutput: z.number().int().min(0).optional(),
})

const text = z.string().max(16_000_000)

export interface StartedTurn {
  turnId: string
  replyMessageId: string
}

/** An answer as far as it has come. */
export interface RunningAnswer {
  turnId: string
  sessionId: string
  messageId: string
  text: string
  /** Everything written so far, reasoning and tool calls too. */
  parts: MessagePart[]
  /** The number of the last event that `parts` holds: events with a higher one come on top, others are in it. */
  seq: number
}

export const turnCalls = {
  'turns.preview': call<Preview>()(
    z.strictObject({
      /** null = the first message of a chat that does not exist yet, with the settings a new chat takes. */
      sessionId: z.string().nullable(),
      draft: text.optional(),
      attachments: z.array(z.string()).max(50).optional(),
      overrides: turnOverrides.optional(),
      /** Preview of regenerating this answer instead of sending a draft. */
      regenerate: z.string().optional(),
      modelId: z.string().optional(),
    }),
  ),
  /** `overrides` here are the choices made when over budget; they hold for this turn only and are recorded. */
  'turns.send': call<StartedTurn & { userMessageId: string }>()(
    z.strictObject({
      sessionId: z.string(),
      text,
      attachments: z.array(z.string()).max(50).optional(),
      modelId: z.string().optional(),
      overrides: turnOverrides.optional(),
      /** Made by who sends it, so that one whose answer was lost can ask `messages.delivered`. `conflict` when it was used. */
      id: z.string().min(8).max(100).optional(),
      /**
       * It was written in the composer: it leaves this chat's draft in the moment it is stored. `conflict` when something
       * of the draft it was written in has gone meanwhile.
       */
      fromDraft: fromDraft.optional(),
    }),
  ),
  /** A new sibling of an answer; for a user message, a (first or further) answer below it. */
  'turns.regenerate': call<StartedTurn>()(
    z.strictObject({ sessionId: z.string(), messageId: z.string(), modelId: z.string().optional() }),
  ),
  /** A new sibling of a user message with an answer below it. */
  'turns.edit-and-resend': call<StartedTurn & { userMessageId: string }>()(
    z.strictObject({ sessionId: z.string(), messageId: z.string(), text, modelId: z.string().optional() }),
  ),
  /** Goes on with a stopped, broken or length-cut answer in place. */
  'turns.continue': call<StartedTurn>()(z.strictObject({ sessionId: z.string(), messageId: z.string() })),
  'turns.stop': call<{ stopped: boolean }>()(z.strictObject({ turnId: z.string() })),
  'turns.record': call<TurnRecord>()(
    z.strictObject({ messageId: z.string(), round: z.number().int().min(1).optional() }),
  ),
  /** Turns running now, for a window that (re)connects. */
  'turns.running': call<RunningAnswer[]>()(z.strictObject({})),
  /** Tokens over all answers of a session. */
  'turns.session-usage': call<{ inputTokens: number; outputTokens: number; messages: number }>()(
    z.strictObject({ sessionId: z.string() }),
  ),
} satisfies CallMap

/** `seq` counts the deltas, reasoning and tool events of one turn together from 1, without a gap. */
export interface TurnEvents {
  'turn.started': {
    turnId: string
    sessionId: string
    userMessageId?: string
    messageId: string
    /** What a continued answer holds already. */
    parts?: MessagePart[]
  }
  'turn.delta': { turnId: string; messageId: string; text: string; seq: number }
  'turn.reasoning': { turnId: string; messageId: string; text: string; seq: number }
  /** The answer's parts so far, anew: what was told as its text was thinking. */
  'turn.rewritten': { turnId: string; messageId: string; parts: MessagePart[]; seq: number }
  'turn.tool': {
    turnId: string
    messageId: string
    seq: number
    call: { callId: string; toolId: string; name: string; arguments: unknown }
    state: ToolCallState
    result?: string
    /** What a running call says of itself, such as `2 of 5`; at most a few times a second. */
    progress?: string
  }
  'turn.approval': {
    requestId: string
    turnId: string
    messageId: string
    callId: string
    tool: string
    arguments: unknown
    /** It was running when the app ended: `once` runs it again, `deny` tells the model it was interrupted. */
    interrupted?: boolean
    /** It was allowed once and is another tool now. */
    changed?: ToolChange
    /** A server's own question in the middle of the call. */
    form?: ToolForm
  }
  /** A line the transcript shows once, such as a learned wire profile. */
  'turn.notice': { turnId: string; messageId: string; code: string; message: string; words?: Words }
  'turn.done': { turnId: string; messageId: string; usage: ContextUsage }
  'turn.failed': { turnId: string; messageId: string; code: string; message: string; words?: Words; retryable: boolean }
}
