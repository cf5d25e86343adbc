import { type Automaton, CELL } from './build-automaton'

/** Reports every occurrence of every term: its index and the offset just behind it. `units` is folded text. */
export function scanUnits(automaton: Automaton, units: Uint16Array, onHit: (term: number, end: number) => void): void {
  const { cells, classes, outputs } = automaton
  const { base, check, fail, output } = CELL
  let cell = 0
  for (let at = 0; at < units.length; at += 1) {
    const step = classes[units[at] as number] as number
    if (step === 0) {
      cell = 0
      continue
    }
    for (;;) {
      const next = (cells[cell + base] as number) + step
      if (cells[next + check] === cell) {
        cell = next
        break
      }
      if (cell === 0) break
      cell = cells[cell + fail] as number
    }
    let found = cells[cell + output] as number
    while (found !== 0) {
      onHit(outputs[found] as number, at + 1)
      found = outputs[found + 1] as number
    }
  }
}
