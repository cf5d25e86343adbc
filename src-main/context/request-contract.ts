import type { Sentence } from '../ipc/said-contract'
import type { Role, Segment, Why } from './contract'
import type { ReminderSource } from './reminders-contract'

/** Source of the words that ask a model to go on with a cut-off answer. */
export const GO_ON_SOURCE = 'frame:continue'

/** A span before its tokens and its place on the wire are known. */
export interface Piece {
  segment: Segment
  sourceId: string
  label: string
  text: string
  why?: Why
}

/** Content of an entry or wire message. The text of a part is its pieces, concatenated. */
export type RequestPart =
  | { type: 'text'; pieces: readonly Piece[] }
  /** `plain` goes back without a signature, as the text it is. */
  | { type: 'reasoning'; pieces: readonly Piece[]; signature?: unknown; plain?: true }
  | {
      type: 'tool-call'
      callId: string
      name: string
      arguments: unknown
      pieces: readonly Piece[]
      signature?: unknown
      /** Another model made it: its id may be none that this one's server takes. */
      foreign?: true
    }
  | {
      type: 'tool-result'
      callId: string
      name: string
      failed: boolean
      pieces: readonly Piece[]
      images?: readonly { sha256: string; mediaType: string }[]
    }
  /** Bytes are read by hash when the body is built. */
  | {
      type: 'image' | 'file'
      sha256: string
      mediaType: string
      name: string
      tokens?: number
      pieces: readonly Piece[]
    }

/** One ordered entry of a request before projection. History is never sent directly. */
export type RequestEntry =
  /**
   * `whole` is a system prompt that wants to stay one message (the documented layout): even the app prefix joins it.
   * The others become up to three leading systems where a profile allows that: app, stable with reference, dynamic.
   * An `app` entry without parts keeps the app prefix in its place whether the request holds tagged text or not.
   */
  | {
      kind: 'leading'
      group: 'app' | 'whole' | 'stable' | 'dynamic' | 'reference'
      parts: readonly RequestPart[]
      /** Set where its bytes may be others next turn; those of `dynamic` always may. */
      lasts?: false
    }
  | {
      kind: 'message'
      role: 'user' | 'assistant' | 'tool'
      messageId: string
      parts: readonly RequestPart[]
      /** Typed while an answer was running: a border that reminders do not cross. */
      midTurn?: boolean
    }
  /** Stored bare; `role` is what an at-depth entry asked for, otherwise system. */
  | { kind: 'reminder'; source: ReminderSource; role: 'system' | 'user' | 'assistant'; parts: readonly RequestPart[] }

export interface RequestTool {
  id: string
  name: string
  description: string
  schema: unknown
}

/** What a model needs of the messages themselves, beyond the order of roles, which is the wire profile's. */
export interface TargetNeeds {
  /**
   * Which of its own thoughts it takes back in plain text: none; those of the answer being written; those of every turn
   * that called tools; or the latter and a stand-in on calls that have none, because calls without are refused.
   */
  plainReasoning: 'none' | 'this-answer' | 'tool-turns' | 'demanded'
  /** A request may end with the model's own words, to be gone on with. */
  prefill: boolean
}

/** What any server takes. */
export const ANY_TARGET: TargetNeeds = { plainReasoning: 'none', prefill: false }

/** A message as the provider adapter gets it. */
export interface WireMessage {
  role: Role
  parts: readonly RequestPart[]
  /** A cache mark after this message. */
  mark: boolean
  /** Standing in mid-conversation as a system message. */
  mid: boolean
}

/** What leaves: everything a provider adapter needs, nothing it has to decide. */
export interface ProjectedRequest {
  messages: readonly WireMessage[]
  tools: readonly RequestTool[]
  /** `auto`, or absent when no tools are exposed. */
  toolChoice?: 'auto' | 'none'
  maxOutputTokens: number
  /** What projection did, in order, for people. */
  trace: readonly Sentence[]
}
