import type { RetrievalParts } from '../contract'
import type { RetrievalEngine } from './engine'
import { scaled } from './engine'
import type { IndexedMemory, RetrievalQuery } from './model'
import { asksAboutPast, contentWordCount, type Token, tokensOf } from './tokens'
import {
  channelWeights,
  ENTITY_WEIGHT,
  type Meeting,
  PREVIOUS_TURN_WEIGHT,
  PRIOR_WEIGHTS,
  RECENCY_HALF_LIFE_DAYS,
  SHORT_DRAFT_WORDS,
} from './weights'

const DAY = 86_400_000
/** How many of the best are kept for the record. */
export const KEPT_CANDIDATES = 50
const KEPT_INADMISSIBLE = 10
/** In a long draft no memory holds a quarter of all words: the strongest of them stand for the question. */
const WORDS_THAT_COUNT = 6
/** The best word score counts as full only from this share of what a perfect match would score. */
const WEAK_BEST = 0.3

export type Standing = 'holds' | 'past' | 'superseded' | 'expired' | 'not_yet_valid' | 'archived'

export interface RankedMemory {
  memory: IndexedMemory
  standing: Standing
  score: number
  parts: RetrievalParts
  raw: { lexical: number; dense?: number; glossLexical: number }
  matched: string[]
  /** Share of the question's words, weighed by rarity, that this memory holds, 0–1. */
  coverage: number
}

export interface Ranking {
  /** Admissible ones, best first. */
  best: RankedMemory[]
  /** Those that would have been near the top but may not be used. */
  inadmissible: RankedMemory[]
  considered: number
  /** Cosines of all admissible memories that have one: what the margin is judged against. */
  spread: { count: number; mean: number; deviation: number; sorted: number[] }
}

/** Whether a memory may be used at this moment, and if not, why. Archived wins over everything. */
export function standingOf(
  memory: Pick<IndexedMemory, 'archived' | 'superseded' | 'validFrom' | 'validUntil'>,
  now: number,
  asksPast: boolean,
): Standing {
  if (memory.archived) return 'archived'
  if (memory.validFrom !== undefined && memory.validFrom > now) return 'not_yet_valid'
  const ended = memory.validUntil !== undefined && memory.validUntil <= now
  if (!memory.superseded && !ended) return 'holds'
  if (asksPast) return 'past'
  return memory.superseded ? 'superseded' : 'expired'
}

interface Asked {
  tokens: Token[]
  glossTokens: Token[]
  vector: Float32Array | undefined
  glossed: boolean
  words: ReadonlySet<string>
}

/** The draft, and below six content words the turn before it at a lower weight. */
function ask(query: RetrievalQuery): Asked {
  const lean = query.previous !== undefined && contentWordCount(query.draft) < SHORT_DRAFT_WORDS
  const tokens = tokensOf(query.draft)
  const glossTokens = tokensOf(query.reading?.gloss ?? query.draft)
  let vector = query.reading?.vectors[0]
  if (lean && query.previous !== undefined) {
    tokens.push(...scaled(tokensOf(query.previous), PREVIOUS_TURN_WEIGHT))
    glossTokens.push(...scaled(tokensOf(query.previousReading?.gloss ?? query.previous), PREVIOUS_TURN_WEIGHT))
    const before = query.previousReading
    const other = before?.channel === query.reading?.channel ? before?.vectors[0] : undefined
    if (vector !== undefined && other !== undefined) vector = mixed(vector, other, PREVIOUS_TURN_WEIGHT)
  }
  return {
    tokens,
    glossTokens,
    vector,
    glossed: query.reading?.gloss !== undefined,
    words: new Set(tokens.map((token) => token.text)),
  }
}

function mixed(one: Float32Array, two: Float32Array, weight: number): Float32Array {
  const sum = one.map((value, at) => value + weight * (two[at] ?? 0))
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0))
  return norm > 0 ? sum.map((value) => value / norm) : sum
}

