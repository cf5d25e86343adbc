import type { ReadDatabase } from '../../storage/database'
import { cutToTokens } from './cut-text'
import { findMemories } from './repository'
import { asksAboutPast } from './retrieval/draft-kind'
import { standingOf } from './retrieval/standing'
import type { RetrievalCandidate, RetrievalVerdict } from './retrieval-contract'
import type { MemoryRow } from './rows'

export interface FittedText {
  row: MemoryRow
  text: string
  tokens: number
  past: boolean
  rank: number
  score: number
}

export interface Fitted {
  candidates: RetrievalCandidate[]
  injected: FittedText[]
  used: number
}

/**
 * The last word before anything goes in. The engine's copy may be a moment old, so each candidate is looked up in the
 * database again: what is gone, archived or replaced by now is out, and the next in rank takes its place.
 */
export function fitCandidates(
  database: ReadDatabase,
  candidates: readonly RetrievalCandidate[],
  request: { topK: number; now: number; draft: string; count: (text: string) => number },
  ceiling: { perMemory: number; total: number },
): Fitted {
  const rows = findMemories(
    database,
    candidates.map((candidate) => candidate.memoryId),
  )
  const past = asksAboutPast(request.draft)
  const injected: FittedText[] = []
  const judged: RetrievalCandidate[] = []
  let used = 0
  let slots = request.topK
  for (const candidate of candidates) {
    const row = rows.get(candidate.memoryId)
    if (row === undefined) continue
    const standing = standingNow(row, request.now, past)
    const { past: _, ...rest } = candidate
    const base = { ...rest, ...(standing === 'past' ? { past: true as const } : {}) }
    if (standing !== 'holds' && standing !== 'past') {
      judged.push({ ...base, verdict: standing })
      continue
    }
    const wanted = candidate.verdict === 'injected' || candidate.verdict === 'over_top_k'
    if (!wanted) {
      judged.push({ ...base, verdict: stillRefused(candidate.verdict) })
      continue
    }
    if (slots === 0) {
      judged.push({ ...base, verdict: 'over_top_k' })
      continue
    }
    slots -= 1
    const text = lineFor(row, standing === 'past')
    const cut = cutToTokens(text, ceiling.perMemory, request.count)
    const fits = used + cut.tokens <= ceiling.total
    judged.push({
      ...base,
      verdict: fits ? 'injected' : 'over_token_ceiling',
      tokens: cut.tokens,
      ...(cut.cut ? { cut: true as const } : {}),
    })
    if (!fits) continue
    used += cut.tokens
    injected.push({
      row,
      text: cut.text,
      tokens: cut.tokens,
      past: standing === 'past',
      rank: candidate.rank,
      score: candidate.score,
    })
  }
  return { candidates: judged, injected, used }
}

/** A memory that was refused for its state a moment ago and holds again now was never ranked: it waits a turn. */
function stillRefused(verdict: RetrievalVerdict): RetrievalVerdict {
  return verdict === 'below_threshold' ? verdict : 'below_margin'
}

export function standingNow(row: MemoryRow, now: number, asksPast: boolean) {
  return standingOf(
    {
      archived: row.archived === 1,
      superseded: row.superseded_by !== null,
      ...(row.valid_from === null ? {} : { validFrom: Date.parse(row.valid_from) }),
      ...(row.valid_until === null ? {} : { validUntil: Date.parse(row.valid_until) }),
    },
    now,
    asksPast,
  )
}

/** One line a memory. What no longer holds says so, because nothing else in the request does. */
export function lineFor(row: MemoryRow, past: boolean): string {
  const text = row.text.trim()
  if (!past) return `- ${text}`
  const until = row.valid_until?.slice(0, 10)
  return until === undefined ? `- (no longer true) ${text}` : `- (true until ${until}) ${text}`
}
