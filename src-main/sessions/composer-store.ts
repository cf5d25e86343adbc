import { AppError } from '../ipc/app-error'
import { asMessage, readSaid, type Said, storedSaid } from '../ipc/said-contract'
import type { WriteDatabase } from '../storage/database'
import type { Attachment, FromDraft } from './composer-contract'
import { type DraftChange, NEW_CHAT, putIntoDraft, readDraft, saveDraft, takeFromDraft } from './draft-rows'
import { FileStore } from './file-store'
import { isoTime } from './iso-time'
import type { QueuedMessage } from './queue-contract'
import {
  addQueued,
  changeQueued,
  findQueued,
  holdQueued,
  listQueue,
  moveQueued,
  type QueueRow,
  queuedGone,
  removeQueued,
  replaceQueue,
} from './queue-rows'
import type { Desk } from './session-desks'
import { requireSession } from './session-rows'

export interface Draft {
  text: string
  attachments: Attachment[]
  queue: string[]
  revision: number
  saves: string[]
}

/** A message that is being stored, and where it stood until now. */
export interface Outgoing {
  text: string
  attachments?: readonly string[] | undefined
  /** It was written in the composer: it leaves the draft. @throws conflict when what it was written in went before */
  fromDraft?: FromDraft | undefined
  /** It waited: the id of its row, which goes. @throws not_found when it went before */
  fromQueue?: string | undefined
}

/** What is being written and what waits to be sent, of every chat. Each is kept where its chat is. */
export class ComposerStore extends FileStore {
  getDraft(sessionId: string | null): Draft {
    const { database } = this.#deskOf(sessionId)
    const { text, attachmentIds, revision, saves } = readDraft(database, sessionId ?? NEW_CHAT)
    const queue = sessionId === null ? [] : listQueue(database, sessionId).map((row) => row.text)
    return { text, attachments: this.attachments(attachmentIds), queue, revision, saves }
  }

