/** Dimensions of the hashed vectors; the same as the sentence model's, so that both fit one table. */
export const HASH_DIMENSIONS = 512

/** Character 2- to 4-grams hashed with a sign into a unit vector: about 10 µs a short text, any script, no model. */
export function ngramVector(text: string, dimensions: number = HASH_DIMENSIONS): Float32Array | undefined {
  const chars = [
    ...` ${text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim()} `,
  ]
  const vector = new Float32Array(dimensions)
  if (chars.length < 3) return undefined
  for (let size = 2; size <= 4; size += 1) {
    for (let at = 0; at + size <= chars.length; at += 1) {
      const hash = fnv1a(chars.slice(at, at + size).join(''))
      const place = hash % dimensions
      vector[place] = (vector[place] ?? 0) + ((hash >>> 31) & 1 ? 1 : -1)
    }
  }
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return norm > 0 ? vector.map((value) => value / norm) : undefined
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  // FNV's low bits are even for short inputs; mix the high ones in before a modulo.
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 0
}
