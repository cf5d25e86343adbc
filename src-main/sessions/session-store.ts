import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import type { Emit } from '../app-contract'
import { AppError } from '../ipc/app-error'
import type { WriteDatabase } from '../storage/database'
import { migrate } from '../storage/open-database'
import { type AttachmentPlace, addAttachment, releaseFiles, sweepFiles } from './attachments/attachment-desk'
import {
  filesOfMessages,
  filesOfSessions,
  insertAttachment,
  type NamedFiles,
  readAttachments,
} from './attachments/attachment-rows'
import { folderBlobs, memoryBlobs } from './attachments/blob-store'
import { binSessions, expiredSessions, purgeSessions, restoreSessions } from './bin'
import { BranchCache } from './branch-cache'
import { type Draft, getDraft, saveDraft } from './composer-rows'
import type { Attachment, Message, Session, SessionPatch } from './contract'
import { type Fork, forkSession } from './fork'
import { isoTime } from './iso-time'
import { type MessagePatch, messageBatches, type NewMessage, type StoredMessage } from './message-rows'
import { pathTo, siblingsOf, subtree, type TreeNode, visibleNodes } from './message-tree'
import {
  interruptStreaming,
  patchMessage,
  placeOf,
  removeSubtree,
  requirePlace,
  selectPath,
  writeMessage,
} from './message-writes'
import { sessionMigrations } from './migrations'
import { type SearchablePrompt, type SearchOptions, type SearchPage, search } from './search/search'
import { compactIndex, indexSession } from './search/search-index'
import { type ListOptions, listSessions } from './session-list'
import {
  getSession,
  insertSession,
  type NewSession,
  patchSession,
  requireSession,
  setTitle,
  touchSession,
} from './session-rows'
import { type WholeSession, writeWholeSession } from './whole-session'

export interface SessionStoreOptions {
  database: WriteDatabase
  dataDir: string
  ids: () => string
  /** Milliseconds since 1970. */
  now: () => number
  emit: Emit
  /** Named in the search box beside titles and messages. */
  globalPrompts?: () => readonly SearchablePrompt[]
  /** Tokens of a text attachment; images stay "not counted". */
  countTokens?: (text: string) => number
  /** Called with a failure of background cleaning, which nobody waits for. */
  onCleaningFailed?: (error: unknown) => void
}

interface Desk extends AttachmentPlace {
  cache: BranchCache
}

/** What leaves for good: other rooms delete what they keep about it. */
export interface Departure {
  sessionIds: string[]
  messageIds: string[]
}

export interface BranchPage {
  session: Session
  messages: Message[]
  hasMore: boolean
  total: number
}

/**
 * All sessions behind one face. Temporary ones live in a second database in memory with the same tables, so that
 * nothing of them reaches the disk; every method finds the right one by the id it is given.
 */
export class SessionStore {
  readonly #kept: Desk
  readonly #passing: Desk
  readonly #options: SessionStoreOptions
  readonly #forkListeners: ((fork: Fork) => void)[] = []
  readonly #departureListeners: ((gone: Departure) => void)[] = []
  #cleaning: Promise<unknown> = Promise.resolve()
  #closing = false

