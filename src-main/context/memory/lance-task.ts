/** One vector of the index. `id` is `<memory>#<chunk>`, so writing it twice is writing it once. */
export interface LanceRow {
  id: string
  memory: string
  revision: number
  channel: string
  vector: Float32Array
}

export type LanceTask =
  | { do: 'open'; folder: string; table: string; dimensions: number }
  /** Replaces every row of the memories named in `memories` by `rows`. */
  | { do: 'replace'; memories: string[]; rows: LanceRow[] }
  | { do: 'check' }
  /** Begins a table anew; rows follow by `append`. */
  | { do: 'reset' }
  | { do: 'append'; rows: LanceRow[] }
  | { do: 'search'; vector: Float32Array; channel: string; limit: number }
  /** Merges fragments and forgets old versions, so that deleted words leave the disk; indexes from a size on. */
  | { do: 'tidy'; indexFrom: number }
  | { do: 'dropOthers' }

export interface LanceState {
  count: number
  /** Sum of `rowHash` over all rows. */
  sum: number
}

export interface LanceHit {
  memory: string
  revision: number
  vector: Float32Array
}

export type LanceAnswer = LanceState | LanceHit[] | undefined

/** 32 bits of FNV-1a over id and revision: sums of it tell two sets of rows apart, whatever their order. */
export function rowHash(id: string, revision: number): number {
  let hash = 0x811c9dc5
  const text = `${id}@${revision}`
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}
