/**
 * An Aho–Corasick automaton as it is scanned: a double array. The child of a cell along a class is looked up at one
 * place, and what a step asks of a cell stands side by side there, since a scan of a large book spends its time waiting
 * for memory and on guesses about branches.
 */
export interface Automaton {
  /** CELL.size numbers a cell, by the names of CELL; a cell is named by the index of its first. 0 is the root. */
  cells: Int32Array
  /** By UTF-16 unit: how far behind a cell's base its child stands, in numbers; 0 = the unit is in no term. */
  classes: Int32Array
  /** Two numbers an output: its term, and the next output or 0. The first two stand for none. */
  outputs: Int32Array
}

/** check: the parent, or −1. fail: cell of the longest proper suffix. output: the first of the terms that end here, or 0. */
export const CELL = { base: 0, check: 1, fail: 2, output: 3, size: 4 } as const

/** Nodes are numbered breadth first from the root 0. */
interface Trie {
  count: number
  /** The children of node n are the nodes from childStart[n] up to childStart[n + 1]. */
  childStart: Int32Array
  /** UTF-16 unit on the edge into the node. */
  unit: Uint16Array
  /** Index of the term that ends here, or −1. */
  term: Int32Array
}

/** Built on one thread and scanned on another: a copy of a large one would hold up both. */
const shared = (length: number) => new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT))

/** Terms are distinct and non-empty. */
function trieOf(terms: readonly string[]): Trie {
  const order = [...terms.keys()].sort((a, b) => ((terms[a] as string) < (terms[b] as string) ? -1 : 1))
  const capacity = terms.reduce((sum, term) => sum + term.length, 1)
  const childStart = new Int32Array(capacity + 1)
  const unit = new Uint16Array(capacity)
  const term = new Int32Array(capacity).fill(-1)
  let count = 1
  let ranges = [0, order.length]
  for (let depth = 0, first = 0; first < count; depth += 1) {
    const last = count
    const next: number[] = []
    for (let node = first; node < last; node += 1) {
      let low = ranges[(node - first) * 2] as number
      const high = ranges[(node - first) * 2 + 1] as number
      if (low < high && (terms[order[low] as number] as string).length === depth) {
        term[node] = order[low] as number
        low += 1
      }
      childStart[node] = count
      while (low < high) {
        const edge = (terms[order[low] as number] as string).charCodeAt(depth)
        let end = low + 1
        while (end < high && (terms[order[end] as number] as string).charCodeAt(depth) === edge) end += 1
        unit[count] = edge
        next.push(low, end)
        count += 1
        low = end
      }
    }
    first = last
    ranges = next
  }
  childStart[count] = count
  return { count, childStart, unit, term }
}

/** Classes in the order in which the units are met, which puts those of the crowded first levels close together. */
function classesOf({ unit, count }: Trie): { classes: Int32Array; most: number } {
  const classes = shared(0x1_00_00)
  let most = 0
  for (let node = 1; node < count; node += 1) {
    const edge = unit[node] as number
    if (classes[edge] === 0) classes[edge] = ++most
  }
  return { classes, most }
}

/** Free places tried for a node with several children: behind the last such find, then in the thin end of the table. */
const TRIES = { near: 60, thin: 400 }

/** The place of every node, so that no two want the same one. Places below `most` + 1 stay free but for the root. */
function placesOf(trie: Trie, classes: Int32Array, most: number): { places: Int32Array; end: number } {
  const { childStart, unit, count } = trie
  const places = new Int32Array(count)
  let taken = new Uint8Array(2 * (count + most + 2))
  let free = most + 1
  let near = free
  let end = free
  const classOf = (child: number) => classes[unit[child] as number] as number
  const fits = (base: number, from: number, to: number) => {
    for (let child = from; child < to; child += 1) if (taken[base + classOf(child)] === 1) return false
    return true
  }
  const search = (start: number, tries: number, from: number, to: number): number => {
    let at = start
    for (let left = tries; left > 0 && at < end; at += 1) {
      if (taken[at] === 1) continue
      if (fits(at - classOf(from), from, to)) break
      left -= 1
    }
    return at
  }
  const place = (from: number, to: number): number => {
    while (taken[free] === 1) free += 1
    if (to - from === 1) return free - classOf(from)
    near = search(Math.max(near, free), TRIES.near, from, to)
    if (fits(near - classOf(from), from, to)) return near - classOf(from)
    const thin = search(Math.max(near, end - most), TRIES.thin, from, to)
    return fits(thin - classOf(from), from, to) ? thin - classOf(from) : end
  }
  for (let node = 0; node < count; node += 1) {
    const [from, to] = [childStart[node] as number, childStart[node + 1] as number]
    if (from === to) continue
    const base = place(from, to)
    for (let child = from; child < to; child += 1) {
      const at = base + classOf(child)
      places[child] = at
      if (at + most >= taken.length) {
        const more = new Uint8Array(2 * (at + most))
        more.set(taken)
        taken = more
      }
      taken[at] = 1
      if (at >= end) end = at + 1
    }
  }
  return { places, end: end + most + 1 }
}

/** Terms are distinct, non-empty and folded. Time and memory grow with their characters. */
export function buildAutomaton(terms: readonly string[]): Automaton {
  const trie = trieOf(terms)
  const { childStart, unit, term, count } = trie
  const { classes, most } = classesOf(trie)
  const { places, end } = placesOf(trie, classes, most)
  const { base, check, fail, output, size } = CELL
  const cells = shared(end * size)
  const outputs = shared((terms.length + 1) * 2)
  for (let at = check; at < cells.length; at += size) cells[at] = -1
  for (let edge = 0; edge < classes.length; edge += 1) classes[edge] = (classes[edge] as number) * size
  let lastOutput = 0
  for (let node = 0; node < count; node += 1) {
    const parent = (places[node] as number) * size
    const from = childStart[node] as number
    const to = childStart[node + 1] as number
    if (from === to) continue
    cells[parent + base] = (places[from] as number) * size - (classes[unit[from] as number] as number)
    for (let child = from; child < to; child += 1) {
      const step = classes[unit[child] as number] as number
      const cell = (places[child] as number) * size
      cells[cell + check] = parent
      let suffix = parent
      let target = 0
      while (suffix !== 0 && target === 0) {
        suffix = cells[suffix + fail] as number
        const next = (cells[suffix + base] as number) + step
        if (cells[next + check] === suffix) target = next
      }
      cells[cell + fail] = target
      const ending = term[child] as number
      if (ending < 0) cells[cell + output] = cells[target + output] as number
      else {
        lastOutput += 2
        outputs[lastOutput] = ending
        outputs[lastOutput + 1] = cells[target + output] as number
        cells[cell + output] = lastOutput
      }
    }
  }
  return { cells, classes, outputs }
}
