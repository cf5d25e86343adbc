import type { MemoryStatus } from '../../../src-main/context/memory/contract'
import { inWords } from '../../i18n/said'

/** What went wrong last, with the embedder or with the index on disk, in the language on screen. */
export function problemOf({ lastError, lastErrorWords, search }: MemoryStatus): string | undefined {
  if (lastError !== undefined) return inWords(lastError, lastErrorWords)
  return search.problem === undefined ? undefined : inWords(search.problem, search.problemWords)
}
