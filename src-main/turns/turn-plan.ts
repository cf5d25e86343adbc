import type { TurnTrigger } from '../context/block-source'
import type { Overrides } from '../context/contract'
import type { Message, MessagePart, MessageState, Session } from '../sessions/contract'
import type { AnswerWriter } from './answer-writer'
import type { ModelTarget } from './ports'

/** Everything decided before the first await: what `turns.send` and its siblings hand over. */
export interface TurnPlan {
  turnId: string
  trigger: TurnTrigger
  session: Session
  /** The branch up to the newest user message. */
  branch: readonly Message[]
  reply: Message
  /** Parts the answer already has: a continued answer, or finished tool calls of a failed one. */
  begun: readonly MessagePart[]
  /** What the answer is again when going on with it fails: its place in later requests stays. Absent: `failed`. */
  failedAs?: MessageState
  userMessageId: string | undefined
  overrides: Overrides
  seed: number
  /** When the person sent the message this turn answers; absent when an old one is answered anew, which happens now. */
  sentAtMs?: number
  chooseTarget: () => Promise<ModelTarget>
  /** Told of the answer's writer before anything is written. */
  onWriter?: (writer: AnswerWriter) => void
}
