import type { TokenCounter } from '../models/contract'
import type { Message, SessionSettings } from '../sessions/contract'
import type { Settings } from '../settings/contract'
import type { Block, ContextBlock, Overrides } from './contract'
import type { Instructions } from './instruction-files'

/** A point in time as the turn sees it: frozen once, used everywhere. */
export interface TurnTime {
  epochMs: number
  /** ISO 8601 with offset, in the zone below. */
  iso: string
  timeZone: string
}

export type TurnTrigger = 'normal' | 'regenerate' | 'continue' | 'quiet'

/** Everything a room may know about a turn. Frozen when the turn begins, the same for preview and send. */
export interface TurnInput {
  readonly purpose: 'send' | 'preview'
  readonly trigger: TurnTrigger
  readonly sessionId: string
  readonly temporary: boolean
  /** For `{{session}}`; without it the id stands there. */
  readonly sessionTitle?: string
  readonly session: Readonly<SessionSettings>
  /** Read once per opening of a session bound to a folder; none in an isolated one. */
  readonly instructions: Instructions
  readonly settings: Readonly<Settings>
  /** The uncut visible branch, oldest first, the newest user message (or the draft) last. Worldbook and memory read this one. */
  readonly branch: readonly Message[]
  /** Text of the newest user message or the draft; '' when there is none. */
  readonly draft: string
  readonly now: TurnTime
  /** For every random draw of the turn; stored with it. */
  readonly seed: number
  /** True only with at least one bound worldbook and the switch on. */
  readonly isolated: boolean
  readonly overrides: Readonly<Overrides>
  readonly language: 'en' | 'zh-CN'
  readonly modelId: string
  /** Tokens; missing when unknown. */
  readonly contextWindow?: number
  /** Tokens one request may hold, where the model says so. */
  readonly maxInputTokens?: number
  readonly reservedOutput: number
  readonly counter: TokenCounter
}

/**
 * The shape of a room. `collect` may read the database and embed, but writes nothing: what a sent turn should write
 * goes into the block's `commit`. It should reject or resolve soon after `signal` aborts; a late answer is ignored.
 */
export interface BlockSource {
  readonly block: Block
  collect(turn: TurnInput, signal: AbortSignal): Promise<ContextBlock>
}