/** Three channels over every memory, one weighted sum each. */
export function rankAll(engine: RetrievalEngine, query: RetrievalQuery): Ranking {
  const asked = ask(query)
  const asksPast = asksAboutPast(query.draft)
  const { width } = engine
  const useWords = query.mode !== 'vector'
  const lexical = useWords ? engine.lexical.search(asked.tokens) : undefined
  const withGloss = useWords && (asked.glossed || engine.holdsGlosses)
  const gloss = withGloss ? engine.glosses.search(asked.glossTokens) : undefined
  const cosines = query.mode === 'keyword' ? undefined : cosinesOf(engine, query, asked, width)

  const standings = new Array<Standing | undefined>(width)
  let maxLexical = 0
  let maxGloss = 0
  const admissibleCosines: number[] = []
  for (let slot = 0; slot < width; slot += 1) {
    const memory = engine.memoryAt(slot)
    if (memory === undefined) continue
    const standing = standingOf(memory, query.now, asksPast)
    standings[slot] = standing
    if (standing !== 'holds' && standing !== 'past') continue
    maxLexical = Math.max(maxLexical, lexical?.scores[slot] ?? 0)
    maxGloss = Math.max(maxGloss, gloss?.scores[slot] ?? 0)
    const cosine = cosines?.[slot] ?? -2
    if (cosine > -2) admissibleCosines.push(cosine)
  }
  // A best match on one word of ten is a weak best: it should not count as full agreement.
  if (lexical) maxLexical = Math.max(maxLexical, WEAK_BEST * engine.lexical.fullScore(asked.tokens))
  if (gloss) maxGloss = Math.max(maxGloss, WEAK_BEST * engine.glosses.fullScore(asked.glossTokens))
  const spread = spreadOf(admissibleCosines)
  const low = spread.sorted.at(-1) ?? 0
  const high = spread.sorted[0] ?? 0

  const partsAt = (slot: number, memory: IndexedMemory): { parts: RetrievalParts; raw: RankedMemory['raw'] } => {
    const raw: RankedMemory['raw'] = {
      lexical: lexical?.scores[slot] ?? 0,
      glossLexical: gloss?.scores[slot] ?? 0,
    }
    const cosine = cosines?.[slot] ?? -2
    if (cosine > -2) raw.dense = cosine
    const glossed = asked.glossed || memory.reading?.gloss !== undefined
    const meeting: Meeting = glossed ? 'gloss' : memory.rawTurn ? 'rawTurn' : 'fact'
    const weights = channelWeights(meeting, {
      lexical: useWords,
      dense: cosine > -2,
      glossLexical: withGloss && glossed,
    })
    const entity = useWords && memory.entities.some((name) => holdsAll(asked.words, name))
    const age = Math.max(0, query.now - memory.updatedAt) / DAY
    return {
      raw,
      parts: {
        lexical: { value: maxLexical > 0 ? Math.min(1, raw.lexical / maxLexical) : 0, weight: weights.lexical },
        dense: { value: cosine > -2 ? scaledCosine(cosine, low, high) : 0, weight: weights.dense },
        glossLexical: {
          value: maxGloss > 0 && weights.glossLexical > 0 ? Math.min(1, raw.glossLexical / maxGloss) : 0,
          weight: weights.glossLexical,
        },
        entity: { value: entity ? 1 : 0, weight: ENTITY_WEIGHT },
        recency: { value: 2 ** (-age / RECENCY_HALF_LIFE_DAYS), weight: PRIOR_WEIGHTS.recency },
        importance: { value: memory.importance, weight: PRIOR_WEIGHTS.importance },
        confidence: { value: memory.confidence, weight: PRIOR_WEIGHTS.confidence },
      },
    }
  }
  const score = (slot: number, memory: IndexedMemory) => {
    const { parts } = partsAt(slot, memory)
    return sumOf(parts)
  }

  const admissible: { slot: number; memory: IndexedMemory; score: number }[] = []
  const refused: { slot: number; memory: IndexedMemory; score: number }[] = []
  let considered = 0
  for (let slot = 0; slot < width; slot += 1) {
    const memory = engine.memoryAt(slot)
    if (memory === undefined) continue
    const touched = (lexical?.scores[slot] ?? 0) > 0 || (gloss?.scores[slot] ?? 0) > 0
    const standing = standings[slot]
    const admitted = standing === 'holds' || standing === 'past'
    if (!touched && !(admitted && (cosines?.[slot] ?? -2) > -2)) continue
    considered += 1
    ;(admitted ? admissible : refused).push({ slot, memory, score: score(slot, memory) })
  }
  const weigh = rarityOf(engine, asked)
  const finish = ({
    slot,
    memory,
    score: sum,
  }: {
    slot: number
    memory: IndexedMemory
    score: number
  }): RankedMemory => {
    const matched = useWords ? engine.lexical.matched(slot, asked.tokens) : []
    const glossMatched = withGloss ? engine.glosses.matched(slot, asked.glossTokens) : []
    return {
      memory,
      standing: standings[slot] ?? 'archived',
      score: sum,
      ...partsAt(slot, memory),
      matched: [...new Set([...matched, ...glossMatched])].slice(0, 30),
      coverage: Math.max(weigh.lexical(matched), weigh.gloss(glossMatched)),
    }
  }
  const best = topOf(admissible, KEPT_CANDIDATES).map(finish)
  const inadmissible = topOf(refused, KEPT_INADMISSIBLE).map(finish)
  if (lexical) engine.lexical.reset(lexical)
  if (gloss) engine.glosses.reset(gloss)
  return { best, inadmissible, considered, spread }
}

