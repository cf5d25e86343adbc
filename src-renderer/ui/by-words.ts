import { defaultFilter } from 'cmdk'

/** For `<Command filter>`: ranks by the words that are shown (keywords); the value is an id and says nothing. */
export function byWords(_id: string, query: string, words: string[] = []): number {
  return defaultFilter(words.join(' '), query, [])
}
