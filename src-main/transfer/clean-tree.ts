import { phrase, type Sentence, said } from '../ipc/said-contract'

export interface TreeItem {
  id: string
  parentId: string | null
  selected: boolean
}

export interface Repairs {
  duplicateIds: number
  cycles: number
  missingParents: number
}

export interface OrderedTree {
  /** Indexes into the source, parents before children. */
  order: number[]
  /** Of each item in that order: the place of its parent in the same order, −1 for a beginning. */
  parents: number[]
  selected: boolean[]
  /** Its id belongs to an earlier item of the source, or is empty. */
  needsId: boolean[]
  repairs: Repairs
}

/**
 * Makes a tree of what a file calls one: every parent there and before its children, no circle, at most one selected
 * sibling. Nothing is dropped: what hung on nothing becomes a beginning of its own. The order of the file is kept
 * wherever parents allow it.
 */
export function orderTree(source: readonly TreeItem[]): OrderedTree {
  const repairs: Repairs = { duplicateIds: 0, cycles: 0, missingParents: 0 }
  const firstById = new Map<string, number>()
  const needsId = source.map((item, index) => {
    const isDuplicate = firstById.has(item.id)
    if (isDuplicate) repairs.duplicateIds += 1
    else firstById.set(item.id, index)
    return isDuplicate || item.id === ''
  })
  const parents = source.map((item) => {
    if (item.parentId === null) return -1
    const parent = firstById.get(item.parentId)
    if (parent === undefined) repairs.missingParents += 1
    return parent ?? -1
  })
  repairs.cycles = cutCycles(parents)
  const order = parentsFirst(parents)
  const places = new Int32Array(source.length)
  for (const [place, index] of order.entries()) places[index] = place
  const selected = lastSelected(source, parents)
  return {
    order,
    parents: order.map((index) => {
      const parent = parents[index] ?? -1
      return parent < 0 ? -1 : (places[parent] ?? -1)
    }),
    selected: order.map((index) => selected.has(index)),
    needsId: order.map((index) => needsId[index] ?? true),
    repairs,
  }
}

/** The items of an ordered tree with ids of their own: taken or missing ones are new. */
export function cleanTree<T extends TreeItem>(
  source: readonly T[],
  options: { taken: (id: string) => boolean; newId: () => string },
): { items: T[]; repairs: Repairs } {
  const { order, parents, selected, needsId, repairs } = orderTree(source)
  const ids: string[] = []
  const items = order.flatMap((index, place) => {
    const item = source[index]
    if (!item) return []
    const id = needsId[place] || options.taken(item.id) ? options.newId() : item.id
    ids.push(id)
    return { ...item, id, parentId: ids[parents[place] ?? -1] ?? null, selected: selected[place] ?? false }
  })
  return { items, repairs }
}

/** Sets the parent of one member of every circle to −1. Returns how many circles there were. */
function cutCycles(parents: number[]): number {
  const finished = new Uint8Array(parents.length)
  let cut = 0
  for (let start = 0; start < parents.length; start += 1) {
    const walk = new Set<number>()
    let at = start
    while (at >= 0 && finished[at] === 0) {
      if (walk.has(at)) {
        parents[at] = -1
        cut += 1
        break
      }
      walk.add(at)
      at = parents[at] ?? -1
    }
    for (const index of walk) finished[index] = 1
  }
  return cut
}

function parentsFirst(parents: readonly number[]): number[] {
  const placed = new Uint8Array(parents.length)
  const order: number[] = []
  for (let start = 0; start < parents.length; start += 1) {
    const chain: number[] = []
    for (let at = start; at >= 0 && placed[at] === 0; at = parents[at] ?? -1) chain.push(at)
    for (const index of chain.reverse()) {
      placed[index] = 1
      order.push(index)
    }
  }
  return order
}

function lastSelected(source: readonly TreeItem[], parents: readonly number[]): Set<number> {
  const byParent = new Map<number, number>()
  source.forEach((item, index) => {
    if (item.selected) byParent.set(parents[index] ?? -1, index)
  })
  return new Set(byParent.values())
}

/** What was repaired, for the report. Empty when nothing was. */
export function repairWarnings(title: string, repairs: Repairs): Sentence[] {
  const found: [number, string][] = [
    [repairs.duplicateIds, 'messages had an id that another one has; they got new ones'],
    [repairs.cycles, 'circles of messages were cut open'],
    [repairs.missingParents, 'messages named one above them that is not in the file; they begin a branch of their own'],
  ]
  return found.flatMap(([count, words]) => (count > 0 ? [said`"${title}": ${count} ${phrase(words)}.`] : []))
}
