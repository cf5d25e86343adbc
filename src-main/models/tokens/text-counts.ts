import { hash } from 'node:crypto'

/** Texts kept as their own key: looking one up costs nothing, as a string's hash stays with the string. */
const MOST_CHARACTERS = 8_000_000
/** Beyond that, long texts are known by hash. */
const HASHED_FROM = 512
const MOST_HASHES = 60_000

const hashOf = (text: string): string => `${text.length}#${hash('sha1', text)}`

export interface TextCounts {
  get(text: string): number | undefined
  set(text: string, tokens: number): void
}

/** Tokens by text. A chat's texts are asked for again every turn, so they lie ready; older ones go, long ones by hash. */
export function createTextCounts(): TextCounts {
  const texts = new Map<string, number>()
  const hashes = new Map<string, number>()
  let characters = 0
  const keep = (text: string, tokens: number) => {
    if (!texts.has(text)) characters += text.length
    texts.set(text, tokens)
    for (const oldest of texts.keys()) {
      if (characters <= MOST_CHARACTERS) break
      texts.delete(oldest)
      characters -= oldest.length
    }
  }
  return {
    get(text) {
      const known = texts.get(text)
      if (known !== undefined || text.length < HASHED_FROM) return known
      const tokens = hashes.get(hashOf(text))
      if (tokens !== undefined) keep(text, tokens)
      return tokens
    },
    set(text, tokens) {
      keep(text, tokens)
      if (text.length < HASHED_FROM) return
      hashes.set(hashOf(text), tokens)
      const oldest = hashes.size > MOST_HASHES ? hashes.keys().next() : undefined
      if (oldest && !oldest.done) hashes.delete(oldest.value)
    },
  }
}
