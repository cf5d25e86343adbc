import type { PatternReply, PatternRequest } from './run-patterns'

/** Points at which an evaluation may be left for a while, and patterns it wants tried before it goes on. */
export type Step = PatternRequest | 'pause'
export type Steps<T> = Generator<Step, T, PatternReply>

/** What a pause is answered with. */
export const RESUME: PatternReply = { results: [], usedMillis: 0 }