  constructor(options: SessionStoreOptions) {
    this.#options = options
    const memory = new BetterSqlite3(':memory:')
    memory.pragma('foreign_keys = ON')
    migrate(memory, sessionMigrations, () => isoTime(options.now()))
    const { database } = options
    this.#kept = {
      database,
      cache: new BranchCache(database),
      blobs: folderBlobs(join(options.dataDir, 'attachments')),
    }
    this.#passing = { database: memory, cache: new BranchCache(memory), blobs: memoryBlobs() }
  }

  /** A room that keeps things per message copies them here, within the fork's own transaction. */
  onFork(listener: (fork: Fork) => void): void {
    this.#forkListeners.push(listener)
  }

  /** Told after messages or whole sessions were deleted for good. */
  onDeparture(listener: (gone: Departure) => void): void {
    this.#departureListeners.push(listener)
  }

  // --- sessions ---

  createSession(draft: Omit<NewSession, 'id' | 'createdAt'>): Session {
    if (draft.temporary && (draft.folderId || draft.tagIds?.length)) {
      throw new AppError('bad_input', 'A temporary chat cannot be filed in a folder or tagged.')
    }
    const { database } = draft.temporary ? this.#passing : this.#kept
    if (draft.folderId && !database.prepare('SELECT 1 FROM folder WHERE id = ?').get(draft.folderId)) {
      throw new AppError('not_found', 'This folder does not exist any more. Reload the list.')
    }
    const session = insertSession(database, {
      ...draft,
      id: this.#options.ids(),
      createdAt: isoTime(this.#options.now()),
    })
    indexSession(database, session.id)
    this.#sessionsChanged([session.id])
    return session
  }

  getSession(id: string): Session | undefined {
    return getSession(this.#deskOf(id).database, id)
  }

  /** @throws not_found */
  requireSession(id: string): Session {
    return requireSession(this.#deskOf(id).database, id)
  }

  isTemporary(id: string): boolean {
    return this.#deskOf(id) === this.#passing
  }

  patchSession(id: string, patch: SessionPatch): Session {
    const { database } = this.#deskOf(id)
    this.#checkFiling(patch)
    const session = database.transaction(() => {
      const patched = patchSession(database, id, patch)
      const words = patch.title ?? patch.topicPrompt ?? patch.enhancedPrompt
      if (words !== undefined && patched.removedAt === undefined) indexSession(database, id)
      return patched
    })()
    this.#sessionsChanged([id])
    return session
  }

  /** The first words, or a title the model proposes. False: the user's own stands. */
  setModelTitle(id: string, title: string, source: 'auto' | 'model' = 'model'): boolean {
    const { database } = this.#deskOf(id)
    const done = setTitle(database, id, title, source)
    if (done) {
      if (this.getSession(id)?.removedAt === undefined) indexSession(database, id)
      this.#sessionsChanged([id])
    }
    return done
  }

  touch(id: string): void {
    touchSession(this.#deskOf(id).database, id, isoTime(this.#options.now()))
    this.#sessionsChanged([id])
  }

  /** Temporary ones are not listed: their window holds them. */
  listSessions(options: ListOptions): { sessions: Session[]; nextCursor: string | null } {
    return listSessions(this.#kept.database, options)
  }

  search(options: SearchOptions): SearchPage {
    return search(this.#kept.database, options, this.#options.globalPrompts?.() ?? [])
  }

  /** Copies the branch up to a message (the visible one's end when none is named) with every setting. */
  fork(sessionId: string, messageId?: string): Session {
    const desk = this.#deskOf(sessionId)
    const session = this.requireSession(sessionId)
    const branch = messageId === undefined ? this.branchOf(sessionId) : this.branchTo(sessionId, messageId)
    const target = { id: this.#options.ids(), ids: this.#options.ids, now: isoTime(this.#options.now()) }
    const fork = forkSession(desk.database, { session, branch }, target, (made) => {
      for (const listener of this.#forkListeners) listener(made)
    })
    this.#sessionsChanged([fork.id])
    return this.requireSession(fork.id)
  }

  /** Into the bin; temporary ones are gone at once. Returns the ids that moved. */
  bin(ids: readonly string[]): string[] {
    const passing = ids.filter((id) => this.isTemporary(id))
    const moved = binSessions(this.#kept.database, ids, isoTime(this.#options.now()))
    const gone = this.#purgeAt(this.#passing, passing)
    this.#sessionsChanged(moved)
    return [...moved, ...gone]
  }

  restore(ids: readonly string[]): string[] {
    const restored = restoreSessions(this.#kept.database, ids)
    this.#sessionsChanged(restored)
    return restored
  }

  purge(ids: readonly string[]): string[] {
    const passing = ids.filter((id) => this.isTemporary(id))
    return [...this.#purgeAt(this.#kept, ids), ...this.#purgeAt(this.#passing, passing)]
  }

  /** Deletes what lies in the bin longer than the given number of days. */
  purgeExpired(days: number): string[] {
    const before = isoTime(this.#options.now() - days * 86_400_000)
    return this.purge(expiredSessions(this.#kept.database, before))
  }

  /** Sessions outside the bin that point at a global prompt. */
  countByGlobalPrompt(promptId: string): number {
    const sql = 'SELECT count(*) AS count FROM session WHERE global_prompt_id = ? AND removed_at IS NULL'
    return [this.#kept, this.#passing].reduce(
      (sum, { database }) => sum + (database.prepare<[string], { count: number }>(sql).get(promptId)?.count ?? 0),
      0,
    )
  }

  /** Sessions outside the bin a worldbook is bound to. */
  countByWorldbook(worldbookId: string): number {
    const sql = `SELECT count(*) AS count FROM session WHERE removed_at IS NULL
      AND EXISTS (SELECT 1 FROM json_each(session.worldbook_ids) WHERE value = ?)`
    return [this.#kept, this.#passing].reduce(
      (sum, { database }) => sum + (database.prepare<[string], { count: number }>(sql).get(worldbookId)?.count ?? 0),
      0,
    )
  }

  /** Points every session of one global prompt at another (null = none). */
  moveGlobalPrompt(from: string, to: string | null): void {
    for (const { database } of [this.#kept, this.#passing]) {
      const rows = database
        .prepare<[string | null, string], { id: string }>(
          'UPDATE session SET global_prompt_id = ? WHERE global_prompt_id = ? RETURNING id',
        )
        .all(to, from)
      this.#sessionsChanged(rows.map((row) => row.id))
    }
  }

  // --- messages ---

  /** The uncut visible branch, oldest first. */
  branchOf(sessionId: string): Message[] {
    const { cache } = this.#deskOf(sessionId)
    return cache.messages(sessionId, visibleNodes(cache.tree(sessionId)))
  }

  /** Root … message. @throws not_found when the session does not hold it */
  branchTo(sessionId: string, messageId: string): Message[] {
    const { cache } = this.#deskOf(sessionId)
    const path = pathTo(cache.tree(sessionId), messageId)
    if (path.length === 0) {
      throw new AppError('not_found', 'This message does not exist any more in this chat. Reload the chat.')
    }
    return cache.messages(sessionId, path)
  }

  /** The newest `limit` messages of the visible branch that stand before `before`. */
  branchPage(sessionId: string, page: { limit?: number | undefined; before?: string | undefined }): BranchPage {
    const session = this.requireSession(sessionId)
    const { cache } = this.#deskOf(sessionId)
    const nodes = visibleNodes(cache.tree(sessionId))
    const before = page.before === undefined ? nodes.length : nodes.findIndex((node) => node.id === page.before)
    if (before < 0)
      throw new AppError('not_found', 'The message to page from is not in view any more. Reload the chat.')
    const from = page.limit === undefined ? 0 : Math.max(0, before - page.limit)
    const messages = cache.messages(sessionId, nodes.slice(from, before))
    return { session, messages, hasMore: from > 0, total: nodes.length }
  }

  /** Every message of a session, all branches, parents first, some hundreds at a time. */
  messageBatches(sessionId: string): Generator<(StoredMessage & { selected: boolean })[]> {
    return messageBatches(this.#deskOf(sessionId).database, sessionId)
  }

  /** The last message of the visible branch. */
  leafOf(sessionId: string): Message | undefined {
    const { cache } = this.#deskOf(sessionId)
    const leaf = visibleNodes(cache.tree(sessionId)).at(-1)
    return leaf && cache.messages(sessionId, [leaf])[0]
  }

  getMessage(id: string): Message | undefined {
    const desk = this.#deskOfMessage(id)
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

  /** Stores a message below its parent and shows it. @throws not_found, bad_input */
  insertMessage(row: NewMessage): Message {
    const { database, cache } = this.#deskOf(row.sessionId)
    const stamped = { ...row, id: row.id ?? this.#options.ids(), createdAt: isoTime(this.#timeOf(row)) }
    writeMessage(database, stamped)
    cache.appended(row.sessionId, stamped)
    this.#options.emit('messages.changed', { sessionId: row.sessionId, ids: [stamped.id] })
    this.#sessionsChanged([row.sessionId])
    return this.requireMessage(stamped.id)
  }

  /** Cheap: one row. Tells the windows only when something other than streamed text changed. @throws not_found */
  updateMessage(id: string, patch: MessagePatch): void {
    const { database, cache } = this.#deskOfMessage(id)
    const before = patchMessage(database, id, patch)
    cache.changed(before.session_id, id)
    const streams = before.state === 'streaming' && (patch.state ?? 'streaming') === 'streaming'
    if (streams) return
    this.#options.emit('messages.changed', { sessionId: before.session_id, ids: [id] })
    this.#sessionsChanged([before.session_id])
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
    const { database, cache } = this.#deskOfMessage(id)
    const sessionId = requirePlace(database, id).session_id
    const path = pathTo(cache.tree(sessionId), id)
    selectPath(database, path)
    cache.drop(sessionId)
    this.#options.emit('messages.changed', { sessionId, ids: path.map((node) => node.id) })
    return { sessionId, messageId: id }
  }

  /** Deletes a message and everything below it. Returns how many. @throws not_found */
  removeMessage(id: string): number {
    const desk = this.#deskOfMessage(id)
    const sessionId = requirePlace(desk.database, id).session_id
    const tree = desk.cache.tree(sessionId)
    const root = tree.nodes.get(id)
    if (!root) return 0
    const removed = subtree(root).map((node) => node.id)
    const named = filesOfMessages(desk.database, removed)
    removeSubtree(desk.database, { id, sessionId }, heirOf(root, siblingsOf(tree, root)))
    desk.cache.drop(sessionId)
    this.#depart(desk, { sessionIds: [], messageIds: removed }, named)
    this.#options.emit('messages.changed', { sessionId, ids: removed })
    this.#sessionsChanged([sessionId])
    return removed.length
  }

  /** At start: what still streamed when the process died. Its partial text stays. Returns the messages. */
  markInterrupted(): string[] {
    const rows = interruptStreaming(this.#kept.database)
    for (const row of rows) this.#kept.cache.drop(row.sessionId)
    return rows.map((row) => row.id)
  }

  // --- drafts and files ---

  getDraft(sessionId: string | null): Draft {
    return getDraft(this.#deskOf(sessionId ?? '').database, sessionId)
  }

  saveDraft(
    sessionId: string | null,
    draft: { text: string; attachments?: readonly string[] | undefined; queue?: readonly string[] | undefined },
  ): void {
    saveDraft(this.#deskOf(sessionId ?? '').database, sessionId, draft)
  }

  /** @throws import.too_large, import.unreadable, storage.full */
  addAttachment(file: { name: string; bytes: Uint8Array; temporary?: boolean | undefined }): Promise<Attachment> {
    const { ids, now, countTokens } = this.#options
    return addAttachment(file.temporary ? this.#passing : this.#kept, file, { ids, now, countTokens })
  }

  /** In the order asked for; unknown ids are left out. */
  attachments(ids: readonly string[]): Attachment[] {
    const found = [this.#kept, this.#passing].flatMap(({ database }) => readAttachments(database, ids))
    return ids.flatMap((id) => found.find((attachment) => attachment.id === id) ?? [])
  }

  /** Keeps bytes a tool returned (images, a whole result); they live as long as a message's parts name the hash. */
  saveBlob(sessionId: string, bytes: Uint8Array): Promise<string> {
    return this.#deskOf(sessionId).blobs.put(bytes)
  }

  /** @throws not_found */
  async readAttachment(sha256: string): Promise<Uint8Array> {
    const bytes = (await this.#passing.blobs.read(sha256)) ?? (await this.#kept.blobs.read(sha256))
    if (!bytes) throw new AppError('not_found', 'This file is no longer in the attachments folder. Attach it again.')
    return bytes
  }

  /** What the bytes are kept as; undefined for a tool's own files. */
  mediaTypeOf(sha256: string): string | undefined {
    for (const { database } of [this.#passing, this.#kept]) {
      const row = database
        .prepare<[string], { media_type: string }>('SELECT media_type FROM attachment WHERE sha256 = ?')
        .get(sha256)
      if (row) return row.media_type
    }
    return undefined
  }

  /** At start: files and attachments nothing names. */
  sweepFiles(): Promise<string[]> {
    return sweepFiles(this.#kept)
  }

  /** Resolves once files whose last message is gone are deleted. */
  async cleaned(): Promise<void> {
    await this.#cleaning
  }

  /** Waits for files being deleted, then lets the temporary sessions go. */
  async close(): Promise<void> {
    this.#closing = true
    await this.cleaned()
    this.#passing.database.close()
  }

  /** An attachment from a file of ours: kept under its own id. Its bytes must hash to what it says. */
  importAttachment(attachment: Attachment): void {
    const { database } = this.#kept
    const known = database.prepare('SELECT 1 FROM attachment WHERE id = ?').get(attachment.id)
    if (!known) insertAttachment(database, attachment, isoTime(this.#options.now()))
  }

  /** Bytes of an import; the caller names them by an attachment or a message's parts before the next start. */
  importBlob(bytes: Uint8Array): Promise<string> {
    return this.#kept.blobs.put(bytes)
  }

  /** Whether an id is in use already. */
  hasMessage(id: string): boolean {
    return placeOf(this.#kept.database, id) !== undefined
  }

  /** A session with all its messages in one write: ids and times are the caller's. */
  importSession(whole: WholeSession): Session {
    const session = writeWholeSession(this.#kept.database, whole)
    this.#sessionsChanged([session.id])
    return session
  }

  #timeOf(row: NewMessage): number {
    return row.createdAt === undefined ? this.#options.now() : Date.parse(row.createdAt)
  }

  #deskOf(sessionId: string): Desk {
    const passing = this.#passing.database.prepare('SELECT 1 FROM session WHERE id = ?').get(sessionId)
    return passing ? this.#passing : this.#kept
  }

  #deskOfMessage(messageId: string): Desk {
    const passing = this.#passing.database.prepare('SELECT 1 FROM message WHERE id = ?').get(messageId)
    return passing ? this.#passing : this.#kept
  }

  #checkFiling(patch: SessionPatch): void {
    const { database } = this.#kept
    if (patch.folderId && !database.prepare('SELECT 1 FROM folder WHERE id = ?').get(patch.folderId)) {
      throw new AppError('not_found', 'This folder does not exist any more. Reload the list.')
    }
    const unknown = patch.tagIds?.find((id) => !database.prepare('SELECT 1 FROM tag WHERE id = ?').get(id))
    if (unknown !== undefined) throw new AppError('not_found', 'This tag does not exist any more. Reload the list.')
  }

  #purgeAt(desk: Desk, ids: readonly string[]): string[] {
    const named = filesOfSessions(desk.database, ids)
    const messageIds = ids.flatMap((id) => [...desk.cache.tree(id).nodes.keys()])
    const purged = purgeSessions(desk.database, ids)
    for (const id of purged) desk.cache.drop(id)
    if (purged.length > 0) this.#depart(desk, { sessionIds: purged, messageIds }, named)
    this.#sessionsChanged(purged)
    return purged
  }

  #depart(desk: Desk, gone: Departure, named: NamedFiles): void {
    for (const listener of this.#departureListeners) listener(gone)
    this.#cleaning = this.#cleaning
      .then(() => this.#clean(desk, named))
      .catch((error: unknown) => this.#options.onCleaningFailed?.(error))
  }

  async #clean(desk: Desk, named: NamedFiles): Promise<void> {
    await releaseFiles(desk, named)
    for (const _step of compactIndex(desk.database)) {
      await nextTurn()
      if (this.#closing) return
    }
  }

  #sessionsChanged(ids: string[]): void {
    if (ids.length > 0) this.#options.emit('sessions.changed', { ids })
  }
}

/** Who is shown when a visible version goes: the one before it, else the one after. */
function heirOf(root: TreeNode, siblings: readonly TreeNode[]): string | undefined {
  if (!root.selected) return undefined
  const index = siblings.indexOf(root)
  return (siblings[index - 1] ?? siblings[index + 1])?.id
}

export function createSessionStore(options: SessionStoreOptions): SessionStore {
  return new SessionStore(options)
}
