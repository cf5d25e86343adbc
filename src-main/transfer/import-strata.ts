import { said } from '../ipc/said-contract'
import type { Attachment, Snippet } from '../sessions/composer-contract'
import type { Folder, MessagePart, Tag } from '../sessions/contract'
import { withoutGrants } from '../sessions/fork'
import type { SessionStore } from '../sessions/session-store'
import { cleanTree } from './clean-tree'
import type { TransferReport } from './contract'
import type { ExportPrompt } from './export-json'
import { emptyReport, warn } from './import-report'
import { importedTime } from './import-time'
import { noTime, type PlacedStrataMessage, type StrataStep } from './read-strata'
import type { ItemOf } from './strata-format'

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

/** Ids looked up at a stretch. */
const STEP = 100

export interface SettingsTarget {
  /** Takes what fits; a try-out only counts. */
  take: (values: Record<string, unknown>, dryRun: boolean) => { count: number; refused: string[] }
}

/** Without undefined fields, which the rows' types do not know. */
type Clean<T> = { [K in keyof T]: Exclude<T[K], undefined> }
const clean = <T extends object>(value: T): Clean<T> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Clean<T>

type StepOf<Kind extends StrataStep['kind']> = Extract<StrataStep, { kind: Kind }>

class StrataImport {
  readonly report: TransferReport
  readonly #steps: AsyncIterator<StrataStep>
  readonly #target: ImportTarget
  readonly #dryRun: boolean
  readonly #folderIds = new Set<string>()
  readonly #folders: Folder[] = []
  readonly #tagIds = new Map<string, string>()
  readonly #timesSeen = new Map<string, number>()
  readonly #messageIds = new Set<string>()
  readonly #attachmentIds = new Set<string>()
  readonly #hashes = new Set<string>()

  constructor(steps: AsyncIterable<StrataStep>, target: ImportTarget, dryRun: boolean) {
    this.#steps = steps[Symbol.asyncIterator]()
    this.#target = target
    this.#dryRun = dryRun
    this.report = emptyReport('strata', dryRun)
  }

  async run(): Promise<TransferReport> {
    for (;;) {
      const next = await this.#steps.next()
      if (next.done) break
      await this.#take(next.value)
    }
    this.#placeFolders()
    return this.report
  }

  async #take(step: StrataStep): Promise<void> {
    switch (step.kind) {
      case 'warning':
        return warn(this.report, step.warning)
      case 'skipped':
        this.report.sessions.skipped.push({ index: step.index, reason: step.reason })
        return
      case 'blob':
        this.#hashes.add(step.sha256)
        if (!this.#dryRun) await this.#target.store.importBlob(step.bytes)
        return
      case 'item':
        return this.#takeItem(step.item)
      case 'session':
        this.#placeFolders()
        return this.#takeSession(step)
      case 'message':
        throw new Error('A message came before its chat.')
    }
  }