function sumOf(parts: RetrievalParts): number {
  let sum = 0
  for (const { value, weight } of Object.values(parts)) sum += value * weight
  return sum
}

function cosinesOf(
  engine: RetrievalEngine,
  query: RetrievalQuery,
  asked: Asked,
  width: number,
): Float32Array | undefined {
  if (query.outsideHits !== undefined) {
    const cosines = new Float32Array(width).fill(-2)
    for (const [id, cosine] of query.outsideHits) {
      const slot = engine.slotOf(id)
      if (slot !== undefined) cosines[slot] = cosine
    }
    return cosines
  }
  if (asked.vector === undefined || query.reading === undefined) return undefined
  return engine.block(query.reading.channel)?.best(asked.vector, width)
}

/** Between the worst and the best of this store. In a store of one or of equals the best is simply 1. */
function scaledCosine(cosine: number, low: number, high: number): number {
  if (high <= low) return 1
  return Math.min(1, Math.max(0, (cosine - low) / (high - low)))
}

function holdsAll(words: ReadonlySet<string>, name: string): boolean {
  const tokens = tokensOf(name).filter((token) => token.weight >= 1)
  return tokens.length > 0 && tokens.every((token) => words.has(token.text))
}

function spreadOf(cosines: number[]): Ranking['spread'] {
  const count = cosines.length
  const mean = count === 0 ? 0 : cosines.reduce((sum, value) => sum + value, 0) / count
  const variance = count === 0 ? 0 : cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count
  return { count, mean, deviation: Math.sqrt(variance), sorted: cosines.toSorted((a, b) => b - a) }
}

/** Best first; ties to the newer, then by id, so that the same store gives the same list. */
function topOf<T extends { memory: IndexedMemory; score: number }>(entries: T[], count: number): T[] {
  const order = (a: T, b: T) =>
    b.score - a.score || b.memory.updatedAt - a.memory.updatedAt || (a.memory.id < b.memory.id ? -1 : 1)
  if (entries.length <= 4 * count) return entries.toSorted(order).slice(0, count)
  // A full sort of 100,000 entries would cost more than the search: cut by the score of a small sorted sample first.
  const scores = Float64Array.from(entries, (entry) => entry.score).sort()
  const cut = scores[scores.length - count] ?? Number.NEGATIVE_INFINITY
  return entries
    .filter((entry) => entry.score >= cut)
    .toSorted(order)
    .slice(0, count)
}

interface Rarity {
  lexical(matched: readonly string[]): number
  gloss(matched: readonly string[]): number
}

function rarityOf(engine: RetrievalEngine, asked: Asked): Rarity {
  const share = (tokens: readonly Token[], rarity: (term: string) => number) => {
    const gains = new Map<string, number>()
    for (const { text, weight } of tokens) gains.set(text, Math.max(gains.get(text) ?? 0, weight * rarity(text)))
    const strongest = [...gains.values()].sort((a, b) => b - a).slice(0, WORDS_THAT_COUNT)
    const total = strongest.reduce((sum, gain) => sum + gain, 0)
    return (matched: readonly string[]) =>
      total > 0 ? Math.min(1, matched.reduce((sum, text) => sum + (gains.get(text) ?? 0), 0) / total) : 0
  }
  return {
    lexical: share(asked.tokens, (term) => engine.lexical.rarityOf(term)),
    gloss: share(asked.glossTokens, (term) => engine.glosses.rarityOf(term)),
  }
}
