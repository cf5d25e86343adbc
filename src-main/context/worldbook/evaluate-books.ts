import { randomUUID } from 'node:crypto'
import type { ReadDatabase } from '../../storage/database'
import { readBookInSlices, readHead } from './book-rows'
import { type Breathe, newBreathing } from './breathing'
import type { CompiledBooks } from './compiled-books'
import type { CompiledBook } from './engine/compile'
import { evaluateElsewhere } from './engine/evaluate'
import type { EvaluationRequest } from './engine/request'
import type { Scanner } from './scanner'
import type { EvaluateResult } from './trace-contract'

export interface EvaluateDeps {
  database: ReadDatabase
  compiled: CompiledBooks
  scanner: Pick<Scanner, 'runPatterns'>
}

export const newSeed = (): string => randomUUID()

/** The stored books in the order given; ids that are not there are told apart, not an error. */
export async function loadBooks(
  deps: EvaluateDeps,
  ids: readonly string[],
): Promise<{ books: CompiledBook[]; missing: string[] }> {
  const books: CompiledBook[] = []
  const missing: string[] = []
  for (const id of new Set(ids)) {
    const head = readHead(deps.database, id)
    if (!head) {
      missing.push(id)
      continue
    }
    const load = async (breathe: Breathe) =>
      (await readBookInSlices(deps.database, id, breathe)) ?? { ...head, entries: [] }
    books.push(await deps.compiled.get(id, head.version, load))
  }
  return { books, missing }
}

/** Milliseconds are wall clock, patterns included. */
export async function evaluateBooks(deps: EvaluateDeps, request: EvaluationRequest): Promise<EvaluateResult> {
  const started = performance.now()
  const evaluation = await evaluateElsewhere(request, deps.scanner.runPatterns, newBreathing())
  return { ...evaluation, elapsedMs: Math.round((performance.now() - started) * 100) / 100 }
}
