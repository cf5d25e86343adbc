import type { ProjectedRequest } from '../context/request-contract'
import type { AppError } from '../ipc/app-error'
import type { Said } from '../ipc/said-contract'
import type { ReportedUsage, WireRequest } from '../turns/contract'
import type { Model, WireProfile } from './contract'
import type { Learned } from './learning'
import type { StoredConnection } from './repository'
import type { RequestFit } from './request-fit'
import type { ReadFile } from './to-model-messages'

/** Everything needed to ask one model. Holds the key: never log it, never hand it across the border. */
export interface ModelTarget {
  connection: StoredConnection
  apiKey?: string
  /** Headers whose values are secret, by name. */
  secretHeaders?: Record<string, string>
  model: Model
  profile: WireProfile
  /** What refusals taught about requests to this model. */
  fit?: RequestFit
}

/** What arrives, in order. After `error` nothing follows; without an error the last part is `finish`. */
export type StreamPart =
  | { type: 'text' | 'reasoning'; text: string }
  /** All text of this answer so far was thought; `text` is all of it, in place of what was told as text. */
  | { type: 'text-was-reasoning'; text: string }
  /** `signature` must be kept: only with it the reasoning can go back to the server. */
  | { type: 'reasoning-end'; signature?: unknown }
  /** `raw` is set when the arguments were no JSON; `arguments` is then the raw text too. */
  | { type: 'tool-call'; callId: string; name: string; arguments: unknown; raw?: string; signature?: unknown }
  | { type: 'usage'; usage: ReportedUsage }
  /** A sentence that belongs to the answer, such as that a piece of it could not be read. */
  | { type: 'note'; note: Said }
  /** `stop`, `length`, `tool-calls`, `content-filter`, `aborted`, `other`: the server's own word is unknown. */
  | { type: 'finish'; reason: string }
  | { type: 'error'; error: AppError; retryable: boolean }

export interface SendOptions {
  signal: AbortSignal
  readFile: ReadFile
  /** Called once, just before the request leaves. */
  onSent?(wire: WireRequest): void
}

export interface ModelClient {
  /** Throws `not_found` when the connection is gone, `model.unauthorised` when its key cannot be read. */
  target(modelId: string): Promise<ModelTarget>
  /** The request exactly as `stream` would send it; secret header values are replaced. Sends nothing. */
  buildWire(request: ProjectedRequest, target: ModelTarget, readFile: ReadFile): Promise<WireRequest>
  /** Never throws: failures are parts. */
  stream(request: ProjectedRequest, target: ModelTarget, options: SendOptions): AsyncIterable<StreamPart>
  /** For background work. Throws an `AppError` when the answer failed or stopped half-way. */
  complete(
    request: ProjectedRequest,
    target: ModelTarget,
    options: SendOptions,
  ): Promise<{ text: string; usage?: ReportedUsage; wire: WireRequest }>
  /**
   * What a refusal teaches: another order of roles, a field left out, renamed or reshaped. Returns the target to project
   * for and to ask again. Undefined when there is nothing to learn.
   */
  learn(target: ModelTarget, error: AppError): Learned | undefined
}
