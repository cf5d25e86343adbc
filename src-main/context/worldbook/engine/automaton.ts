import { type Automaton, NODE } from './scan-worker'

/** Reports every occurrence of every term: its index and the offset just behind it. `units` is folded text. */
export function scanUnits(automaton: Automaton, units: Uint16Array, onHit: (term: number, end: number) => void): void {
  const { nodes, unit, root } = automaton
  const { start, fail, output, term, size } = NODE
  let node = 0
  for (let at = 0; at < units.length; at += 1) {
    const edge = units[at] as number
    while (node !== 0) {
      const base = node * size
      let low = nodes[base + start] as number
      let high = nodes[base + size + start] as number
      let next = 0
      while (low < high) {
        const middle = (low + high) >>> 1
        const found = unit[middle] as number
        if (found === edge) {
          next = middle
          break
        }
        if (found < edge) low = middle + 1
        else high = middle
      }
      if (next !== 0) {
        node = next
        break
      }
      node = nodes[base + fail] as number
    }
    if (node === 0) node = root[edge] as number
    let end = nodes[node * size + output] as number
    while (end !== 0) {
      const base = end * size
      onHit(nodes[base + term] as number, at + 1)
      end = nodes[(nodes[base + fail] as number) * size + output] as number
    }
  }
}
