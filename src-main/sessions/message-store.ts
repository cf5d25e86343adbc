import { AppError } from '../ipc/app-error'
import { filesOfMessages } from './attachments/attachment-rows'
import { ComposerStore, type Outgoing } from './composer-store'
import type { Message, Session } from './contract'
import { isoTime } from './iso-time'
import { type MessagePatch, messageBatches, type NewMessage, type StoredMessage, showLastWords } from './message-rows'
import { pathTo, siblingsOf, subtree, type TreeNode, visibleNodes } from './message-tree'
import {
  interruptStreaming,
  messagesAmong,
  patchMessage,
  placeOf,
  removeSubtree,
  requirePlace,
  selectPath,
  writeMessage,
} from './message-writes'
import { findMessages } from './search/search'
import { markUnread, requireSession } from './session-rows'

export interface BranchPage {
  session: Session
  messages: Message[]
  hasMore: boolean
  total: number
}

/** The messages of sessions: branches read, versions written. */
export class MessageStore extends ComposerStore {
  /** The uncut visible branch, oldest first. */
  branchOf(sessionId: string): Message[] {
    const { cache } = this.desks.of(sessionId)
    return cache.messages(sessionId, visibleNodes(cache.tree(sessionId)))
  }

  /** Root … message. @throws not_found when the session does not hold it */
  branchTo(sessionId: string, messageId: string): Message[] {
    const { cache } = this.desks.of(sessionId)
    const path = pathTo(cache.tree(sessionId), messageId)
    if (path.length === 0) throw messageGone()
    return cache.messages(sessionId, path)
  }

  /** Root … message, or the visible branch when none is named. @throws not_found when the session does not hold it */
  branchIds(sessionId: string, messageId?: string): { id: string; parentId: string | null }[] {
    const tree = this.desks.of(sessionId).cache.tree(sessionId)
    const path = messageId === undefined ? visibleNodes(tree) : pathTo(tree, messageId)
    if (messageId !== undefined && path.length === 0) throw messageGone()
    return path.map((node) => ({ id: node.id, parentId: node.parent?.id ?? null }))
  }

  /** The newest `limit` messages of the visible branch that stand before `before`. */
  branchPage(sessionId: string, page: { limit?: number | undefined; before?: string | undefined }): BranchPage {
    const session = requireSession(this.desks.of(sessionId).database, sessionId)
    const { cache } = this.desks.of(sessionId)
    const nodes = visibleNodes(cache.tree(sessionId))
    const before = page.before === undefined ? nodes.length : nodes.findIndex((node) => node.id === page.before)
    if (before < 0)
      throw new AppError('not_found', 'The message to page from is not in view any more. Reload the chat.')
    const from = page.limit === undefined ? 0 : Math.max(0, before - page.limit)
    const messages = cache.messages(sessionId, nodes.slice(from, before))
    return { session, messages, hasMore: from > 0, total: nodes.length }
  }

  /** Messages that hold every word asked for: the visible branch from its start, then other versions by age. */
  findInSession(sessionId: string, query: string): { visible: string[]; hidden: string[] } {
    const { database, cache } = this.desks.of(sessionId)
    requireSession(database, sessionId)
    const found = new Set(findMessages(database, sessionId, query))
    const visible = visibleNodes(cache.tree(sessionId)).flatMap((node) => (found.delete(node.id) ? [node.id] : []))
    return { visible, hidden: [...found] }
  }

  /** Every message of a session, all branches, parents first, some hundreds at a time. */
  messageBatches(sessionId: string): Generator<(StoredMessage & { selected: boolean })[]> {
    return messageBatches(this.desks.of(sessionId).database, sessionId)
  }

  /** The last message of the visible branch. */
  leafOf(sessionId: string): Message | undefined {
    const { cache } = this.desks.of(sessionId)
    const leaf = visibleNodes(cache.tree(sessionId)).at(-1)
    return leaf && cache.messages(sessionId, [leaf])[0]
  }

  getMessage(id: string): Message | undefined {
    const desk = this.desks.ofMessage(id)
    const place = placeOf(desk.database, id)
    const node = place && desk.cache.tree(place.session_id).nodes.get(id)
    return node && desk.cache.messages(place.session_id, [node])[0]
  }

  /** @throws not_found */
  requireMessage(id: string): Message {
    const message = this.getMessage(id)
    if (!message) throw new AppError('not_found', 'This message does not exist any more. Reload the chat.')
    return message
  }

