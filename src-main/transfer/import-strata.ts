import { setImmediate as nextTurn } from 'node:timers/promises'
import { said } from '../ipc/said-contract'
import { sha256Of } from '../sessions/attachments/blob-store'
import type { Attachment, Folder, MessagePart, Snippet, Tag } from '../sessions/contract'
import { withoutGrants } from '../sessions/fork'
import type { SessionStore } from '../sessions/session-store'
import { cleanTree, repairWarnings } from './clean-tree'
import type { TransferReport } from './contract'
import type { ExportPrompt } from './export-json'
import { emptyReport, warn } from './import-report'
import { importedTime } from './import-time'
import { readItems, unreadable } from './item-lines'
import { FORMAT, type Item, type ItemOf, itemSchema, VERSION } from './strata-format'

/** Where an import writes to. Every `has…` says whether the id is there already; what is there is never changed. */
export interface ImportTarget {
  store: SessionStore
  ids: () => string
  nowIso: () => string
  folders: { has: (id: string) => boolean; insert: (folder: Folder) => void }
  tags: { list: () => readonly Tag[]; insert: (tag: Tag) => void }
  prompts: { has: (id: string) => boolean; insert: (prompt: ExportPrompt) => void }
  snippets: { has: (id: string) => boolean; insert: (snippet: Snippet) => void }
  settings: SettingsTarget
}

/** Items read, or ids looked up, at a stretch. */
const STEP = 200

interface Group {
  index: number
  session: ItemOf<'session'>
  messages: ItemOf<'message'>[]
}

export interface SettingsTarget {
  /** Takes what fits; a try-out only counts. */
  take: (values: Record<string, unknown>, dryRun: boolean) => { count: number; refused: string[] }
}

/** Without undefined fields, which the rows' types do not know. */
type Clean<T> = { [K in keyof T]: Exclude<T[K], undefined> }
const clean = <T extends object>(value: T): Clean<T> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Clean<T>

class StrataImport {
  readonly report: TransferReport
  readonly #target: ImportTarget
  readonly #dryRun: boolean
  readonly #folderIds = new Set<string>()
  readonly #folders: Folder[] = []
  readonly #tagIds = new Map<string, string>()
  readonly #timesSeen = new Map<string, number>()
  readonly #messageIds = new Set<string>()
  readonly #attachmentIds = new Set<string>()
  readonly #hashes = new Set<string>()
  #group: Group | undefined

  constructor(target: ImportTarget, dryRun: boolean) {
    this.#target = target
    this.#dryRun = dryRun
    this.report = emptyReport('strata', dryRun)
  }

