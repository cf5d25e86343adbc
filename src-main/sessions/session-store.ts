import { AppError } from '../ipc/app-error'
import { type WholeSession, writeSession } from './arrival'
import { filesOfSessions, type NamedFiles } from './attachments/attachment-rows'
import { binSessions, countMessages, expiredSessions, purgeSessions, restoreSessions } from './bin'
import type { Session, SessionChange, SessionPatch } from './contract'
import type { SessionStoreOptions } from './file-store'
import { type Fork, forkSession } from './fork'
import { isoTime } from './iso-time'
import { hideSessions, SMALL_DEPARTURE } from './leaving'
import { MessageStore } from './message-store'
import { foldPieces } from './message-writes'
import { type SearchOptions, type SearchPage, search } from './search/search'
import { indexSession } from './search/search-index'
import { patchOfChange } from './session-change'
import type { Departure, Desk } from './session-desks'
import { type ListOptions, listSessions } from './session-list'
import {
  getSession,
  insertSession,
  type NewSession,
  patchSession,
  requireSession,
  sessionsAllowing,
  setTitle,
  touchSession,
} from './session-rows'

/** All sessions behind one face; every method finds the right database by the id it is given. */
export class SessionStore extends MessageStore {
  readonly #forkListeners: ((fork: Fork) => void)[] = []

  /** A room that keeps things per message copies them here, within the fork's own transaction. */
  onFork(listener: (fork: Fork) => void): void {
    this.#forkListeners.push(listener)
  }

  /** Told after messages or whole sessions were deleted for good. */
  onDeparture(listener: (gone: Departure) => void): void {
    this.desks.onDeparture(listener)
  }

  /** Resolves once files of deleted messages are gone and everything written is indexed. */
  cleaned(): Promise<void> {
    return this.desks.cleaned()
  }

  /** Waits for files being deleted, then lets the temporary sessions go. */
  close(): Promise<void> {
    return this.desks.close()
  }

  createSession(draft: Omit<NewSession, 'id' | 'createdAt'>): Session {
    if (draft.temporary && (draft.folderId || draft.tagIds?.length)) {
      throw new AppError('bad_input', 'A temporary chat cannot be filed in a folder or tagged.')
    }
    const { database } = draft.temporary ? this.desks.passing : this.desks.kept
    if (draft.folderId && !database.prepare('SELECT 1 FROM folder WHERE id = ?').get(draft.folderId)) {
      throw new AppError('not_found', 'This folder does not exist any more. Reload the list.')
    }
    const session = insertSession(database, {
      ...draft,
      id: this.options.ids(),
      createdAt: isoTime(this.options.now()),
    })
    indexSession(database, session.id)
    this.sessionsChanged([session.id])
    return session
  }

  getSession(id: string): Session | undefined {
    return getSession(this.desks.of(id).database, id)
  }

  /** @throws not_found */
  requireSession(id: string): Session {
    return requireSession(this.desks.of(id).database, id)
  }

  isTemporary(id: string): boolean {
    return this.desks.of(id) === this.desks.passing
  }

  patchSession(id: string, patch: SessionPatch): Session {
    const { database } = this.desks.of(id)
    this.#checkFiling(patch)
    const session = database.transaction(() => {
      const patched = patchSession(database, id, patch)
      const words = patch.title ?? patch.topicPrompt ?? patch.enhancedPrompt
      if (words !== undefined && patched.removedAt === undefined) indexSession(database, id)
      return patched
    })()
    this.sessionsChanged([id])
    return session
  }

  /** A patch, and changes of lists on what is stored now. @throws not_found */
  changeSession(id: string, patch: SessionPatch, change: SessionChange = {}): Session {
    return this.patchSession(id, { ...patch, ...patchOfChange(this.requireSession(id), change) })
  }

  /** The first words, or a title the model proposes. False: the user's own stands. */
  setModelTitle(id: string, title: string, source: 'auto' | 'model' = 'model'): boolean {
    const { database } = this.desks.of(id)
    const done = setTitle(database, id, title, source)
    if (done) {
      if (this.getSession(id)?.removedAt === undefined) indexSession(database, id)
      this.sessionsChanged([id])
    }
    return done
  }

  touch(id: string): void {
    touchSession(this.desks.of(id).database, id, isoTime(this.options.now()))
    this.sessionsChanged([id])
  }

  /** Temporary ones are not listed: their window holds them. */
  listSessions(options: ListOptions): { sessions: Session[]; nextCursor: string | null } {
    return listSessions(this.desks.kept.database, options)
  }

  search(options: SearchOptions): SearchPage {
    return search(this.desks.kept.database, options, this.options.globalPrompts?.() ?? [])
  }