  /**
   * Stores a message below its parent and shows it. Where it stood until then, in the draft or in the queue, it goes in
   * the same moment: a crash finds it in one place only. @throws not_found, bad_input
   */
  insertMessage({ fromDraft, fromQueue, ...row }: NewMessage & Pick<Outgoing, 'fromDraft' | 'fromQueue'>): Message {
    const desk = this.desks.of(row.sessionId)
    const { database, cache } = desk
    const stamped = { ...row, id: row.id ?? this.options.ids(), createdAt: isoTime(this.#timeOf(row)) }
    this.adopt(desk, row.attachments ?? [])
    const tell = database.transaction(() => {
      writeMessage(database, stamped)
      return this.takeOutgoing(database, row.sessionId, { ...row, fromDraft, fromQueue })
    })()
    this.desks.indexLater(desk)
    cache.appended(row.sessionId, stamped)
    tell()
    this.options.emit('messages.changed', { sessionId: row.sessionId, ids: [stamped.id] })
    this.sessionsChanged([row.sessionId])
    return this.requireMessage(stamped.id)
  }

  /** Cheap: one row. Tells the windows only when something other than streamed text changed. @throws not_found */
  updateMessage(id: string, patch: MessagePatch): void {
    const desk = this.desks.ofMessage(id)
    const { database, cache } = desk
    const before = patchMessage(database, id, patch)
    cache.changed(before.session_id, id)
    const streams = before.state === 'streaming' && (patch.state ?? 'streaming') === 'streaming'
    if (streams) return
    if (before.state === 'streaming') markUnread(database, before.session_id)
    this.desks.indexLater(desk)
    this.options.emit('messages.changed', { sessionId: before.session_id, ids: [id] })
    this.sessionsChanged([before.session_id])
  }

  /** A new version beside the old one, shown; nothing is overwritten. @throws not_found */
  editMessage(id: string, text: string): Message {
    const old = this.requireMessage(id)
    return this.insertMessage({
      sessionId: old.sessionId,
      parentId: old.parentId,
      role: old.role,
      text,
      attachments: old.attachments.map((attachment) => attachment.id),
      ...(old.modelId === undefined ? {} : { modelId: old.modelId }),
    })
  }

  /** Shows a message and the branch it stands in. @throws not_found */
  selectMessage(id: string): { sessionId: string; messageId: string } {
    const { database, cache } = this.desks.ofMessage(id)
    const sessionId = requirePlace(database, id).session_id
    const path = pathTo(cache.tree(sessionId), id)
    const hidden = path.filter((node) => !node.selected).map((node) => node.id)
    selectPath(database, path)
    cache.drop(sessionId)
    this.options.emit('messages.changed', { sessionId, ids: hidden.length > 0 ? hidden : [id] })
    return { sessionId, messageId: id }
  }

  /** The list shows these words for the session, though others were written last. */
  showInList(sessionId: string, text: string): void {
    showLastWords(this.desks.of(sessionId).database, sessionId, text)
  }

  /** Deletes a message and everything below it. Returns how many. @throws not_found */
  removeMessage(id: string): number {
    const desk = this.desks.ofMessage(id)
    const sessionId = requirePlace(desk.database, id).session_id
    const tree = desk.cache.tree(sessionId)
    const root = tree.nodes.get(id)
    if (!root) return 0
    const removed = subtree(root).map((node) => node.id)
    const named = filesOfMessages(desk.database, removed)
    removeSubtree(desk.database, { id, sessionId }, heirOf(root, siblingsOf(tree, root)))
    desk.cache.drop(sessionId)
    this.desks.depart(desk, { sessionIds: [], messageIds: removed }, named)
    this.options.emit('messages.changed', { sessionId, ids: removed })
    this.sessionsChanged([sessionId])
    return removed.length
  }

  /** At start: what still streamed when the process died. Its partial text stays. Returns the messages. */
  markInterrupted(): string[] {
    const rows = interruptStreaming(this.desks.kept.database)
    this.desks.indexLater(this.desks.kept)
    for (const row of rows) this.desks.kept.cache.drop(row.sessionId)
    this.desks.removeUnfinished()
    return rows.map((row) => row.id)
  }

  /** Which of these ids are in use already. */
  messagesAmong(ids: readonly string[]): string[] {
    return messagesAmong(this.desks.kept.database, ids)
  }

  #timeOf(row: NewMessage): number {
    return row.createdAt === undefined ? this.options.now() : Date.parse(row.createdAt)
  }
}

const messageGone = (): AppError =>
  new AppError('not_found', 'This message does not exist any more in this chat. Reload the chat.')

/** Who is shown when a visible version goes: the one before it, else the one after. */
function heirOf(root: TreeNode, siblings: readonly TreeNode[]): string | undefined {
  if (!root.selected) return undefined
  const index = siblings.indexOf(root)
  return (siblings[index - 1] ?? siblings[index + 1])?.id
}
