import { type RetrievalParts, scoreOf } from '../retrieval-contract'
import { type Asked, aboutSelf, askedBy } from './ask'
import { cosinesOf, NO_VECTOR, SpreadMeter } from './cosines'
import { sentenceShareOf, shareOf } from './coverage'
import type { LexicalScores } from './lexical-index'
import type { IndexedMemory, RetrievalQuery } from './model'
import { DraftNames } from './names'
import type { Rankable, RankedMemory, Ranking, Spread } from './ranking'
import { standingOf } from './standing'
import { isSupported } from './support'
import type { Token } from './tokens'
import { TopSlots } from './top-slots'
import { isTopic } from './topics'
import { type ChannelWeights, channelWeights, ENTITY_WEIGHT, type Meeting, PRIOR_WEIGHTS, recencyOf } from './weights'

/** How many of the best are kept for the record. */
export const KEPT_CANDIDATES = 50
const KEPT_INADMISSIBLE = 10
/** A name that more memories hold than this many, or than this share, tells none of them apart. */
const FEW_HOLDERS = 3
const FEW_SHARE = 0.2
/** A memory names what it is about early. */
const NAMED_WITHIN = 2_000
/** The best word score counts as full only from this share of what a perfect match would score. */
const WEAK_BEST = 0.3
/** The most that entity and priors can add to the channels. */
const MOST_BONUS = ENTITY_WEIGHT + PRIOR_WEIGHTS.recency + PRIOR_WEIGHTS.importance + PRIOR_WEIGHTS.confidence

/** Three channels over every memory, one weighted sum each. */
export function rankAll(engine: Rankable, query: RetrievalQuery): Ranking {
  const ranker = new Ranker(engine, query, askedBy(query))
  try {
    return ranker.rank()
  } finally {
    ranker.release()
  }
}

class Ranker {
  readonly #engine: Rankable
  readonly #query: RetrievalQuery
  readonly #asked: Asked
  readonly #lexical: LexicalScores | undefined
  readonly #gloss: LexicalScores | undefined
  readonly #cosines: Float32Array | undefined
  readonly #named: ReadonlySet<number>
  readonly #draftNames: DraftNames
  readonly #weights: Record<Meeting, { dense: ChannelWeights; words: ChannelWeights }>
  #maxLexical = 0
  #maxGloss = 0
  #spread: Spread = { count: 0, mean: 0, deviation: 0, low: 0, best: [] }

  constructor(engine: Rankable, query: RetrievalQuery, asked: Asked) {
    this.#engine = engine
    this.#query = query
    this.#asked = asked
    const useWords = query.mode !== 'vector'
    const withGloss = useWords && (asked.glossed || engine.holdsGlosses)
    this.#lexical = useWords ? engine.lexical.search(asked.tokens) : undefined
    this.#gloss = withGloss ? engine.glosses.search(asked.glossTokens) : undefined
    this.#cosines = query.mode === 'keyword' ? undefined : cosinesOf(engine, query, asked)
    this.#named = useWords ? engine.slotsNamedIn(asked.words) : new Set()
    this.#draftNames = new DraftNames(query.draft)
    const weights = (meeting: Meeting, dense: boolean) =>
      channelWeights(meeting, { lexical: useWords, dense, glossLexical: withGloss && meeting === 'gloss' })
    const both = (meeting: Meeting) => ({ dense: weights(meeting, true), words: weights(meeting, false) })
    this.#weights = { fact: both('fact'), rawTurn: both('rawTurn'), gloss: both('gloss') }
  }

