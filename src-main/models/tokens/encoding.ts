import type { Encoding } from '../contract'

/** How a model counts before anything was learned: an encoding, and real tokens per token of it. */
export interface Tokenisation {
  encoding: Encoding
  factor: number
}

const RULES: readonly [RegExp, Tokenisation][] = [
  [/gpt-4o|gpt-4\.\d|gpt-(?:[5-9]|\d\d)|gpt-oss|chatgpt|\bo[1-9]\b/, { encoding: 'o200k', factor: 1 }],
  [/gpt-4|gpt-3\.?5/, { encoding: 'cl100k', factor: 1 }],
  [/claude-(?:[1-3]|instant)|claude-[a-z]+-(?:[1-3]|4(?:[-.][0-6])?)(?![\d.]|-\d)/, { encoding: 'o200k', factor: 1.1 }],
  [/claude/, { encoding: 'o200k', factor: 1.4 }],
  [/deepseek/, { encoding: 'o200k', factor: 0.95 }],
  [/qwen|qwq/, { encoding: 'o200k', factor: 0.97 }],
]

/** `claude-sonnet-4-20250514` -> `claude-sonnet-4`: a date is no version. */
function withoutDate(name: string): string {
  return name.toLowerCase().replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/, '')
}

export function tokenisationOf(modelName: string): Tokenisation {
  const name = withoutDate(modelName)
  return RULES.find(([pattern]) => pattern.test(name))?.[1] ?? { encoding: 'o200k', factor: 1 }
}
