import type { Emit } from '../app-contract'
import { AppError } from '../ipc/app-error'
import { addAttachment, releaseFiles, sweepFiles } from './attachments/attachment-desk'
import { insertAttachment, readAttachments } from './attachments/attachment-rows'
import type { Attachment } from './composer-contract'
import { isoTime } from './iso-time'
import type { SearchablePrompt } from './search/search'
import { type Desk, type DeskOptions, SessionDesks } from './session-desks'

export interface SessionStoreOptions extends DeskOptions {
  ids: () => string
  emit: Emit
  /** Named in the search box beside titles and messages. */
  globalPrompts?: () => readonly SearchablePrompt[]
  /** Tokens of a text attachment; images stay "not counted". */
  countTokens?: (text: string) => number
}

/** Files of sessions: the lowest layer of the store. */
export class FileStore {
  protected readonly desks: SessionDesks
  protected readonly options: SessionStoreOptions

  constructor(options: SessionStoreOptions) {
    this.options = options
    this.desks = new SessionDesks(options)
  }

  protected sessionsChanged(ids: string[]): void {
    if (ids.length > 0) this.options.emit('sessions.changed', { ids })
  }

  /**
   * Kept where its chat is: a temporary chat's in memory, whatever the caller believes of it. Without a chat, where
   * `temporary` says. @throws import.too_large, import.unreadable, storage.full
   */
  addAttachment(file: {
    name: string
    bytes: Uint8Array
    sessionId?: string | undefined
    temporary?: boolean | undefined
  }): Promise<Attachment> {
    const { ids, now, countTokens } = this.options
    const desk = file.sessionId === undefined ? undefined : this.desks.of(file.sessionId)
    return addAttachment(desk ?? (file.temporary ? this.desks.passing : this.desks.kept), file, {
      ids,
      now,
      countTokens,
      pdf: this.desks.pdf,
    })
  }

  /**
   * Makes sure a message can name these. A temporary chat takes over attachments that were added before anybody knew
   * that it is one: they leave the data folder. @throws bad_input for an id that is nowhere
   */
  protected adopt(desk: Desk, ids: readonly string[]): void {
    const { kept, passing } = this.desks
    const known = new Set(readAttachments(desk.database, ids).map((attachment) => attachment.id))
    const missing = ids.filter((id) => !known.has(id))
    const found = desk === passing ? readAttachments(kept.database, missing) : []
    if (found.length < missing.length) {
      throw new AppError('bad_input', 'A file of this message is not there any more. Attach it again.')
    }
    for (const attachment of found) {
      insertAttachment(passing.database, attachment, isoTime(this.options.now()))
      this.desks.later(async () => {
        const bytes = await kept.blobs.read(attachment.sha256)
        if (bytes) await passing.blobs.put(bytes)
        await releaseFiles(kept, { attachmentIds: [attachment.id], hashes: [] })
      })
    }
  }

  /** Those among the ids that a chat of this place can name. */
  protected nameable(desk: Desk, ids: readonly string[]): string[] {
    const places = desk === this.desks.passing ? [desk, this.desks.kept] : [desk]
    const known = new Set(places.flatMap(({ database }) => readAttachments(database, ids)).map(({ id }) => id))
    return ids.filter((id) => known.has(id))
  }

  /** In the order asked for; unknown ids are left out. */
  attachments(ids: readonly string[]): Attachment[] {
    const found = [this.desks.kept, this.desks.passing].flatMap(({ database }) => readAttachments(database, ids))
    return ids.flatMap((id) => found.find((attachment) => attachment.id === id) ?? [])
  }

  /** Keeps bytes a tool returned (images, a whole result); they live as long as a message's parts name the hash. */
  saveBlob(sessionId: string, bytes: Uint8Array): Promise<string> {
    return this.desks.of(sessionId).blobs.put(bytes)
  }

  /** @throws not_found */
  async readAttachment(sha256: string): Promise<Uint8Array> {
    const bytes = (await this.desks.passing.blobs.read(sha256)) ?? (await this.desks.kept.blobs.read(sha256))
    if (!bytes) throw new AppError('not_found', 'This file is no longer in the attachments folder. Attach it again.')
    return bytes
  }

  /** What the bytes are kept as; undefined for a tool's own files. */
  mediaTypeOf(sha256: string): string | undefined {
    for (const { database } of [this.desks.passing, this.desks.kept]) {
      const row = database
        .prepare<[string], { media_type: string }>('SELECT media_type FROM attachment WHERE sha256 = ?')
        .get(sha256)
      if (row) return row.media_type
    }
    return undefined
  }

  /** An attachment from a file of ours: kept under its own id. Its bytes must hash to what it says. */
  importAttachment(attachment: Attachment): void {
    const { database } = this.desks.kept
    const known = database.prepare('SELECT 1 FROM attachment WHERE id = ?').get(attachment.id)
    if (!known) insertAttachment(database, attachment, isoTime(this.options.now()))
  }

  /** After an import that broke off: those of its attachments that nothing names go. */
  dropLooseAttachments(attachmentIds: string[]): void {
    this.desks.later(async () => {
      await releaseFiles(this.desks.kept, { attachmentIds, hashes: [] })
    })
  }

  /** Bytes of an import; the caller names them by an attachment or a message's parts before the next start. */
  importBlob(bytes: Uint8Array): Promise<string> {
    return this.desks.kept.blobs.put(bytes)
  }

  /** At start: files and attachments nothing names. */
  sweepFiles(): Promise<string[]> {
    return sweepFiles(this.desks.kept)
  }
}
