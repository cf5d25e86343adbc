import type { Emit } from '../app-contract'
import type { BlockSource } from '../context/block-source'
import type { Instructions } from '../context/instruction-files'
import type { ProjectedRequest } from '../context/request-contract'
import type { AppError } from '../ipc/app-error'
import type { Said, Words } from '../ipc/said-contract'
import type { StreamPart } from '../models/client-types'
import type { Connection, Model, TokenCounter, WireProfile } from '../models/contract'
import type { Learned } from '../models/learning'
import type { RequestFit } from '../models/request-fit'
import type { ReadFile } from '../models/to-model-messages'
import type { Attachment, FromDraft } from '../sessions/composer-contract'
import type { Message, MessagePart, MessageState, Session } from '../sessions/contract'
import type { QueuedMessage } from '../sessions/queue-contract'
import type { Settings } from '../settings/contract'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { ToolGate } from '../tools/tool-gate'
import type { WireRequest } from './contract'

/** What turns need of the sessions room. */
export interface TurnStore {
  getSession(sessionId: string): Session | undefined
  /** A session as `sessions.create` would make it now, stored nowhere; its id is ''. */
  newSession(): Session
  getMessage(messageId: string): Message | undefined
  /** The uncut visible branch, oldest first. */
  branchOf(sessionId: string): Message[]
  /** From the root to this message. */
  branchTo(sessionId: string, messageId: string): Message[]
  insertMessage(row: NewMessage): Message
  /** All of them or none. */
  insertMessages(rows: readonly NewMessage[]): Message[]
  updateMessage(messageId: string, patch: MessagePatch): void
  /**
   * For an answer: what the disk refuses is kept, shown and written when there is room. `grown`: this text, at the end of
   * that part, is all that is new. False when it was kept only.
   */
  keepMessage(messageId: string, patch: MessagePatch, grown?: { part: number; text: string }): boolean
  setAutoTitle(sessionId: string, title: string, source: 'auto' | 'model'): void
  attachments(ids: readonly string[]): Attachment[]
  /** What waits to be sent in this chat, in its order. @throws not_found for an unknown chat */
  queueOf(sessionId: string): QueuedMessage[]
  /** @throws not_found */
  requireQueued(id: string): QueuedMessage
  /** Why a waiting message was not sent; null = nothing holds it. @throws not_found */
  holdQueued(id: string, why: Said | null): void
  readAttachment(sha256: string): Promise<Uint8Array>
  /** Where this session's rows live: the file, or memory for a temporary chat. */
  databaseOf(sessionId: string): WriteDatabase
  databaseOfMessage(messageId: string): ReadDatabase
}

export interface NewMessage {
  id: string
  sessionId: string
  parentId: string | null
  role: 'user' | 'assistant'
  parts: MessagePart[]
  attachmentIds?: readonly string[]
  state: MessageState
  createdAt: string
  modelId?: string
  turnId?: string
  replyWanted?: boolean
  /** Of a turn that runs isolated, whatever the chat's own switch says. */
  isolated?: boolean
  /** Where the message stood until now; it goes from there in the same transaction. */
  fromDraft?: FromDraft | undefined
  /** Id of the waiting message. @throws not_found from `insertMessage` when it went before */
  fromQueue?: string | undefined
}

export interface MessagePatch {
  parts?: MessagePart[]
  state?: MessageState
  error?: { code: string; message: string; words?: Words; retryable: boolean } | null
  usage?: Message['usage']
  finishReason?: string
  modelId?: string
  turnId?: string
}

/** A connection with its key, for one request. Never logged, never stored. */
export interface ModelTarget {
  connection: Pick<Connection, 'id' | 'kind' | 'name' | 'baseUrl'>
  model: Model
  profile: WireProfile
  /** What refusals taught about requests to this model. */
  fit?: RequestFit
}

/** What turns need of the models room. `Target` is opaque here: it carries the key. */
export interface TurnModels<Target extends ModelTarget = ModelTarget> {
  target(modelId: string): Promise<Target>
  buildWire(request: ProjectedRequest, target: Target, readFile: ReadFile): Promise<WireRequest>
  stream(
    request: ProjectedRequest,
    target: Target,
    options: { signal: AbortSignal; readFile: ReadFile; onSent: (wire: WireRequest) => void },
  ): AsyncIterable<StreamPart>
  /** What a refusal teaches; remembered once it is kept. */
  learn(target: Target, error: AppError): Learned<Target> | undefined
  counterFor(modelId: string): TokenCounter
  calibrate(modelId: string, sent: number, reported: number): void
  /** What an answer or a refusal showed about a model. */
  learnFacts(modelId: string, facts: { contextWindow: number; windowFrom: 'app' | 'guess' }): void
  /** The model a session without a choice uses; undefined when none is connected. */
  fallbackModel(): string | undefined
}

export interface TurnDeps {
  database: WriteDatabase
  store: TurnStore
  models: TurnModels
  tools: ToolGate
  sources: readonly BlockSource[]
  settings: () => Settings
  /** As read when the session was opened. */
  instructionFiles: (session: Pick<Session, 'id' | 'workingFolder'>) => Instructions
  emit: Emit
  ids: () => string
  /** Milliseconds since 1970. */
  clock: () => number
  timeZone: () => string
  locale: () => string
  /** Called after an answer is stored: titles, summaries, profile. */
  onAnswered: (answer: { sessionId: string; messageId: string; modelId: string }) => void
  /** Writes nobody waits for: done now or when there is room, those of one lane in their order. */
  keep: (lane: string, write: () => void) => boolean
  log: TurnLog
}

export interface TurnLog {
  debug(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}
