import { RetrievalEngine } from '../../src-main/context/memory/retrieval/engine'
import type { RetrievalMode } from '../../src-main/context/memory/retrieval-contract'
import type { BenchStore, Read } from './stores'

export interface Recall {
  questions: number
  /** Percent: the mean share of a question's evidence among the first k. */
  recall: number
  /** Percent of questions whose evidence is injected at all under the turn's own rules. */
  injected: number
  groups: Map<string, { sum: number; count: number }>
}

export async function recallAt(
  k: number,
  stores: readonly BenchStore[],
  read: Read,
  mode: RetrievalMode = 'hybrid',
): Promise<Recall> {
  const groups = new Map<string, { sum: number; count: number }>()
  let sum = 0
  let injected = 0
  let questions = 0
  for (const store of stores) {
    const engine = new RetrievalEngine()
    for (const entry of store.memories) engine.upsert(entry)
    const readings = await read(store.questions.map((question) => question.text))
    store.questions.forEach((question, at) => {
      const reading = readings[at]
      const { candidates } = engine.search({
        draft: question.text,
        mode,
        topK: 3,
        now: Date.UTC(2026, 0, 2),
        ...(reading ? { reading } : {}),
      })
      const found = new Set(candidates.slice(0, k).flatMap((entry) => store.evidence.get(entry.memoryId) ?? []))
      const share = question.evidence.filter((id) => found.has(id)).length / question.evidence.length
      const went = candidates.filter((entry) => entry.verdict === 'injected')
      if (went.some((entry) => store.evidence.get(entry.memoryId)?.some((id) => question.evidence.includes(id))))
        injected += 1
      const group = groups.get(question.group) ?? { sum: 0, count: 0 }
      groups.set(question.group, { sum: group.sum + share, count: group.count + 1 })
      sum += share
      questions += 1
    })
  }
  return { questions, recall: (100 * sum) / questions, injected: (100 * injected) / questions, groups }
}

export function table(rows: readonly (readonly (string | number)[])[]): string {
  const text = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell)))
  const widths = (text[0] ?? []).map((_, at) => Math.max(...text.map((row) => row[at]?.length ?? 0)))
  return text
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n')
}
