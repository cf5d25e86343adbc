import { type Automaton, findChild } from './scan-worker'

/** Reports every occurrence of every term: its index and the offset just behind it. `units` is folded text. */
export function scanUnits(automaton: Automaton, units: Uint16Array, onHit: (term: number, end: number) => void): void {
  const { childStart, unit, fail, term, suffix, root } = automaton
  let node = 0
  for (let at = 0; at < units.length; at += 1) {
    const edge = units[at] as number
    let next = 0
    while (node !== 0) {
      next = findChild(childStart, unit, node, edge)
      if (next !== 0) break
      node = fail[node] as number
    }
    node = node === 0 ? (root[edge] as number) : next
    if (node === 0) continue
    for (
      let end = (term[node] as number) >= 0 ? node : (suffix[node] as number);
      end !== 0;
      end = suffix[end] as number
    ) {
      onHit(term[end] as number, at + 1)
    }
  }
}
