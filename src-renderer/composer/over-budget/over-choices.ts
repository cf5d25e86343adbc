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
  /** The preview of the turn with this choice; undefined while it is asked for, null for sending as it is. */
  result: Preview | null | undefined
}

/** Asks for the preview of this very message with changes for this turn. */
export type Try = (overrides: SendOverrides) => Promise<Preview>

const LEAST_REPLY = 1024
const MOST_TRIES = 6

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

/** The ways out that exist for this request, before any of them was tried. */
export function openChoices({ usage, ledger }: Preview): OverChoice[] {
  const { reserved, over, segments } = usage
  const to = Math.max(LEAST_REPLY, reserved - over)
  const trims = new Set(ledger.filter(({ segment }) => segment === 'history').map(({ sourceId }) => sourceId)).size > 0
  return [
    ...(trims ? [{ id: 'trim' as const, overrides: {}, result: undefined }] : []),
    ...(segments.some(({ segment }) => segment === 'memory')
      ? [{ id: 'memory' as const, overrides: { blocksOff: ['memory' as const] }, result: undefined }]
      : []),
    ...(to < reserved
      ? [{ id: 'smaller' as const, overrides: { reservedOutput: to }, from: reserved, to, result: undefined }]
      : []),
    { id: 'anyway', overrides: {}, result: null },
  ]
}

/** Tries one way out: the choice with what it would do, or null when it would do nothing. */
export async function tryChoice(choice: OverChoice, preview: Preview, attempt: Try): Promise<OverChoice | null> {
  if (choice.id === 'anyway') return choice
  if (choice.id === 'trim') return trimChoice(preview, attempt)
  return { ...choice, result: await attempt(choice.overrides) }
}

export const fits = (choice: OverChoice): boolean => choice.result?.usage.over === 0
