/** Groups of two or more nodes that can all reach each other (Tarjan, without recursion: chains may be long). */
export function strongComponents(edges: ReadonlyMap<number, ReadonlySet<number>>): number[][] {
  const index = new Map<number, number>()
  const low = new Map<number, number>()
  const onStack = new Set<number>()
  const stack: number[] = []
  const found: number[][] = []

  const enter = (node: number) => {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    stack.push(node)
    onStack.add(node)
    return { node, targets: [...(edges.get(node) ?? [])], next: 0 }
  }
  const lower = (node: number, to: number | undefined) => {
    if (to !== undefined && to < (low.get(node) ?? 0)) low.set(node, to)
  }
  const close = (node: number) => {
    const members: number[] = []
    let member: number | undefined
    do {
      member = stack.pop()
      if (member === undefined) break
      onStack.delete(member)
      members.push(member)
    } while (member !== node)
    if (members.length > 1) found.push(members.sort((a, b) => a - b))
  }

  for (const start of edges.keys()) {
    if (index.has(start)) continue
    const path = [enter(start)]
    for (let frame = path.at(-1); frame; frame = path.at(-1)) {
      const target = frame.targets[frame.next]
      if (target === undefined) {
        path.pop()
        if (low.get(frame.node) === index.get(frame.node)) close(frame.node)
        const parent = path.at(-1)
        if (parent) lower(parent.node, low.get(frame.node))
        continue
      }
      frame.next += 1
      if (!index.has(target)) path.push(enter(target))
      else if (onStack.has(target)) lower(frame.node, index.get(target))
    }
  }
  return found
}
