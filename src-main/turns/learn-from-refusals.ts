import type { AppError } from '../ipc/app-error'
import type { Learned } from '../models/learning'
import type { ModelTarget, TurnModels } from './ports'

/** Refusals in a row that are answered with a changed request: each may name another field. */
const MOST_RETRIES = 4

export interface Attempt {
  error?: AppError
  /** Whether anything of an answer arrived. */
  spoke: boolean
  /** Whether a person stopped it. */
  stopped: boolean
}

/**
 * Asks, and asks again when a refusal teaches how this server wants its requests. What was learned is remembered when
 * a changed request was taken, and only then: a change that did not help is no lesson.
 */
export async function askLearning<End extends Attempt>(
  models: Pick<TurnModels, 'learn'>,
  target: ModelTarget,
  ask: (target: ModelTarget) => Promise<End>,
  onLearned: (learned: Learned<ModelTarget>) => void = () => undefined,
): Promise<End> {
  const pending: Learned<ModelTarget>[] = []
  let end = await ask(target)
  for (let retries = 0; end.error && !end.spoke && !end.stopped && retries < MOST_RETRIES; retries += 1) {
    const learned = models.learn(pending.at(-1)?.target ?? target, end.error)
    if (!learned) break
    pending.push(learned)
    onLearned(learned)
    end = await ask(learned.target)
  }
  if (end.spoke || (!end.error && !end.stopped)) for (const learned of pending) learned.keep()
  return end
}