  /** Returns the new revision. A file that is gone is left out. @throws conflict, not_found for an unknown chat */
  saveDraft(
    sessionId: string | null,
    change: DraftChange & { queue?: readonly string[] | undefined },
  ): { revision: number } {
    const desk = this.#deskOf(sessionId)
    const { queue, ...draft } = change
    if (sessionId === null && queue?.length) {
      throw new AppError(
        'bad_input',
        'Only in a chat that exists can messages wait. Send the first one, then the next.',
      )
    }
    const attachments = draft.attachments && this.nameable(desk, draft.attachments)
    if (attachments) this.adopt(desk, attachments)
    const revision = desk.database.transaction(() => {
      if (sessionId !== null && queue) {
        replaceQueue(desk.database, sessionId, queue, { ids: this.options.ids, createdAt: this.#now() })
      }
      return saveDraft(desk.database, sessionId ?? NEW_CHAT, { ...draft, attachments })
    })()
    this.draftChanged(sessionId, revision)
    if (sessionId !== null && queue) this.queueChanged(sessionId)
    return { revision }
  }

  /** Within the transaction that stores a message: takes it off the draft or out of the queue. Returns what to tell. */
  protected takeOutgoing(database: WriteDatabase, sessionId: string, sent: Outgoing): () => void {
    if (sent.fromQueue !== undefined && !removeQueued(database, sent.fromQueue)) throw queuedGone()
    if (sent.fromDraft) takeFromDraft(database, sessionId, sent, sent.fromDraft)
    return () => {
      if (sent.fromQueue !== undefined) this.queueChanged(sessionId)
      if (sent.fromDraft) this.draftChanged(sessionId, readDraft(database, sessionId).revision)
    }
  }

  queueOf(sessionId: string): QueuedMessage[] {
    const { database } = this.#deskOf(sessionId)
    return listQueue(database, sessionId).map((row) => this.#shown(row))
  }

  /** @throws not_found */
  requireQueued(id: string): QueuedMessage {
    return this.#shown(this.#queued(id).row)
  }

  /** Whether a message of this id is stored, as a message or as one that waits. */
  isDelivered(id: string): boolean {
    return [this.desks.passing, this.desks.kept].some(
      ({ database }) =>
        findQueued(database, id) !== undefined ||
        database.prepare('SELECT 1 FROM message WHERE id = ?').get(id) !== undefined,
    )
  }

  /** @throws conflict: a message goes once, however often it is handed over */
  protected refuseDelivered(id: string | undefined): void {
    if (id === undefined || !this.isDelivered(id)) return
    throw new AppError('conflict', 'This message is stored already. Reload the chat to see it.')
  }

  /** Puts a message at the end of the queue. @throws not_found, bad_input, conflict */
  addQueued(sessionId: string, message: Omit<Outgoing, 'fromQueue'> & { id?: string | undefined }): QueuedMessage {
    const desk = this.#deskOf(sessionId)
    const { database } = desk
    this.refuseDelivered(message.id)
    const id = message.id ?? this.options.ids()
    this.adopt(desk, message.attachments ?? [])
    const tell = database.transaction(() => {
      const attachmentIds = [...(message.attachments ?? [])]
      addQueued(database, { id, sessionId, text: message.text, attachmentIds, createdAt: this.#now() })
      return this.takeOutgoing(database, sessionId, message)
    })()
    tell()
    this.queueChanged(sessionId)
    return this.requireQueued(id)
  }

  /** @throws not_found, bad_input */
  changeQueued(
    id: string,
    change: { text?: string | undefined; attachments?: readonly string[] | undefined },
  ): QueuedMessage {
    const { desk, row } = this.#queued(id)
    this.adopt(desk, change.attachments ?? [])
    changeQueued(desk.database, id, change)
    this.queueChanged(row.sessionId)
    return this.requireQueued(id)
  }

  /** @throws not_found */
  moveQueued(id: string, before: string | null): void {
    const { desk, row } = this.#queued(id)
    moveQueued(desk.database, id, before)
    this.queueChanged(row.sessionId)
  }

  /** @throws not_found when somebody else was first */
  removeQueued(id: string): void {
    const { desk, row } = this.#queued(id)
    removeQueued(desk.database, id)
    this.queueChanged(row.sessionId)
  }

  /** Out of the queue, before what is being written in its chat. @throws not_found */
  takeQueued(id: string): QueuedMessage {
    const { desk, row } = this.#queued(id)
    desk.database.transaction(() => {
      if (!removeQueued(desk.database, id)) throw queuedGone()
      putIntoDraft(desk.database, row.sessionId, row)
    })()
    this.queueChanged(row.sessionId)
    this.draftChanged(row.sessionId, readDraft(desk.database, row.sessionId).revision)
    return this.#shown(row)
  }

  /** Says why a message was not sent when its turn came; null = nothing holds it. */
  holdQueued(id: string, why: Said | null): void {
    const { desk, row } = this.#queued(id)
    if (holdQueued(desk.database, id, why === null ? null : storedSaid(why))) this.queueChanged(row.sessionId)
  }

  protected draftChanged(sessionId: string | null, revision: number): void {
    this.options.emit('drafts.changed', { ids: [sessionId ?? NEW_CHAT], revision })
  }

  protected queueChanged(sessionId: string): void {
    this.options.emit('queue.changed', { ids: [sessionId] })
  }

  /** @throws not_found: nothing is kept for a chat that is gone, wherever it was kept */
  #deskOf(sessionId: string | null): Desk {
    if (sessionId === null) return this.desks.kept
    const desk = this.desks.of(sessionId)
    requireSession(desk.database, sessionId)
    return desk
  }

  #queued(id: string): { desk: Desk; row: QueueRow } {
    for (const desk of [this.desks.passing, this.desks.kept]) {
      const row = findQueued(desk.database, id)
      if (row) return { desk, row }
    }
    throw queuedGone()
  }

  #shown({ attachmentIds, held, ...row }: QueueRow): QueuedMessage {
    return {
      ...row,
      attachments: this.attachments(attachmentIds),
      ...(held === null ? {} : { held: asMessage(readSaid(held)) }),
    }
  }

  #now(): string {
    return isoTime(this.options.now())
  }
}
