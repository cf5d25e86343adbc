import type { RetrievalCandidate, RetrievalVerdict } from '../retrieval-contract'
import { aboutSelf } from './ask'
import type { RetrievalQuery } from './model'
import type { RankedMemory, Ranking, Spread } from './ranking'

export interface Admission {
  candidates: RetrievalCandidate[]
}

interface Bar {
  /** Share of the question's words, weighed by rarity, from which on a memory counts as matched by words. */
  coverage: number
  /** Without such a match a memory must stand out from the rest by this many standard deviations of the cosines. */
  margin: number
}
/**
 * Most drafts that need a memory speak of the user; "write a haiku" does not, and must be answered all the more clearly.
 * For these, lying further above the middle than the best of so many would by chance is enough, too.
 */
const ABOUT_SELF: Bar = { coverage: 0.25, margin: 1.3 }
const ABOUT_ANYTHING: Bar = { coverage: 0.34, margin: 2.8 }
/** One sentence of several holds few words: more of them must be met. */
const SENTENCE_COVERAGE = 0.5
/** What is about the same thing need not stand out, only be nearer than most. */
const TOPIC_SHARE = 0.3
const TOPIC_MARGIN = 1
/** Beside a memory that answers outright, one that is merely on the topic stays out: share of the best score. */
const TOPIC_BESIDE = 0.6
/** The rest starts behind this many of the best: several memories may answer one question. */
const ANSWERS_TOGETHER = 3
/** Spread and middle assumed while a store is too small to have its own. */
const USUAL_DEVIATION = 0.1
/** Among near-equal cosines a hair's breadth is no margin. */
const LEAST_DEVIATION = 0.04
const USUAL_REST = 0.2
const SMALL_STORE = 8
const CHANCE_SLACK = 0.4

/** Gives each candidate exactly one verdict. Never pads: fewer than K relevant memories mean fewer than K injected. */
export function admit(ranking: Ranking, query: RetrievalQuery): Admission {
  const { spread } = ranking
  const rest = spread.best[ANSWERS_TOGETHER] ?? Math.min(USUAL_REST, spread.count > 0 ? spread.low : USUAL_REST)
  const deviation = spread.count < SMALL_STORE ? USUAL_DEVIATION : Math.max(LEAST_DEVIATION, spread.deviation)
  const bestScore = ranking.best[0]?.score ?? 0
  const bar = aboutSelf(query) ? ABOUT_SELF : ABOUT_ANYTHING
  let injected = 0
  // Where meaning has no vote, a question about oneself goes by its words, be they ever so plain: "where do I live".
  const verdictOf = (entry: RankedMemory): RetrievalVerdict => {
    const byWords =
      entry.parts.entity.value > 0 ||
      ((entry.supported || (bar === ABOUT_SELF && entry.raw.dense === undefined)) &&
        (entry.coverage >= bar.coverage || entry.sentenceCoverage >= SENTENCE_COVERAGE))
    if (!byWords) {
      const cosine = entry.raw.dense
      if (cosine === undefined) return 'below_margin'
      const standsOut =
        cosine - rest >= bar.margin * deviation ||
        (bar === ABOUT_SELF &&
          (beatsChance(cosine, spread) ||
            (isOnTopic(entry, spread, deviation) && entry.score >= TOPIC_BESIDE * bestScore)))
      if (!standsOut) return 'below_margin'
      if (query.threshold !== undefined && cosine < query.threshold) return 'below_threshold'
    }
    if (injected >= query.topK) return 'over_top_k'
    injected += 1
    return 'injected'
  }
  const best = ranking.best.map((entry, at) => candidateOf(entry, at + 1, verdictOf(entry)))
  const refused = ranking.inadmissible.map((entry, at) => candidateOf(entry, best.length + at + 1, refusal(entry)))
  return { candidates: [...best, ...refused] }
}

const isOnTopic = ({ topicCoverage, raw }: RankedMemory, { mean }: Spread, deviation: number): boolean =>
  topicCoverage >= TOPIC_SHARE && (raw.dense ?? 0) - mean >= TOPIC_MARGIN * deviation

/**
 * The best of n values drawn at random lies about √(2 ln n) deviations above their mean, a little less for small n. Where
 * several memories answer one question, none has a margin over the next, but all of them are above this.
 */
function beatsChance(cosine: number, { count, mean, deviation }: Spread): boolean {
  if (count < SMALL_STORE) return false
  return cosine - mean >= (Math.sqrt(2 * Math.log(count)) - CHANCE_SLACK) * Math.max(LEAST_DEVIATION, deviation)
}

function refusal(entry: RankedMemory): RetrievalVerdict {
  const { standing } = entry
  return standing === 'holds' || standing === 'past' ? 'below_margin' : standing
}

function candidateOf(entry: RankedMemory, rank: number, verdict: RetrievalVerdict): RetrievalCandidate {
  return {
    memoryId: entry.memory.id,
    revision: entry.memory.revision,
    rank,
    score: entry.score,
    parts: entry.parts,
    raw: entry.raw,
    matched: entry.matched,
    verdict,
    ...(entry.standing === 'past' ? { past: true as const } : {}),
  }
}
