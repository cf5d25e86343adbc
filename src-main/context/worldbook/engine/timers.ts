import { z } from 'zod'
import type { TimerEffect, Timers } from '../trace-contract'
import type { EntryPlan } from './compile'
import { hash53 } from './draws'

const effectSchema = z.object({
  worldbookId: z.string(),
  entryId: z.string(),
  meaning: z.string(),
  kind: z.enum(['sticky', 'cooldown']),
  start: z.number(),
  end: z.number().nullable(),
  after: z.object({ start: z.number(), end: z.number() }).optional(),
})
const timersSchema = z.object({ version: z.literal(1), effects: z.array(effectSchema) })

export const NO_TIMERS: Timers = { version: 1, effects: [] }

/** Timers from outside; anything else than what an evaluation gave counts as none. */
export function readTimers(value: unknown): Timers {
  const parsed = timersSchema.safeParse(value)
  if (!parsed.success) return NO_TIMERS
  return {
    version: 1,
    effects: parsed.data.effects.map(({ after, ...effect }) => (after ? { ...effect, after } : effect)),
  }
}

/**
 * What an entry means, whatever the order of its fields in the file: keys, content and rules. Title, place in the list
 * and unknown fields are not part of it, so renaming an entry does not end its effects.
 */
export function meaningOf(plan: EntryPlan): string {
  const { entry } = plan
  const rules = [
    entry.keys,
    entry.secondaryKeys,
    entry.content,
    entry.selective,
    entry.selectiveLogic,
    entry.constant,
    entry.position,
    entry.depth,
    entry.role,
    entry.outletName,
    entry.scanDepth,
    entry.caseSensitive,
    entry.wholeWords,
    entry.regexKeys,
    entry.probability,
    entry.useProbability,
    entry.group,
    entry.sticky,
    entry.cooldown,
    entry.delay,
    entry.excludeRecursion,
    entry.preventRecursion,
    entry.delayUntilRecursion,
    entry.triggers,
  ]
  return hash53(JSON.stringify(rules)).toString(36)
}

/** N messages, 0 = off, null = for ever. */
export const stickySpan = (plan: EntryPlan) =>
  plan.decorations?.keepAfterMatch ? null : Math.max(0, plan.entry.sticky ?? 0)
export const cooldownSpan = (plan: EntryPlan) =>
  plan.decorations?.dontAfterMatch ? null : Math.max(0, plan.entry.cooldown ?? 0)

export const effectKey = (worldbookId: string, entryId: string) => `${worldbookId}\u0000${entryId}`

export interface ActiveEffects {
  sticky: Map<string, TimerEffect>
  cooldown: Map<string, TimerEffect>
  /** Still running, of entries that are not here now. */
  others: TimerEffect[]
}

const endOf = (start: number, span: number | null) => (span === null ? null : start + span)
const isOver = (effect: TimerEffect, count: number) => effect.end !== null && count >= effect.end

/** A branch cut back to before a cooldown that followed a sticky span is inside that span again, or before it. */
function rewind(effect: TimerEffect, count: number): TimerEffect | undefined {
  if (effect.after && count < effect.start) {
    const { after, ...rest } = effect
    return count > after.start ? { ...rest, kind: 'sticky', ...after } : undefined
  }
  const begins = effect.after ? effect.start - 1 : effect.start
  return count > begins ? effect : undefined
}

/** The effects that hold at `count` messages. A sticky span that is over starts its cooldown now. */
export function effectsAt(
  timers: Timers,
  count: number,
  planOf: (effect: TimerEffect) => EntryPlan | undefined,
): ActiveEffects {
  const active: ActiveEffects = { sticky: new Map(), cooldown: new Map(), others: [] }
  for (const stored of timers.effects) {
    const effect = rewind(stored, count)
    if (!effect) continue
    const plan = planOf(effect)
    if (!plan) {
      if (!isOver(effect, count)) active.others.push(effect)
      continue
    }
    const span = effect.kind === 'sticky' ? stickySpan(plan) : cooldownSpan(plan)
    if (effect.meaning !== meaningOf(plan) || span === 0) continue
    const key = effectKey(effect.worldbookId, effect.entryId)
    if (!isOver(effect, count)) {
      if (!active[effect.kind].has(key)) active[effect.kind].set(key, effect)
      continue
    }
    const rest = cooldownSpan(plan)
    if (effect.kind === 'cooldown' || rest === 0 || effect.end === null) continue
    const after = { start: effect.start, end: effect.end }
    active.cooldown.set(key, { ...effect, kind: 'cooldown', start: count, end: endOf(count, rest), after })
  }
  return active
}

/** Effects after the evaluation: what runs on, and what the fired entries set off. A running effect is not extended. */
export function nextTimers(
  active: ActiveEffects,
  fired: { worldbookId: string; plan: EntryPlan }[],
  count: number,
): Timers {
  const sticky = new Map(active.sticky)
  const cooldown = new Map(active.cooldown)
  for (const { worldbookId, plan } of fired) {
    const kind = stickySpan(plan) === 0 ? 'cooldown' : 'sticky'
    const span = kind === 'sticky' ? stickySpan(plan) : cooldownSpan(plan)
    const key = effectKey(worldbookId, plan.entry.id)
    const into = kind === 'sticky' ? sticky : cooldown
    if (span === 0 || into.has(key)) continue
    into.set(key, {
      worldbookId,
      entryId: plan.entry.id,
      meaning: meaningOf(plan),
      kind,
      start: count,
      end: endOf(count, span),
    })
  }
  return { version: 1, effects: [...active.others, ...sticky.values(), ...cooldown.values()] }
}