  /** Copies the branch up to a message (the visible one's end when none is named) with every setting. */
  async fork(sessionId: string, messageId?: string): Promise<Session> {
    const desk = this.desks.of(sessionId)
    const session = this.requireSession(sessionId)
    const branch = this.branchIds(sessionId, messageId)
    // rows are copied as they lie
    foldPieces(
      desk.database,
      branch.map(({ id }) => id),
    )
    const target = { id: this.options.ids(), ids: this.options.ids, now: isoTime(this.options.now()) }
    const steps = forkSession(desk.database, { session, branch }, target, (made) => {
      for (const listener of this.#forkListeners) listener(made)
    })
    const fork = await this.desks.arrive(desk, target.id, steps)
    this.desks.indexLater(desk)
    this.sessionsChanged([fork.id])
    return fork
  }

  /** Into the bin; temporary ones are gone at once. Returns the ids that moved. */
  bin(ids: readonly string[]): string[] {
    const passing = ids.filter((id) => this.isTemporary(id))
    const moved = binSessions(this.desks.kept.database, ids, isoTime(this.options.now()))
    const gone = this.#purgeAt(this.desks.passing, passing)
    this.sessionsChanged(moved)
    return [...moved, ...gone]
  }

  restore(ids: readonly string[]): string[] {
    const restored = restoreSessions(this.desks.kept.database, ids)
    this.desks.indexLater(this.desks.kept)
    this.sessionsChanged(restored)
    return restored
  }

  purge(ids: readonly string[]): string[] {
    const passing = ids.filter((id) => this.isTemporary(id))
    return [...this.#purgeAt(this.desks.kept, ids), ...this.#purgeAt(this.desks.passing, passing)]
  }

  /** Deletes what lies in the bin longer than the given number of days. */
  purgeExpired(days: number): string[] {
    const before = isoTime(this.options.now() - days * 86_400_000)
    return this.purge(expiredSessions(this.desks.kept.database, before))
  }

  /** Sessions outside the bin that point at a global prompt. */
  countByGlobalPrompt(promptId: string): number {
    const sql =
      'SELECT count(*) AS count FROM session WHERE global_prompt_id = ? AND removed_at IS NULL AND arriving = 0'
    return [this.desks.kept, this.desks.passing].reduce(
      (sum, { database }) => sum + (database.prepare<[string], { count: number }>(sql).get(promptId)?.count ?? 0),
      0,
    )
  }

  /** Sessions outside the bin a worldbook is bound to. */
  countByWorldbook(worldbookId: string): number {
    const sql = `SELECT count(*) AS count FROM session WHERE removed_at IS NULL AND arriving = 0
      AND EXISTS (SELECT 1 FROM json_each(session.worldbook_ids) WHERE value = ?)`
    return [this.desks.kept, this.desks.passing].reduce(
      (sum, { database }) => sum + (database.prepare<[string], { count: number }>(sql).get(worldbookId)?.count ?? 0),
      0,
    )
  }

  /**
   * Takes a worldbook that is gone out of every session. An isolated one whose last book it was keeps it: without a
   * bound book isolation does nothing, and a chat must not become less private because something was deleted elsewhere.
   */
  unbindWorldbook(worldbookId: string): void {
    const sql = `UPDATE session SET worldbook_ids =
        (SELECT coalesce(json_group_array(value), '[]') FROM json_each(session.worldbook_ids) WHERE value <> @worldbookId)
      WHERE EXISTS (SELECT 1 FROM json_each(session.worldbook_ids) WHERE value = @worldbookId)
        AND (isolation = 0 OR json_array_length(worldbook_ids) > 1)
      RETURNING id`
    for (const { database } of [this.desks.kept, this.desks.passing]) {
      const rows = database.prepare<[{ worldbookId: string }], { id: string }>(sql).all({ worldbookId })
      this.sessionsChanged(rows.map((row) => row.id))
    }
  }

  /** Kept sessions with at least one tool that may run unasked there. */
  sessionsAllowing(): Pick<Session, 'id' | 'toolChoices'>[] {
    return sessionsAllowing(this.desks.kept.database)
  }

  /** Points every session of one global prompt at another (null = none). */
  moveGlobalPrompt(from: string, to: string | null): void {
    for (const { database } of [this.desks.kept, this.desks.passing]) {
      const rows = database
        .prepare<[string | null, string], { id: string }>(
          'UPDATE session SET global_prompt_id = ? WHERE global_prompt_id = ? RETURNING id',
        )
        .all(to, from)
      this.sessionsChanged(rows.map((row) => row.id))
    }
  }

  /** A session with all its messages, seen when it is whole: ids and times are the caller's. @throws conflict, busy */
  async importSession(whole: WholeSession): Promise<Session> {
    const { kept } = this.desks
    const session = await this.desks.arrive(kept, whole.session.id, writeSession(kept.database, whole))
    this.desks.indexLater(kept)
    this.sessionsChanged([session.id])
    return session
  }

  #checkFiling(patch: SessionPatch): void {
    const { database } = this.desks.kept
    if (patch.folderId && !database.prepare('SELECT 1 FROM folder WHERE id = ?').get(patch.folderId)) {
      throw new AppError('not_found', 'This folder does not exist any more. Reload the list.')
    }
    const unknown = patch.tagIds?.find((id) => !database.prepare('SELECT 1 FROM tag WHERE id = ?').get(id))
    if (unknown !== undefined) throw new AppError('not_found', 'This tag does not exist any more. Reload the list.')
  }

  #purgeAt(desk: Desk, ids: readonly string[]): string[] {
    const named = filesOfSessions(desk.database, ids)
    if (countMessages(desk.database, ids) > SMALL_DEPARTURE) return this.#purgeInPieces(desk, ids, named)
    const messageIds = ids.flatMap((id) => [...desk.cache.tree(id).nodes.keys()])
    const purged = purgeSessions(desk.database, ids)
    for (const id of purged) desk.cache.drop(id)
    if (purged.length > 0) this.desks.depart(desk, { sessionIds: purged, messageIds }, named)
    this.sessionsChanged(purged)
    return purged
  }

  /** Hidden at once, for every reader; what they hold goes in the background. */
  #purgeInPieces(desk: Desk, ids: readonly string[], named: NamedFiles): string[] {
    const purged = hideSessions(desk.database, ids)
    for (const id of purged) desk.cache.drop(id)
    if (purged.length > 0) {
      this.desks.tellDeparture({ sessionIds: purged, messageIds: [] })
      this.desks.removeLater(desk, purged, { attachmentIds: named.attachmentIds, hashes: [] })
    }
    this.sessionsChanged(purged)
    return purged
  }
}

export function createSessionStore(options: SessionStoreOptions): SessionStore {
  return new SessionStore(options)
}
