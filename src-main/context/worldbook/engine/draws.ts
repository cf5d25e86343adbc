/** 53 bits of a string, well mixed (two multiplicative lanes). Not for secrets. */
export function hash53(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (low >>> 0) + (high >>> 11) * 2 ** 32
}

/**
 * One draw in [0, 1) per purpose. Draws are addressed, not taken in turn: an entry more in the book moves nobody
 * else's luck.
 */
export type Draw = (purpose: string) => number

export function drawsFrom(seed: string, roll: number | undefined): Draw {
  return roll === undefined ? (purpose) => hash53(`${seed}\u0000${purpose}`) / 2 ** 53 : () => roll
}
