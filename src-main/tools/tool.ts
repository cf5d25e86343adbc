import type { ToolOutcome } from '../sessions/contract'
import type { ApprovalAnswer, FormContent } from './approvals'
import type { ToolForm, ToolPolicy } from './contract'
import type { ToolDefinition } from './definition'
import type { ToolSubject } from './policy'

/** What a run gives back before it is capped: every end is a value. */
export interface RawResult {
  outcome: ToolOutcome
  text: string
  images?: { mediaType: string; dataBase64: string }[]
  note?: string
  /** The arguments did not fit: the model may correct them. */
  badArguments?: boolean
}

export interface RunContext {
  turnId: string
  sessionId: string
  messageId: string
  callId: string
  signal: AbortSignal
  progress: (text: string) => void
  /** Puts a server's form before the person, in the transcript. An answer with a problem is not taken. */
  ask: (
    form: ToolForm,
    problem: (content: FormContent) => string | undefined,
    signal: AbortSignal,
  ) => Promise<ApprovalAnswer>
}

/** One thing a model may call, wherever it comes from. */
export interface Tool {
  subject: Omit<ToolSubject, 'enabled' | 'policy'> & { enabledByDefault: boolean; defaultPolicy: ToolPolicy }
  /** Before clashes are resolved. */
  name: string
  /** The name a clash is resolved with. */
  serverName?: string
  description: string
  /** JSON Schema of type object. */
  schema: unknown
  /** What a person allows. Absent = part of the app. */
  definition?: ToolDefinition
  /** Asks the person itself, so that the gate must not. */
  asksItself?: boolean
  /** Reads loose shapes of its own arguments, so that the schema is advice; a bare text or list is this argument. */
  mainArgument?: string
  run(given: Record<string, unknown>, context: RunContext): Promise<RawResult>
}
