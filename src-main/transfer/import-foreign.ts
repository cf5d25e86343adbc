import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, saidBy } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { MessagePart } from '../sessions/contract'
import type { SessionStore } from '../sessions/session-store'
import type { TransferReport } from './contract'
import type { ForeignAttachment, PlacedMessage, PreparedChat } from './foreign-chat'
import type { OpenedForeign } from './foreign-files'
import { emptyReport, warn } from './import-report'

/** Stable over imports, and shaped like any other id. */
export function foreignId(format: string, sourceId: string): string {
  const hash = createHash('sha256').update(`${format}\u0000${sourceId}`).digest('hex')
  return `${format}-${hash.slice(0, 24)}`
}

export interface ForeignTarget {
  store: SessionStore
  nowIso: () => string
}

type Head = PreparedChat['head']

class ForeignImport {
  readonly report: TransferReport
  readonly #file: OpenedForeign
  readonly #target: ForeignTarget
  readonly #files = { attached: 0, missing: 0 }

  constructor(file: OpenedForeign, target: ForeignTarget, dryRun: boolean) {
    this.report = emptyReport(file.format, dryRun)
    this.#file = file
    this.#target = target
  }

  async run(): Promise<TransferReport> {
    for (const warning of this.#file.warnings) warn(this.report, warning)
    const { sessions } = this.report
    const seen = new Set<string>()
    let index = -1
    for await (const head of this.#file.chats()) {
      index += 1
      // many empty or known chats in a row are no reason to hold up others
      if (index % 50 === 49) await nextTurn()
      if ('unreadable' in head) {
        const title = head.title === undefined ? {} : { title: head.title }
        sessions.skipped.push({ index, ...title, reason: head.unreadable })
        continue
      }
      if (head.messages === 0) {
        for (const note of head.notes) warn(this.report, note)
        sessions.skipped.push({ index, title: head.title, reason: 'It holds no messages.' })
        continue
      }
      const id = foreignId(this.report.format, head.sourceId)
      if (seen.has(id) || this.#target.store.getSession(id)) {
        sessions.existing += 1
        continue
      }
      seen.add(id)
      await this.#take(id, index, head)
    }
    if (this.#files.attached > 0 || this.#files.missing > 0) this.report.files = this.#files
    return this.report
  }

  async #take(id: string, index: number, head: Head): Promise<void> {
    const { report } = this
    for (const note of head.notes) warn(report, note)
    this.#files.missing += head.missing
    const createdAt = head.createdAt ?? this.#target.nowIso()
    if (report.dryRun) {
      for await (const messages of this.#file.messages(index)) this.#count(messages)
    } else {
      const { title, topicPrompt = '', archived = false, updatedAt = createdAt } = head
      const attached: string[] = []
      try {
        await this.#target.store.importSession({
          session: { id, title, topicPrompt, archived, createdAt, updatedAt },
          messages: this.#stamped(id, index, head, { first: createdAt, attached }),
        })
      } catch (error) {
        this.#target.store.dropLooseAttachments(attached)
        throw error
      }
      report.sessionIds.push(id)
    }
    report.sessions.imported += 1
    report.messages += head.messages
  }

  #count(messages: readonly PlacedMessage[]): void {
    for (const { files = [] } of messages) this.#files.attached += files.length
  }

  /** Made while they are written, with their files. */
  async *#stamped(sessionId: string, index: number, head: Head, made: { first: string; attached: string[] }) {
    const ids: string[] = []
    for await (const messages of this.#file.messages(index)) {
      for (const { reasoning, parts, files = [], parent, createdAt = made.first, ...message } of messages) {
        // ids that grow keep the database's index of them small to write; the session's own is nobody else's
        const id = `${sessionId}-${String(ids.length).padStart(7, '0')}`
        ids.push(id)
        const attachments = files.length === 0 ? [] : await this.#attach(head.title, files)
        made.attached.push(...attachments)
        yield {
          ...message,
          id,
          sessionId,
          parentId: ids[parent] ?? null,
          createdAt,
          parts: parts ?? partsOf(message.text, reasoning),
          ...(attachments.length === 0 ? {} : { attachments }),
        }
      }
    }
  }

  /** Ids of what could be attached; the rest is told about. */
  async #attach(title: string, files: readonly ForeignAttachment[]): Promise<string[]> {
    const ids = new Set<string>()
    for (const file of files) {
      const bytes = 'text' in file ? Buffer.from(file.text) : await this.#file.file(file.entry)
      try {
        if (!bytes) throw new AppError('import.unreadable', said`"${file.name}" is not in the archive.`)
        const { id } = await this.#target.store.addAttachment({ name: file.name, bytes })
        ids.add(id)
        this.#files.attached += 1
      } catch (error) {
        const isUnfit = error instanceof AppError && /^import\./.test(error.code)
        if (!isUnfit) throw error
        this.#files.missing += 1
        warn(this.report, said`"${title}": a file was left out. ${saidBy(error)}`)
      }
    }
    return [...ids]
  }
}

function partsOf(text: string, reasoning: string | undefined): MessagePart[] {
  return [...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []), { type: 'text', text }]
}

export function importForeign(file: OpenedForeign, target: ForeignTarget, dryRun: boolean): Promise<TransferReport> {
  return new ForeignImport(file, target, dryRun).run()
}
