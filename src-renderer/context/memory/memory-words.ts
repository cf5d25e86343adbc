import type { TFunction } from 'i18next'
import type { MemoryStatus } from '../../../src-main/context/memory/contract'
import { inWords } from '../../i18n/said'

/** What went wrong last, with the embedder or with the index on disk, in the language on screen. */
export function problemOf({ lastError, lastErrorWords, search }: MemoryStatus): string | undefined {
  if (lastError !== undefined) return inWords(lastError, lastErrorWords)
  return search.problem === undefined ? undefined : inWords(search.problem, search.problemWords)
}

const TOPIC = 'about:'
const MOST_SHOWN = 5

/** What draft and memory have in common: words as they were compared, topics by their names. */
export function matchedWords(t: TFunction<'memory'>, matched: readonly string[]): string[] {
  const words = matched.filter((token) => !token.startsWith(TOPIC)).slice(0, MOST_SHOWN)
  const topics = matched.flatMap((token) =>
    token.startsWith(TOPIC) ? [t(`topic.${token.slice(TOPIC.length) as 'food'}`)] : [],
  )
  return [
    ...(words.length > 0 ? [t('tab.matched', { words: words.join(', ') })] : []),
    ...(topics.length > 0 ? [t('tab.topics', { topics: topics.join(', ') })] : []),
  ]
}
