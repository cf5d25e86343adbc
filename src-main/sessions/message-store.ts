import { AppError } from '../ipc/app-error'
import { addPiece, type GrownText } from './answer-pieces'
import { filesOfMessages } from './attachments/attachment-rows'
import { ComposerStore, type Outgoing } from './composer-store'
import type { Message, Session } from './contract'
import { isoTime } from './iso-time'
import { detachSubtree, SMALL_DEPARTURE } from './leaving'
import {
  type MessagePatch,
  messageBatches,
  type NewMessage,
  refreshSessionLine,
  releaseIsolated,
  type StoredMessage,
  showLastWords,
} from './message-rows'
import { heirOf, pathTo, siblingsOf, subtree, visibleNodes } from './message-tree'
import {
  interruptMessages,
  messagesAmong,
  patchMessage,
  placeOf,
  removeSubtree,
  requirePlace,
  selectPath,
  streamingMessages,
  writeMessage,
} from './message-writes'
import { findMessages } from './search/search'
import type { Desk } from './session-desks'
import { markUnread, requireSession } from './session-rows'

export interface BranchPage {
  session: Session
  messages: Message[]
  hasMore: boolean
  total: number
}

/** A message, and where it stood until it was sent. */
type OutgoingMessage = NewMessage & Pick<Outgoing, 'fromDraft' | 'fromQueue'>

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
  insertMessage(row: OutgoingMessage): Message {
    const [message] = this.insertMessages([row])
    if (!message) throw messageGone()
    return message
  }

  /** Messages of one chat, each below one that is there or comes before it: all are stored or none. @throws not_found, bad_input */
  insertMessages(rows: readonly OutgoingMessage[]): Message[] {
    const stamped = rows.map((row) => ({
      ...row,
      id: row.id ?? this.options.ids(),
      createdAt: isoTime(this.#timeOf(row)),
    }))
    for (const row of rows) if (row.id !== row.fromQueue) this.refuseDelivered(row.id)
    const sessionId = stamped[0]?.sessionId ?? ''
    const desk = this.desks.of(sessionId)
    const { database, cache } = desk
    for (const row of stamped) this.adopt(desk, row.attachments ?? [])
    const tell = database.transaction(() =>
      stamped.map((row) => {
        writeMessage(database, row)
        return this.takeOutgoing(database, sessionId, row)
      }),
    )()
    this.desks.indexLater(desk)
    for (const row of stamped) cache.appended(sessionId, row)
    for (const tellOne of tell) tellOne()
    this.options.emit('messages.changed', { sessionId, ids: stamped.map((row) => row.id) })
    this.sessionsChanged([sessionId])
    return stamped.map((row) => this.requireMessage(row.id))
  }

  /** Cheap: one row. Tells the windows only when something other than streamed text changed. @throws not_found */
  updateMessage(id: string, patch: MessagePatch): void {
    this.#writeUnsaved(id)
    this.#update(id, patch)
  }

  /**
   * For an answer, which nobody can send again: what the disk does not take is kept, shown to every reader and written
   * when there is room. `grown` tells that this text alone is new since the last time, so that a long answer costs what
   * was added to it. True when it was stored. @throws not_found
   */
  keepMessage(id: string, patch: MessagePatch, grown?: GrownText): boolean {
    const { database, cache } = this.desks.ofMessage(id)
    const { storage } = this.desks
    if (!cache.unsaved.get(id) && (!storage.troubled || cache !== this.desks.kept.cache)) {
      try {
        if (grown) addPiece(database, id, grown)
        else this.#update(id, patch)
        cache.changed(requirePlace(database, id).session_id, id)
        return true
      } catch (error) {
        if (!storage.note(error)) throw error
      }
    }
    const isFirst = cache.unsaved.add(id, patch)
    if (isFirst) storage.keep(`message ${id}`, () => this.#writeUnsaved(id))
    const { session_id, state } = requirePlace(database, id)
    if ((patch.state ?? 'streaming') !== state) this.#told(session_id, id)
    return false
  }

  /** The rest of a message whose row the disk refused before. @throws what the disk says */
  #writeUnsaved(id: string): void {
    const { cache, database } = this.desks.ofMessage(id)
    const patch = cache.unsaved.get(id)
    if (!patch) return
    // deleted meanwhile: nothing is left to write
    if (placeOf(database, id)) this.#update(id, patch)
    cache.unsaved.forget(id)
  }

  #told(sessionId: string, id: string): void {
    this.options.emit('messages.changed', { sessionId, ids: [id] })
    this.sessionsChanged([sessionId])
  }

  #update(id: string, patch: MessagePatch): void {
    const desk = this.desks.ofMessage(id)
    const { database, cache } = desk
    const before = patchMessage(database, id, patch)
    cache.changed(before.session_id, id)
    const streams = before.state === 'streaming' && (patch.state ?? 'streaming') === 'streaming'
    if (streams) return
    if (before.state === 'streaming') markUnread(database, before.session_id)
    this.desks.indexLater(desk)
    this.#told(before.session_id, id)
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
      // other words for the same thing
      ...(old.isolated ? { isolated: true } : {}),
    })
  }

  /** Takes the marks of isolation from a session's messages. Returns how many had one. @throws not_found */
  releaseIsolated(sessionId: string): number {
    const { database, cache } = this.desks.of(sessionId)
    requireSession(database, sessionId)
    const released = releaseIsolated(database, sessionId)
    cache.drop(sessionId)
    this.sessionsChanged([sessionId])
    return released
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
    const heir = heirOf(root, siblingsOf(tree, root))
    if (removed.length > SMALL_DEPARTURE) {
      const hiddenId = this.options.ids()
      const createdAt = isoTime(this.options.now())
      detachSubtree(desk.database, { id, sessionId }, { hiddenId, createdAt, heir })
      desk.cache.drop(sessionId)
      this.desks.removeLater(desk, [hiddenId])
      this.desks.later(async () => this.#recount(desk, sessionId))
    } else {
      const named = filesOfMessages(desk.database, removed)
      removeSubtree(desk.database, { id, sessionId }, heir)
      desk.cache.drop(sessionId)
      this.desks.depart(desk, { sessionIds: [], messageIds: removed }, named)
    }
    this.options.emit('messages.changed', { sessionId, ids: removed })
    this.sessionsChanged([sessionId])
    return removed.length
  }

  /**
   * At start: what still streamed when the process died. Its partial text stays. On a full disk readers see it as
   * interrupted, and the rows follow when there is room. Returns the messages.
   */
  markInterrupted(): string[] {
    const { kept, storage } = this.desks
    const rows = streamingMessages(kept.database)
    for (const row of rows) kept.cache.unsaved.add(row.id, { state: 'interrupted' })
    storage.keep('interrupted answers', () => {
      // one that is continued by now has a life of its own again
      interruptMessages(
        kept.database,
        rows.filter((row) => kept.cache.unsaved.get(row.id)?.state === 'interrupted'),
      )
      for (const row of rows) kept.cache.unsaved.forget(row.id)
      for (const row of rows) kept.cache.drop(row.sessionId)
      this.desks.indexLater(kept)
      for (const row of rows) this.#told(row.sessionId, row.id)
    })
    this.desks.removeUnfinished()
    return rows.map((row) => row.id)
  }

  /** Which of these ids are in use already. */
  messagesAmong(ids: readonly string[]): string[] {
    return messagesAmong(this.desks.kept.database, ids)
  }

  /** The list counts what is left once all of it is gone. */
  #recount(desk: Desk, sessionId: string): void {
    if (!desk.database.open) return
    refreshSessionLine(desk.database, sessionId)
    this.sessionsChanged([sessionId])
  }

  #timeOf(row: NewMessage): number {
    return row.createdAt === undefined ? this.options.now() : Date.parse(row.createdAt)
  }
}

const messageGone = (): AppError =>
  new AppError('not_found', 'This message does not exist any more in this chat. Reload the chat.')
