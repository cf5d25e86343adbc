import type { Message } from '../sessions/contract'
import { type Collected, type Composed, composeRound } from './compose'
import type { ModelTarget } from './ports'

export interface Fitting {
  composed: Composed
  collected: Collected
  target: ModelTarget
  /** Tokens: the window this request needed, where it was larger than the one before. */
  raisedTo?: number
}

/** Servers load windows that are powers of two. */
const powerAbove = (tokens: number): number => 2 ** Math.ceil(Math.log2(Math.max(2, tokens)))

/**
 * A request that does not fit a window the app itself sets gets a larger one, as far as the model was trained for.
 * A window set by hand stays, and so does one the server was seen to cut at.
 */
export async function composeFitting(
  collected: Collected,
  target: ModelTarget,
  branch?: readonly Message[],
): Promise<Fitting> {
  const composed = await composeRound(collected, target, branch)
  const { over, used, reserved, window = 0 } = composed.usage
  const { largestWindow = 0, windowSource } = target.model
  const asBefore = { composed, collected, target }
  if (over <= 0 || largestWindow <= window || windowSource === 'user' || windowSource === 'guess') return asBefore
  const raisedTo = Math.min(largestWindow, powerAbove(used + reserved))
  const model = { ...target.model, contextWindow: raisedTo, windowSource: 'app' as const }
  const wider = { ...collected, turn: { ...collected.turn, contextWindow: raisedTo } }
  // a branch that is the turn's own stays recognisable as such
  const again = await composeRound(wider, { ...target, model }, branch)
  return { composed: again, collected: wider, target: { ...target, model }, raisedTo }
}
