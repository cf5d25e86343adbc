/**
 * Why an answer ended, from the server's own word for it. Servers have many words; what they mean is one of these.
 * `error`: the server itself calls the end a failure.
 */
export type EndReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

const MEANINGS: readonly (readonly [EndReason, RegExp])[] = [
  ['content-filter', /filter|safety|sensitive|refus|block|prohibit|recitation|spii|moderat|polic|guardrail/],
  ['length', /length|max.*token|token.*(limit|max)|context.*(window|limit|full)|truncat|^max/],
  ['tool-calls', /^(tool|function)/],
  ['error', /error|fail|malformed|abort|insufficient|overload|unexpected|cancel/],
  ['stop', /^(stop|end|eos|done|complete|finish|success|pause|unknown|null)/],
]

/** What a server's word means; `other` for one nobody knows. */
export function endReasonOf(raw: string): EndReason {
  const word = raw.toLowerCase()
  return MEANINGS.find(([, words]) => words.test(word))?.[0] ?? 'other'
}
