import type { ContextUsage } from '../../../src-main/context/contract'
import type { Preview } from '../../../src-main/turns/contract'
import type { SendOverrides } from '../send-gate'

export type ChoiceId = 'trim' | 'memory' | 'smaller' | 'anyway'

export interface OverChoice {
  id: ChoiceId
  overrides: SendOverrides
  /** Trim: how many messages stay out in addition. */
  count?: number
  /** Smaller reply: tokens before and after. */
  from?: number
  to?: number
  /** The preview of the turn with this choice; null for sending as it is. */
  result: Preview | null
}

/** Asks for the preview of this very message with changes for this turn. */
export type Try = (overrides: SendOverrides) => Promise<Preview>

/** How far over counts as clearly over, by how far the numbers can be trusted: shares of the budget. */
const DOUBT = { reported: 0, calibrated: 0.02, estimated: 0.05 } as const
const LEAST_REPLY = 1024
const MOST_TRIES = 6

export function isClearlyOver({ over, budget, quality }: ContextUsage): boolean {
  return budget !== undefined && over > budget * DOUBT[quality]
}

/** History messages in a request, the typed one included, oldest first with their tokens. */
function sentMessages({ ledger }: Preview): number[] {
  const tokens = new Map<string, number>()
  for (const span of ledger) {
    if (span.segment !== 'history' && span.segment !== 'draft') continue
    tokens.set(span.sourceId, (tokens.get(span.sourceId) ?? 0) + span.tokens)
  }
  return [...tokens.values()]
}

/** The highest limit worth trying: as many oldest messages left out as weigh what is too much. */
function firstLimit(preview: Preview): number {
  const messages = sentMessages(preview)
  let weight = 0
  let out = 0
  while (out < messages.length - 1 && weight < preview.usage.over) weight += messages[out++] ?? 0
  return Math.max(1, messages.length - Math.max(1, out))
}

/** Fewer messages, until the preview says it fits or only the newest turn is left. null = nothing to trim. */
async function trimChoice(preview: Preview, attempt: Try): Promise<OverChoice | null> {
  const before = preview.windowStart?.dropped ?? 0
  let limit = firstLimit(preview)
  let last: OverChoice | null = null
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const result = await attempt({ historyLimit: limit })
    const count = (result.windowStart?.dropped ?? 0) - before
    if (count > 0) last = { id: 'trim', overrides: { historyLimit: limit }, count, result }
    if (result.usage.over === 0 || limit === 1) break
    limit = tries === MOST_TRIES - 2 ? 1 : Math.max(1, limit - Math.max(1, Math.ceil(limit / 4)))
  }
  return last
}

/** Every way out, each with the preview that shows what it would do. */
export async function overChoices(preview: Preview, attempt: Try): Promise<OverChoice[]> {
  const { reserved, over, segments } = preview.usage
  const choices: OverChoice[] = []
  const trim = await trimChoice(preview, attempt)
  if (trim) choices.push(trim)
  if (segments.some(({ segment }) => segment === 'memory')) {
    const overrides: SendOverrides = { blocksOff: ['memory'] }
    choices.push({ id: 'memory', overrides, result: await attempt(overrides) })
  }
  const to = Math.max(LEAST_REPLY, reserved - over)
  if (to < reserved) {
    const overrides: SendOverrides = { reservedOutput: to }
    choices.push({ id: 'smaller', overrides, from: reserved, to, result: await attempt(overrides) })
  }
  choices.push({ id: 'anyway', overrides: {}, result: null })
  return choices
}

export const fits = (choice: OverChoice): boolean => choice.result?.usage.over === 0
