import type { WriteDatabase } from '../storage/database'
import type { Message } from './contract'
import { readMessages, readSelected, type StoredMessage } from './message-rows'
import { addNode, type MessageTree, readTree, siblingInfo, siblingsOf, type TreeNode } from './message-tree'
import { UnsavedAnswers } from './unsaved-answers'

/** Messages kept parsed, over all sessions; past it the session not looked at for longest is dropped. */
const MESSAGES_KEPT = 60_000

interface SessionCache {
  tree: MessageTree
  messages: Map<string, StoredMessage>
}

/**
 * Trees and parsed messages of the sessions in use. The store is the only writer, so what it does not report as
 * changed is still true. Within somebody's open transaction nothing is kept: it may be rolled back.
 */
export class BranchCache {
  readonly #sessions = new Map<string, SessionCache>()
  readonly #database: WriteDatabase
  /** Newer than the rows. */
  readonly unsaved = new UnsavedAnswers()

  constructor(database: WriteDatabase) {
    this.#database = database
  }

  tree(sessionId: string): MessageTree {
    return this.#session(sessionId).tree
  }

  /** The nodes' messages, in the nodes' order. */
  messages(sessionId: string, nodes: readonly TreeNode[]): Message[] {
    const { tree, messages } = this.#session(sessionId)
    this.#load(sessionId, messages, nodes)
    return nodes.flatMap((node) => {
      const stored = messages.get(node.id)
      return stored ? [withSiblings(tree, node, this.unsaved.none ? stored : this.unsaved.over(stored))] : []
    })
  }

  appended(sessionId: string, node: { id: string; parentId: string | null; createdAt: string }): void {
    const cached = this.#sessions.get(sessionId)
    if (!cached) return
    if (this.#database.inTransaction) this.#sessions.delete(sessionId)
    else addNode(cached.tree, { ...node, selected: true })
  }

  changed(sessionId: string, messageId: string): void {
    this.#sessions.get(sessionId)?.messages.delete(messageId)
  }

  /** Forgets a whole session: its shape changed. */
  drop(sessionId: string): void {
    this.#sessions.delete(sessionId)
  }

  #session(sessionId: string): SessionCache {
    if (this.#database.inTransaction) return { tree: readTree(this.#database, sessionId), messages: new Map() }
    const known = this.#sessions.get(sessionId)
    const cached = known ?? { tree: readTree(this.#database, sessionId), messages: new Map<string, StoredMessage>() }
    // a map keeps the order of insertion: last used is last
    this.#sessions.delete(sessionId)
    this.#sessions.set(sessionId, cached)
    if (!known) this.#shrink(sessionId)
    return cached
  }

  #shrink(keep: string): void {
    let kept = 0
    for (const cached of this.#sessions.values()) kept += cached.tree.nodes.size
    for (const [id, cached] of this.#sessions) {
      if (kept <= MESSAGES_KEPT || id === keep) return
      kept -= cached.tree.nodes.size
      this.#sessions.delete(id)
    }
  }

  #load(sessionId: string, messages: Map<string, StoredMessage>, nodes: readonly TreeNode[]): void {
    const missing = nodes.filter((node) => !messages.has(node.id))
    if (missing.length === 0) return
    const many = missing.length > 500 && missing.every((node) => node.selected)
    const rows = many
      ? readSelected(this.#database, sessionId)
      : readMessages(
          this.#database,
          missing.map((node) => node.id),
        )
    for (const row of rows) messages.set(row.id, row)
  }
}

export function withSiblings(tree: MessageTree, node: TreeNode, stored: StoredMessage): Message {
  const siblings = siblingsOf(tree, node)
  if (siblings.length === 1) return { ...stored, siblings: [node.id] }
  return { ...stored, siblings: siblings.map((sibling) => sibling.id), siblingInfo: siblingInfo(tree, siblings) }
}
