import type { ReadDatabase } from '../storage/database'

/** The shape of one session without its texts: enough to walk branches and count what lies below. */
export interface TreeNode {
  id: string
  parent: TreeNode | null
  selected: boolean
  createdAt: string
  children: TreeNode[]
}

export interface MessageTree {
  nodes: Map<string, TreeNode>
  roots: TreeNode[]
  /** Messages strictly below each node and the newest time in its subtree; made when first asked for. */
  below: Map<TreeNode, { messages: number; lastAt: string }> | undefined
}

interface NodeRow {
  id: string
  parent_id: string | null
  selected: number
  created_at: string
}

export function readTree(database: ReadDatabase, sessionId: string): MessageTree {
  const rows = database
    .prepare<[string], NodeRow>(
      'SELECT id, parent_id, selected, created_at FROM message WHERE session_id = ? ORDER BY seq',
    )
    .all(sessionId)
  const tree: MessageTree = { nodes: new Map(), roots: [], below: undefined }
  for (const row of rows) {
    // below one that is on its way out
    if (row.parent_id !== null && !tree.nodes.has(row.parent_id)) continue
    addNode(tree, { id: row.id, parentId: row.parent_id, selected: row.selected === 1, createdAt: row.created_at })
  }
  return tree
}

export function addNode(
  tree: MessageTree,
  row: { id: string; parentId: string | null; selected: boolean; createdAt: string },
): void {
  const parent = row.parentId === null ? null : (tree.nodes.get(row.parentId) ?? null)
  const node: TreeNode = { id: row.id, parent, selected: row.selected, createdAt: row.createdAt, children: [] }
  const siblings = parent ? parent.children : tree.roots
  if (row.selected) for (const sibling of siblings) sibling.selected = false
  siblings.push(node)
  tree.nodes.set(node.id, node)
  tree.below = undefined
}

const shownOf = (children: readonly TreeNode[]): TreeNode | undefined =>
  children.find((child) => child.selected) ?? children.at(-1)

/** The visible branch, oldest first: the selected child at every step, the newest where none is marked. */
export function visibleNodes(tree: MessageTree): TreeNode[] {
  const branch: TreeNode[] = []
  for (let node = shownOf(tree.roots); node; node = shownOf(node.children)) branch.push(node)
  return branch
}

/** Root … node; empty when the tree does not hold it. */
export function pathTo(tree: MessageTree, messageId: string): TreeNode[] {
  const path: TreeNode[] = []
  for (let node = tree.nodes.get(messageId) ?? null; node; node = node.parent) path.push(node)
  return path.reverse()
}

export const siblingsOf = (tree: MessageTree, node: TreeNode): TreeNode[] =>
  node.parent ? node.parent.children : tree.roots

/** The node and everything below it. */
export function subtree(node: TreeNode): TreeNode[] {
  const all = [node]
  for (let index = 0; index < all.length; index += 1) all.push(...(all[index]?.children ?? []))
  return all
}

/** Of each sibling: messages below it and the newest time in its subtree. One pass over the tree, then remembered. */
export function siblingInfo(tree: MessageTree, siblings: readonly TreeNode[]): { messages: number; lastAt: string }[] {
  tree.below ??= countBelow(tree)
  const counted = tree.below
  return siblings.map((sibling) => counted.get(sibling) ?? { messages: 0, lastAt: sibling.createdAt })
}

function countBelow(tree: MessageTree): Map<TreeNode, { messages: number; lastAt: string }> {
  const below = new Map<TreeNode, { messages: number; lastAt: string }>()
  // parents come before their children in the map, so backwards every child is finished before its parent
  for (const node of [...tree.nodes.values()].reverse()) {
    let messages = 0
    let lastAt = node.createdAt
    for (const child of node.children) {
      const counted = below.get(child)
      messages += 1 + (counted?.messages ?? 0)
      if (counted && counted.lastAt > lastAt) lastAt = counted.lastAt
    }
    below.set(node, { messages, lastAt })
  }
  return below
}

/** Who is shown when a visible version goes: the one before it, else the one after. */
export function heirOf(root: TreeNode, siblings: readonly TreeNode[]): string | undefined {
  if (!root.selected) return undefined
  const index = siblings.indexOf(root)
  return (siblings[index - 1] ?? siblings[index + 1])?.id
}
