import type { TurnInput } from '../context/block-source'
import type { AbsentBlock } from '../context/contract'
import type { RequestTool } from '../context/request-contract'
import type { ModelCapabilities } from '../models/contract'
import type { ToolCallState, ToolOutcome } from '../sessions/contract'

/** What one turn may call. Decided once per turn by the policy function and frozen with the blocks. */
export interface ExposedTools {
  tools: readonly RequestTool[]
  /** Set when nothing is exposed although something is configured, or tools are off as a whole. */
  absent?: AbsentBlock
  /** Isolation: tool traffic leaves the history too. */
  withheld: boolean
}

export interface ToolRequest {
  turnId: string
  sessionId: string
  messageId: string
  callId: string
  /** The name the model called, which an earlier version of the app may have offered. */
  name: string
  toolId?: string
  /** Parsed arguments, or the raw text when the model sent no JSON. */
  arguments: unknown
  /** It was running when the app ended: it may have had its effects, so it never runs again without a person's word. */
  interrupted?: boolean
}

export interface ToolResult {
  outcome: ToolOutcome
  /** What the model gets, already cut to the cap and labelled. Never guessed from: the outcome says how it went. */
  text: string
  /** The uncut text where it was cut. */
  fullResultSha256?: string
  note?: string
  /** The arguments did not fit the schema: three rounds in a row end the turn. */
  badArguments?: boolean
  /** Of the run itself; the wait for an approval is not in it. */
  elapsedMs: number
  images?: { sha256: string; mediaType: string }[]
}

/** How a call is doing. */
export interface CallWatch {
  state: (state: ToolCallState) => void
  progress: (text: string) => void
  /** While a running call waits for a person's answer: shown, not stored, for it has begun. */
  asks: (isAsking: boolean) => void
}

/** The only way a turn touches tools. */
export interface ToolGate {
  /** With the id of the turn that will send them, the tools are callable until `endTurn`; a preview has none. */
  expose(turn: TurnInput, capabilities: ModelCapabilities, turnId?: string): Promise<ExposedTools>
  /** Asks for approval where the policy says so, then runs. Never rejects: every end is a result. */
  run(request: ToolRequest, signal: AbortSignal, watch: CallWatch): Promise<ToolResult>
  /** Cancels the turn's waiting approvals; late answers are ignored. */
  endTurn(turnId: string): void
}