  #takeItem(item: StepOf<'item'>['item']): void {
    switch (item.type) {
      case 'folder':
        this.#folders.push({ id: item.id, name: item.name, parentId: item.parentId, order: item.order })
        break
      case 'tag':
        this.#takeTag(item)
        break
      case 'prompt':
        this.#takePrompt(item)
        break
      case 'snippet':
        this.#takeSnippet(item)
        break
      case 'settings':
        this.#takeSettings(item)
        break
      case 'attachment':
        this.#takeAttachment(item)
        break
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

  #takeAttachment({ type: _type, ...attachment }: ItemOf<'attachment'>): void {
    if (!this.#hashes.has(attachment.sha256)) {
      warn(this.report, said`The file "${attachment.name}" is not in the export; its text is kept where it was read.`)
    }
    this.#attachmentIds.add(attachment.id)
    if (!this.#dryRun) this.#target.store.importAttachment(clean(attachment) as Attachment)
  }

  async #takeSession({ session, messages, notes }: StepOf<'session'>): Promise<void> {
    const { id, title } = session
    const before = this.#timesSeen.get(id) ?? 0
    this.#timesSeen.set(id, before + 1)
    // the same name for the twin at every import, so that a second import finds it
    const sessionId = before === 0 ? id : `${id}-${before + 1}`
    if (before > 0) warn(this.report, said`"${title}": another chat in the file has its id; it got a new one.`)
    if (this.#target.store.getSession(sessionId)) {
      this.report.sessions.existing += 1
      await this.#passOver(messages)
      return
    }
    for (const note of notes) warn(this.report, note)
    if (this.#dryRun) await this.#passOver(messages)
    else await this.#write(sessionId, session, messages)
    this.report.sessions.imported += 1
    this.report.messages += messages
    if (!this.#dryRun) this.report.sessionIds.push(sessionId)
  }

  async #write(sessionId: string, session: ItemOf<'session'>, messages: number): Promise<void> {
    const createdAt = this.#time(session.createdAt, session.title)
    await this.#target.store.importSession({
      session: {
        ...this.#sessionFields(session),
        id: sessionId,
        createdAt,
        updatedAt: session.updatedAt === undefined ? createdAt : this.#time(session.updatedAt, session.title),
      },
      messages: this.#messages(sessionId, session, messages),
    })
  }

  async #nextMessage(): Promise<PlacedStrataMessage> {
    const { value, done } = await this.#steps.next()
    if (done || value.kind !== 'message') throw new Error('A message of the chat is missing.')
    return value.message
  }

  async #passOver(count: number): Promise<void> {
    for (let passed = 0; passed < count; passed += 1) await this.#nextMessage()
  }

  /** Made while they are written. */
  async *#messages(sessionId: string, session: ItemOf<'session'>, count: number) {
    // a file from before messages were marked does not say which of them were written under isolation: all may be
    const wasIsolated = session.isolation && session.worldbookIds.length > 0
    const ids: string[] = []
    while (ids.length < count) {
      const some: PlacedStrataMessage[] = []
      while (some.length < STEP && ids.length + some.length < count) some.push(await this.#nextMessage())
      const given = some.map((message) => message.id)
      const taken = new Set(this.#target.store.messagesAmong(given))
      for (const message of some) {
        const isTaken = message.needsId || taken.has(message.id) || this.#messageIds.has(message.id)
        const id = isTaken ? this.#target.ids() : message.id
        ids.push(id)
        this.#messageIds.add(id)
        const fields = this.#messageFields(message, { id, sessionId, parentId: ids[message.parent] ?? null })
        yield { ...fields, isolated: message.isolated ?? wasIsolated }
      }
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

  #messageFields(message: PlacedStrataMessage, place: { id: string; sessionId: string; parentId: string | null }) {
    const { type: _type, parts, usage, parent: _parent, needsId: _needsId, createdAt, ...kept } = message
    return {
      ...clean(kept),
      ...place,
      ...(parts === undefined ? {} : { parts: parts.map((part) => clean(part) as MessagePart) }),
      ...(usage === undefined ? {} : { usage: clean(usage) }),
      attachments: kept.attachments.filter((id) => this.#attachmentIds.has(id)),
      // what streamed when it was exported does not stream any more
      state: kept.state === 'streaming' ? ('interrupted' as const) : kept.state,
      createdAt: createdAt ?? this.#target.nowIso(),
    }
  }

  #time(text: string, title: string): string {
    const time = importedTime(text)
    if (time === undefined) warn(this.report, noTime(title, text))
    return time ?? this.#target.nowIso()
  }
}

/** Takes what a file of ours holds. What was taken before a failure stays. */
export function importStrata(
  steps: AsyncIterable<StrataStep>,
  target: ImportTarget,
  dryRun: boolean,
): Promise<TransferReport> {
  return new StrataImport(steps, target, dryRun).run()
}