  async take(raw: unknown, index: number): Promise<void> {
    const parsed = itemSchema.safeParse(raw)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      const reason = `item ${index}: ${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? ''}`.trim()
      if (hasType(raw, 'session')) {
        await this.finishSession()
        this.report.sessions.skipped.push({ index, reason })
      } else warn(this.report, said`Left out, ${reason}.`)
      return
    }
    const item = parsed.data
    if (item.type !== 'message') await this.finishSession()
    await this.#takeItem(item, index)
  }

  async #takeItem(item: Item, index: number): Promise<void> {
    switch (item.type) {
      case 'folder':
        this.#folders.push({ id: item.id, name: item.name, parentId: item.parentId, order: item.order })
        return
      case 'tag':
        return this.#takeTag(item)
      case 'prompt':
        return this.#takePrompt(item)
      case 'snippet':
        return this.#takeSnippet(item)
      case 'settings':
        return this.#takeSettings(item)
      case 'blob':
        return this.#takeBlob(item)
      case 'attachment':
        return this.#takeAttachment(item)
      case 'session':
        this.#placeFolders()
        this.#group = { index, session: item, messages: [] }
        return
      case 'message':
        if (this.#group) this.#group.messages.push(item)
        else warn(this.report, said`Item ${index} is a message of a chat that was left out.`)
        return
    }
  }

  /** Parents first; a circle of folders is cut open like one of messages. */
  #placeFolders(): void {
    const { folders } = this.#target
    const { items } = cleanTree(
      this.#folders.splice(0).map((folder) => ({ ...folder, selected: false })),
      { taken: () => false, newId: this.#target.ids },
    )
    for (const { selected: _selected, ...folder } of items) {
      this.#folderIds.add(folder.id)
      if (!this.#dryRun && !folders.has(folder.id)) folders.insert(folder)
    }
  }

  #takeTag(item: ItemOf<'tag'>): void {
    const same = this.#target.tags
      .list()
      .find((tag) => tag.id === item.id || tag.name.toLowerCase() === item.name.toLowerCase())
    this.#tagIds.set(item.id, same?.id ?? item.id)
    if (!same && !this.#dryRun) this.#target.tags.insert({ id: item.id, name: item.name, colour: item.colour })
  }

  #takePrompt({ type: _type, ...prompt }: ItemOf<'prompt'>): void {
    if (this.#target.prompts.has(prompt.id)) return
    this.report.prompts += 1
    if (this.#dryRun) return
    const createdAt = this.#time(prompt.createdAt, prompt.name)
    const updatedAt = this.#time(prompt.updatedAt, prompt.name)
    this.#target.prompts.insert({ ...prompt, createdAt, updatedAt })
  }

  #takeSnippet({ type: _type, ...snippet }: ItemOf<'snippet'>): void {
    if (this.#target.snippets.has(snippet.id)) return
    this.report.snippets = (this.report.snippets ?? 0) + 1
    if (!this.#dryRun) this.#target.snippets.insert(snippet)
  }

  #takeSettings({ values }: ItemOf<'settings'>): void {
    const { count, refused } = this.#target.settings.take(values, this.#dryRun)
    if (count > 0) this.report.settings = (this.report.settings ?? 0) + count
    if (refused.length > 0) warn(this.report, said`Settings that fit no more were left out: ${refused.join(', ')}.`)
  }

  async #takeBlob(item: ItemOf<'blob'>): Promise<void> {
    const bytes = Buffer.from(item.dataBase64, 'base64')
    if (sha256Of(bytes) !== item.sha256) {
      warn(this.report, said`A file's bytes are not those of its hash ${item.sha256.slice(0, 12)}…; it was left out.`)
      return
    }
    this.#hashes.add(item.sha256)
    if (!this.#dryRun) await this.#target.store.importBlob(bytes)
  }

  #takeAttachment({ type: _type, ...attachment }: ItemOf<'attachment'>): void {
    if (!this.#hashes.has(attachment.sha256)) {
      warn(this.report, said`The file "${attachment.name}" is not in the export; its text is kept where it was read.`)
    }
    this.#attachmentIds.add(attachment.id)
    if (!this.#dryRun) this.#target.store.importAttachment(clean(attachment) as Attachment)
  }

  async finishSession(): Promise<void> {
    const group = this.#group
    this.#group = undefined
    if (!group) return
    const { id, title } = group.session
    const before = this.#timesSeen.get(id) ?? 0
    this.#timesSeen.set(id, before + 1)
    // the same name for the twin at every import, so that a second import finds it
    const sessionId = before === 0 ? id : `${id}-${before + 1}`
    if (before > 0) warn(this.report, said`"${title}": another chat in the file has its id; it got a new one.`)
    if (this.#target.store.getSession(sessionId)) {
      this.report.sessions.existing += 1
      return
    }
    await this.#write(sessionId, group)
    this.report.sessions.imported += 1
    this.report.messages += group.messages.length
    if (!this.#dryRun) this.report.sessionIds.push(sessionId)
  }

  async #write(sessionId: string, { session, messages }: Group): Promise<void> {
    const { store, ids } = this.#target
    const taken = await this.#takenIds(messages)
    const { items, repairs } = cleanTree(messages, { taken: (id) => taken.has(id), newId: ids })
    for (const warning of repairWarnings(session.title, repairs)) warn(this.report, warning)
    for (const item of items) this.#messageIds.add(item.id)
    const createdAt = this.#time(session.createdAt, session.title)
    const whole = {
      session: {
        ...this.#sessionFields(session),
        id: sessionId,
        createdAt,
        updatedAt: session.updatedAt === undefined ? createdAt : this.#time(session.updatedAt, session.title),
      },
      messages: this.#allFields(items, sessionId, session),
    }
    if (!this.#dryRun) await store.importSession(whole)
    else await this.#readThrough(whole.messages)
  }

  /** A try-out makes what an import would write, for its warnings. */
  async #readThrough(messages: Iterable<unknown>): Promise<void> {
    let count = 0
    for (const _message of messages) {
      count += 1
      if (count % STEP === 0) await nextTurn()
    }
  }

  /** Ids of these messages that another message here or earlier in the file has. */
  async #takenIds(messages: readonly ItemOf<'message'>[]): Promise<Set<string>> {
    const taken = new Set<string>()
    for (let at = 0; at < messages.length; at += STEP) {
      const ids = messages.slice(at, at + STEP).map((message) => message.id)
      for (const id of this.#target.store.messagesAmong(ids)) taken.add(id)
      for (const id of ids) if (this.#messageIds.has(id)) taken.add(id)
      if (at > 0) await nextTurn()
    }
    return taken
  }

  /** Made one by one while they are written. */
  *#allFields(items: readonly ItemOf<'message'>[], sessionId: string, session: ItemOf<'session'>) {
    const wasIsolated = session.isolation && session.worldbookIds.length > 0
    for (const item of items) {
      // a file from before messages were marked does not say which of them were written under isolation: all may be
      yield { ...this.#messageFields(item, sessionId, session.title), isolated: item.isolated ?? wasIsolated }
    }
  }

  #sessionFields({ type: _type, createdAt: _c, updatedAt: _u, ...session }: ItemOf<'session'>) {
    const { folderId, tagIds, removedAt, toolChoices, ...kept } = session
    // a file cannot allow what a person has to
    const choices = withoutGrants(toolChoices)
    const grants = Object.keys(toolChoices).length - Object.keys(choices).length
    if (grants > 0)
      warn(
        this.report,
        said`"${session.title}": permissions to run tools without asking are not taken over (${grants}).`,
      )
    return {
      ...clean(kept),
      toolChoices: choices,
      folderId: folderId !== null && this.#folderIds.has(folderId) ? folderId : null,
      tagIds: tagIds.flatMap((id) => this.#tagIds.get(id) ?? []),
      ...(removedAt === undefined ? {} : { removedAt: importedTime(removedAt) ?? this.#target.nowIso() }),
    }
  }

  #messageFields({ type: _type, parts, usage, ...message }: ItemOf<'message'>, sessionId: string, title: string) {
    return {
      ...clean(message),
      sessionId,
      ...(parts === undefined ? {} : { parts: parts.map((part) => clean(part) as MessagePart) }),
      ...(usage === undefined ? {} : { usage: clean(usage) }),
      attachments: message.attachments.filter((id) => this.#attachmentIds.has(id)),
      // what streamed when it was exported does not stream any more
      state: message.state === 'streaming' ? ('interrupted' as const) : message.state,
      createdAt: this.#time(message.createdAt, title),
    }
  }

  #time(text: string, title: string): string {
    const time = importedTime(text)
    if (time !== undefined) return time
    warn(this.report, said`"${title}": "${text.slice(0, 40)}" is no time; the time of the import stands in.`)
    return this.#target.nowIso()
  }
}

const hasType = (raw: unknown, type: string): boolean =>
  typeof raw === 'object' && raw !== null && 'type' in raw && raw.type === type

/** @throws import.unreadable for another version, broken JSON or a cut-off file; what came before stays */
export async function importStrata(bytes: Uint8Array, target: ImportTarget, dryRun: boolean): Promise<TransferReport> {
  const { head, items } = readItems(bytes)
  if (head.format !== FORMAT) throw unreadable('it is not a Strata export')
  if (!(head.version <= VERSION)) {
    throw unreadable(
      said`it was written by a newer version of Strata (file version ${head.version}); install that version`,
    )
  }
  const run = new StrataImport(target, dryRun)
  let index = 0
  for (const item of items) {
    await run.take(item, index)
    index += 1
    // a large file lets others have their turn
    if (index % STEP === 0) await nextTurn()
  }
  await run.finishSession()
  return run.report
}
