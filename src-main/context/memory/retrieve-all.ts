import type { ReadDatabase } from '../../storage/database'
import { cutToTokens } from './cut-text'
import { type FittedText, lineFor } from './fit-candidates'
import { holdingMemories } from './repository'
import { KEPT_CANDIDATES } from './retrieval/fuse'
import { NO_PART } from './retrieval/weights'
import { type Retrieval, type RetrievalCandidate, type RetrievalParts, scoreOf } from './retrieval-contract'

/** Rows looked at: with one token a line the ceiling could hold no more. */
const READ = 2_000

const NO_PARTS: RetrievalParts = {
  lexical: NO_PART,
  dense: NO_PART,
  glossLexical: NO_PART,
  entity: NO_PART,
  recency: NO_PART,
  importance: NO_PART,
  confidence: NO_PART,
}

/** Top K 0: every memory that holds, oldest first, until the token ceiling. Nothing is ranked, so every score is 0. */
export function retrieveAll(
  database: ReadDatabase,
  request: { nowIso: string; count: (text: string) => number },
  perMemory: number,
  total: number,
): { part: Partial<Retrieval>; injected: FittedText[] } {
  const rows = holdingMemories(database, request.nowIso, READ)
  const injected: FittedText[] = []
  const candidates: RetrievalCandidate[] = []
  let used = 0
  let full = false
  for (const [at, row] of rows.entries()) {
    // Once full, only as many as the record shows are still counted.
    if (full && candidates.length >= injected.length + KEPT_CANDIDATES) break
    const cut = cutToTokens(lineFor(row, false), perMemory, request.count)
    const fits: boolean = !full && used + cut.tokens <= total
    full ||= !fits
    candidates.push({
      memoryId: row.id,
      revision: row.revision,
      rank: at + 1,
      score: scoreOf(NO_PARTS),
      parts: NO_PARTS,
      raw: { lexical: 0, glossLexical: 0 },
      matched: [],
      verdict: fits ? 'injected' : 'over_token_ceiling',
      tokens: cut.tokens,
      ...(cut.cut ? { cut: true as const } : {}),
    })
    if (!fits) continue
    used += cut.tokens
    injected.push({ row, text: cut.text, tokens: cut.tokens, past: false, rank: at + 1, score: 0 })
  }
  return {
    injected,
    part: {
      candidates,
      considered: rows.length,
      ceiling: { perMemory, total, used },
      ...(injected.length === 0 ? { absent: 'nothing_stored' as const } : {}),
    },
  }
}
