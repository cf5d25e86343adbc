/** How two texts meet: it decides what each channel is worth. */
export type Meeting = 'fact' | 'rawTurn' | 'gloss'

export type ChannelWeights = Record<'lexical' | 'dense' | 'glossLexical', number>

const CHANNELS: Record<Meeting, ChannelWeights> = {
  fact: { lexical: 0.4, dense: 0.6, glossLexical: 0 },
  rawTurn: { lexical: 0.6, dense: 0.4, glossLexical: 0 },
  gloss: { lexical: 0.4, dense: 0.4, glossLexical: 0.2 },
}

export const ENTITY_WEIGHT = 0.1
/** Together below 0.1: they settle near-ties and never lift an irrelevant memory over a relevant one. */
export const PRIOR_WEIGHTS = { recency: 0.04, importance: 0.03, confidence: 0.02 } as const
/** A memory of this age has half the recency of a new one. */
const RECENCY_HALF_LIFE_DAYS = 45
const DAY_MS = 86_400_000

/** 1 for a memory of this moment, half for one of the half-life. Milliseconds in. */
export function recencyOf(age: number): number {
  return 2 ** (-Math.max(0, age) / (RECENCY_HALF_LIFE_DAYS * DAY_MS))
}

/** A neighbouring turn counts by its distance. */
export const NEIGHBOUR_WEIGHTS = [0.5, 0.5, 0.3, 0.2] as const
export const PREVIOUS_TURN_WEIGHT = 0.4
/** Drafts with fewer content words lean on the turn before. */
export const SHORT_DRAFT_WORDS = 6

/**
 * Channel weights of one candidate. A channel that cannot vote gives its weight to those that can, so an unreadable
 * memory is judged by its words alone instead of being punished.
 */
export function channelWeights(
  meeting: Meeting,
  votes: Record<'lexical' | 'dense' | 'glossLexical', boolean>,
): ChannelWeights {
  const base = CHANNELS[meeting]
  const parts = ['lexical', 'dense', 'glossLexical'] as const
  const total = parts.reduce((sum, part) => sum + (votes[part] ? base[part] : 0), 0)
  const share = (part: (typeof parts)[number]) => (votes[part] && total > 0 ? base[part] / total : 0)
  return { lexical: share('lexical'), dense: share('dense'), glossLexical: share('glossLexical') }
}

export const NO_PART = { value: 0, weight: 0 } satisfies { value: number; weight: number }
