import type { Memory } from '../../../src-main/context/memory/contract'
import type { Retrieval, RetrievalCandidate, RetrievalParts } from '../../../src-main/context/memory/retrieval-contract'

const AT = '2026-11-20T12:00:00+00:00'

export function aMemory(fields: Partial<Memory> = {}): Memory {
  return {
    id: 'm1',
    text: 'Prefers metric units.',
    kind: 'fact',
    source: { kind: 'manual' },
    importance: 0.5,
    confidence: 1,
    entities: [],
    archived: false,
    standing: 'active',
    revision: 1,
    createdAt: AT,
    updatedAt: AT,
    accessCount: 0,
    ...fields,
  }
}

const NO_PARTS: RetrievalParts = {
  lexical: { value: 0, weight: 0.4 },
  dense: { value: 0, weight: 0.6 },
  glossLexical: { value: 0, weight: 0 },
  entity: { value: 0, weight: 0.1 },
  recency: { value: 0, weight: 0.03 },
  importance: { value: 0, weight: 0.03 },
  confidence: { value: 0, weight: 0.02 },
}

export function aCandidate(fields: Partial<Omit<RetrievalCandidate, 'parts'>> & { parts?: Partial<RetrievalParts> }) {
  const { parts, ...rest } = fields
  return {
    memoryId: 'm1',
    revision: 1,
    rank: 1,
    score: 0,
    raw: { lexical: 0, glossLexical: 0 },
    matched: [],
    verdict: 'below_margin',
    ...rest,
    parts: { ...NO_PARTS, ...parts },
  } satisfies RetrievalCandidate
}

export function aRetrieval(fields: Partial<Retrieval> = {}): Retrieval {
  return {
    mode: 'hybrid',
    query: { draft: 'How deep does she draw?', contentWords: 2, asksPast: false },
    asOf: AT,
    topK: 3,
    ceiling: { perMemory: 200, total: 800, used: 22 },
    candidates: [],
    considered: 0,
    active: 12,
    elapsedMs: 18.4,
    ...fields,
  }
}
