import { join } from 'node:path'
import { createApp } from './app'
import { type AppInfo, recoveryCallNames } from './app-contract'
import type { AppOptions, RunningApp } from './app-host'
import { COUNTING, createRecovery, damagedReply } from './app-recovery'
import { closeInside, closeToOthers, type OpenRights } from './host/private-files'
import { AppError } from './ipc/app-error'
import type { EventMessage, Reply } from './ipc/contract'
import type { Router } from './ipc/router'
import { asMessage, type Said } from './ipc/said-contract'
import { createFileLooks, type FileLooks } from './storage/check-files'
import { checkFile } from './storage/check-task'
import type { Damage } from './storage/contract'
import { DATABASE_FILE, describeDamage } from './storage/damage'
import { storageError } from './storage/storage-error'

/** The window and the first turns come first. */
const LOOK_AFTER_MS = 10_000

/**
 * The app over a folder whose chats may be damaged. Where they cannot be opened it answers the few calls of a recovery,
 * and becomes the whole app once the person has chosen what to go on with, in the same process. Where damage shows later
 * it is told once, and the app goes on over what can still be read.
 */
export async function openApp(options: AppOptions): Promise<RunningApp> {
  const app = new OpenedApp(options)
  await app.open()
  return app
}

class OpenedApp implements RunningApp {
  readonly version: string
  readonly dataDir: string
  readonly #options: AppOptions
  readonly #looks: FileLooks = createFileLooks(COUNTING)
  readonly #recovery: Router
  readonly #listeners = new Set<(event: EventMessage) => void>()
  #running: RunningApp | undefined
  #damage: Damage | undefined
  #openRights: OpenRights | undefined
  #opening: Promise<void> = Promise.resolve()
  #look: NodeJS.Timeout | undefined

  constructor(options: AppOptions) {
    this.#options = {
      ...options,
      damage: () => this.#damage,
      onDamage: (finding) => this.#found(finding),
      openRights: () => this.#openRights,
    }
    this.version = options.version
    this.dataDir = options.dataDir
    this.#recovery = createRecovery({
      options: this.#options,
      looks: this.#looks,
      info: () => this.#info(),
      damage: () => this.#damage ?? describeDamage(this.dataDir, 'pages'),
      reopen: (change, fresh) => this.#reopen(change, fresh),
      holds: async () => checkFile({ file: this.#file, counting: COUNTING }).holds ?? { chats: 0, messages: 0 },
    })
  }

  get readOnlyReason() {
    return this.#running?.readOnlyReason
  }

  get damage() {
    return this.#damage
  }

  get #file() {
    return join(this.dataDir, DATABASE_FILE)
  }

  /** @throws what keeps an app from starting, damage excepted */
  async open(fresh = false): Promise<void> {
    this.#damage = undefined
    closeToOthers(this.dataDir)
    try {
      this.#running = await createApp({ ...this.#options, ...(fresh ? { fresh } : {}) })
      this.#running.subscribe((event) => this.#pass(event))
      this.#closeFiles()
      this.#lookLater()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage.damaged') throw error
      this.#damage = (error.details as Damage | undefined) ?? describeDamage(this.dataDir, 'pages', error.message)
      this.#options.log.error({ damage: this.#damage }, 'the stored chats are damaged')
    }
  }

  async call(name: unknown, input: unknown): Promise<Reply<unknown>> {
    if (this.#damage && typeof name === 'string' && recoveryCallNames.has(name)) {
      return this.#recovery.dispatch(name, input)
    }
    await this.#opening
    return this.#running ? this.#running.call(name, input) : damagedReply()
  }

  subscribe(listener: (event: EventMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  noteStorage(error: unknown): boolean {
    return this.#running ? this.#running.noteStorage(error) : storageError(error) !== undefined
  }

  tell(sentence: Said): void {
    this.#tell({ name: 'app.trouble', payload: asMessage(sentence) })
  }

  async close(): Promise<void> {
    clearTimeout(this.#look)
    await this.#opening
    await this.#looks.close()
    await this.#running?.close()
    this.#running = undefined
  }

  /** A turn that met the damage says so itself. */
  #pass(event: EventMessage): void {
    this.#tell(event)
    const { code, message } = { code: '', message: '', ...(event.payload as object) }
    if (event.name === 'turn.failed' && code === 'storage.damaged') this.#found(message)
  }

  #tell(event: EventMessage): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Now that all of them are there. */
  #closeFiles(): void {
    const { log } = this.#options
    this.#openRights = closeToOthers(this.dataDir)
    if (this.#openRights) log.warn(this.#openRights, 'other accounts can read files of the data folder')
    closeInside(this.dataDir).catch((error: unknown) => log.warn({ err: error }, 'rights could not be looked through'))
  }

  #info(): AppInfo {
    const { version, host, dataDir } = this.#options
    const { electron, node } = process.versions
    return {
      version,
      node,
      host,
      dataDir,
      platform: process.platform,
      ...(electron === undefined ? {} : { electron }),
      ...(this.#damage === undefined ? {} : { damage: this.#damage }),
    }
  }

  /** Damage that showed while the app ran: told once. */
  #found(finding: string): void {
    if (this.#damage) return
    this.#damage = { ...describeDamage(this.dataDir, 'pages', finding), running: true }
    this.#options.log.error({ damage: this.#damage }, 'the stored chats are damaged')
    this.#tell({ name: 'storage.damaged', payload: this.#damage })
  }

  /** A large file is not read whole before it is opened; a while later it is, on a thread that only reads. */
  #lookLater(): void {
    clearTimeout(this.#look)
    this.#look = setTimeout(() => {
      this.#looks.finding(this.#file).then(
        (finding) => finding !== undefined && this.#running && this.#found(finding),
        (error: unknown) => this.#options.log.warn({ err: error }, 'the stored chats could not be looked through'),
      )
    }, this.#options.lookAfterMs ?? LOOK_AFTER_MS)
    this.#look.unref()
  }

  async #reopen(change: () => Promise<unknown>, fresh = false): Promise<void> {
    const reopened = this.#opening.then(() => this.#closeAndOpen(change, fresh))
    this.#opening = reopened.catch(() => undefined)
    await reopened
    this.#tell({ name: 'resync', payload: { reason: 'recovered' } })
  }

  async #closeAndOpen(change: () => Promise<unknown>, fresh: boolean): Promise<void> {
    const before = this.#damage
    clearTimeout(this.#look)
    // over a damaged file not everything can be put in order; what is there stays there
    await this.#running?.close().catch((error: unknown) => this.#options.log.warn({ err: error }, 'closing failed'))
    this.#running = undefined
    try {
      await change()
    } catch (error) {
      // nothing was changed: the screen stays, and every choice with it
      this.#damage = before && { ...before, running: false }
      throw error
    }
    await this.open(fresh)
    if (this.#running === undefined) throw new AppError('storage.damaged', 'What was put in place is damaged too.')
  }
}