  rank(): Ranking {
    const slots = this.#candidateSlots()
    this.#measure(slots)
    const { columns } = this.#engine
    const isBefore = (a: number, b: number) => this.#isBefore(a, b)
    const best = new TopSlots(KEPT_CANDIDATES, isBefore)
    const refused = new TopSlots(KEPT_INADMISSIBLE, isBefore)
    let considered = 0
    // Without cosine and gloss a score is the words' share and a bonus: one comparison tells who cannot enter any more.
    const scores = this.#gloss === undefined ? this.#lexical?.scores : undefined
    const { lexical: weight } = this.#weights.fact.words
    let least = Number.NEGATIVE_INFINITY
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] as number
      const admissible = columns.isAdmissible(slot, this.#query.now, this.#asked.asksPast)
      // What may not be used is only of interest where its words were asked for.
      if (!admissible && !(columns.isPresent(slot) && this.#isTouched(slot))) continue
      considered += 1
      const isWordsOnly = admissible && scores !== undefined && this.#cosineAt(slot) === NO_VECTOR
      if (isWordsOnly && (scores[slot] as number) < least) continue
      const top = admissible ? best : refused
      const channels = this.#channelSum(slot)
      if (channels + MOST_BONUS < top.floor) continue
      top.add(slot, channels + this.#bonus(slot))
      if (admissible && weight > 0) least = ((best.floor - MOST_BONUS) / weight) * this.#maxLexical
    }
    return {
      best: this.#finish(best),
      inadmissible: this.#finish(refused),
      considered,
      spread: this.#spread,
    }
  }

  release(): void {
    if (this.#lexical) this.#engine.lexical.reset(this.#lexical)
    if (this.#gloss) this.#engine.glosses.reset(this.#gloss)
  }

  /** With a scan every memory has a cosine; else only what shares a word or was found by the outside index matters. */
  #candidateSlots(): Int32Array {
    const { width } = this.#engine
    if (this.#cosines !== undefined && this.#query.outsideHits === undefined) {
      const all = new Int32Array(width)
      for (let slot = 0; slot < width; slot += 1) all[slot] = slot
      return all
    }
    const touched = this.#lexical?.touched ?? new Int32Array(0)
    const more: number[] = []
    const isNew = (slot: number) => (this.#lexical?.scores[slot] ?? 0) === 0
    for (const slot of this.#gloss?.touched ?? []) if (isNew(slot)) more.push(slot)
    for (const id of this.#query.outsideHits?.keys() ?? []) {
      const slot = this.#engine.slotOf(id)
      if (slot !== undefined && isNew(slot) && (this.#gloss?.scores[slot] ?? 0) === 0) more.push(slot)
    }
    const slots = new Int32Array(touched.length + more.length)
    slots.set(touched)
    slots.set(more, touched.length)
    return slots
  }

  /** Maxima and the spread of cosines, over admissible memories only: nobody is measured against what may not be used. */
  #measure(slots: Int32Array): void {
    const { columns } = this.#engine
    const meter = new SpreadMeter()
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] as number
      if (!columns.isAdmissible(slot, this.#query.now, this.#asked.asksPast)) continue
      if (this.#lexical) this.#maxLexical = Math.max(this.#maxLexical, this.#lexical.scores[slot] as number)
      if (this.#gloss) this.#maxGloss = Math.max(this.#maxGloss, this.#gloss.scores[slot] as number)
      const cosine = this.#cosineAt(slot)
      if (cosine !== NO_VECTOR) meter.add(cosine)
    }
    this.#spread = meter.spread()
    // A best match on one word of ten is a weak best: it should not count as full agreement.
    const { lexical, glosses } = this.#engine
    if (this.#lexical) this.#maxLexical = Math.max(this.#maxLexical, WEAK_BEST * lexical.fullScore(this.#asked.tokens))
    if (this.#gloss) this.#maxGloss = Math.max(this.#maxGloss, WEAK_BEST * glosses.fullScore(this.#asked.glossTokens))
  }

  #cosineAt(slot: number): number {
    return this.#cosines === undefined ? NO_VECTOR : (this.#cosines[slot] as number)
  }

  #isTouched(slot: number): boolean {
    return (this.#lexical?.scores[slot] ?? 0) > 0 || (this.#gloss?.scores[slot] ?? 0) > 0
  }

  #weightsAt(slot: number): ChannelWeights {
    const { columns } = this.#engine
    const glossed = this.#asked.glossed || columns.isGlossed(slot)
    const meeting: Meeting = glossed ? 'gloss' : columns.isRawTurn(slot) ? 'rawTurn' : 'fact'
    return this.#weights[meeting][this.#cosineAt(slot) === NO_VECTOR ? 'words' : 'dense']
  }

  #lexicalAt(slot: number): number {
    if (this.#lexical === undefined || this.#maxLexical <= 0) return 0
    return Math.min(1, (this.#lexical.scores[slot] as number) / this.#maxLexical)
  }

  #glossAt(slot: number): number {
    if (this.#gloss === undefined || this.#maxGloss <= 0) return 0
    return Math.min(1, (this.#gloss.scores[slot] as number) / this.#maxGloss)
  }

  /** Between the worst and the best of this store. In a store of one or of equals the best is simply 1. */
  #denseAt(slot: number): number {
    const cosine = this.#cosineAt(slot)
    const { low, best } = this.#spread
    const high = best[0] ?? low
    if (cosine === NO_VECTOR) return 0
    return high <= low ? 1 : Math.min(1, Math.max(0, (cosine - low) / (high - low)))
  }

  #channelSum(slot: number): number {
    const weights = this.#weightsAt(slot)
    const gloss = weights.glossLexical > 0 ? weights.glossLexical * this.#glossAt(slot) : 0
    return weights.lexical * this.#lexicalAt(slot) + weights.dense * this.#denseAt(slot) + gloss
  }

  #bonus(slot: number): number {
    const { columns } = this.#engine
    return (
      (this.#named.has(slot) ? ENTITY_WEIGHT : 0) +
      PRIOR_WEIGHTS.recency * recencyOf(this.#query.now - (columns.updated[slot] as number)) +
      PRIOR_WEIGHTS.importance * (columns.importance[slot] as number) +
      PRIOR_WEIGHTS.confidence * (columns.confidence[slot] as number)
    )
  }

  /** Ties go to the newer, then by id, so that the same store gives the same list. */
  #isBefore(a: number, b: number): boolean {
    const { columns } = this.#engine
    const newer = (columns.updated[a] as number) - (columns.updated[b] as number)
    if (newer !== 0) return newer > 0
    return (this.#engine.memoryAt(a)?.id ?? '') < (this.#engine.memoryAt(b)?.id ?? '')
  }

  /** One of the common words is a name, and few memories hold it: without being listed it names what this one is about. */
  #sharesName(memory: IndexedMemory, matched: readonly string[]): boolean {
    const { lexical } = this.#engine
    const few = Math.max(FEW_HOLDERS, FEW_SHARE * lexical.size)
    return matched.some(
      (term) => lexical.holdersOf(term) <= few && this.#draftNames.isNameIn(memory.text.slice(0, NAMED_WITHIN), term),
    )
  }

  #partsAt(slot: number, memory: IndexedMemory, named: boolean): RetrievalParts {
    const weights = this.#weightsAt(slot)
    const glossValue = weights.glossLexical > 0 ? this.#glossAt(slot) : 0
    return {
      lexical: { value: this.#lexicalAt(slot), weight: weights.lexical },
      dense: { value: this.#denseAt(slot), weight: weights.dense },
      glossLexical: { value: glossValue, weight: weights.glossLexical },
      entity: { value: named ? 1 : 0, weight: ENTITY_WEIGHT },
      recency: { value: recencyOf(this.#query.now - memory.updatedAt), weight: PRIOR_WEIGHTS.recency },
      importance: { value: memory.importance, weight: PRIOR_WEIGHTS.importance },
      confidence: { value: memory.confidence, weight: PRIOR_WEIGHTS.confidence },
    }
  }

  #finish(top: TopSlots): RankedMemory[] {
    const { lexical, glosses } = this.#engine
    const { tokens, glossTokens, asksPast } = this.#asked
    // A topic finds what a question about oneself means; "a recipe for pancakes" is no reason to bring up a diet.
    const counts = aboutSelf(this.#query) ? () => true : (term: string) => !isTopic(term)
    const counting = (token: Token) => counts(token.text)
    const lexicalShare = shareOf(tokens.filter(counting), (term) => lexical.rarityOf(term))
    const glossShare = shareOf(glossTokens.filter(counting), (term) => glosses.rarityOf(term))
    const topicShare = shareOf(
      tokens.concat(glossTokens).filter((token) => isTopic(token.text)),
      (term) => Math.max(lexical.rarityOf(term), glosses.rarityOf(term)),
    )
    const sentenceShare = sentenceShareOf(this.#query.draft, (term) => lexical.rarityOf(term))
    const entries = top.slots().flatMap((slot) => {
      const memory = this.#engine.memoryAt(slot)
      if (memory === undefined) return []
      const matched = this.#lexical ? lexical.matched(slot, tokens) : []
      const glossMatched = this.#gloss ? glosses.matched(slot, glossTokens) : []
      const cosine = this.#cosineAt(slot)
      const parts = this.#partsAt(slot, memory, this.#named.has(slot) || this.#sharesName(memory, matched))
      const entry: RankedMemory = {
        memory,
        standing: standingOf(memory, this.#query.now, asksPast),
        score: scoreOf(parts),
        parts,
        raw: {
          lexical: this.#lexical?.scores[slot] ?? 0,
          glossLexical: this.#gloss?.scores[slot] ?? 0,
          ...(cosine === NO_VECTOR ? {} : { dense: cosine }),
        },
        matched: [...new Set([...matched, ...glossMatched])].slice(0, 30),
        coverage: Math.max(lexicalShare(matched), glossShare(glossMatched)),
        sentenceCoverage: sentenceShare(matched),
        supported: isSupported({ words: matched.filter(counts), glosses: glossMatched.filter(counts) }),
        topicCoverage: topicShare([...new Set([...matched, ...glossMatched])]),
      }
      return [{ slot, entry }]
    })
    return entries
      .sort((a, b) => b.entry.score - a.entry.score || (this.#isBefore(a.slot, b.slot) ? -1 : 1))
      .map(({ entry }) => entry)
  }
}
