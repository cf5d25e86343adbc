import type { Logger } from 'pino'
import type { OpenRights } from './host/private-files'
import type { EventMessage, Reply } from './ipc/contract'
import type { Said } from './ipc/said-contract'
import type { KeyCipher } from './settings/key-cipher'
import type { Damage } from './storage/contract'

/** What a host (the desktop window, the web server) sees of the app: calls in, events out, one way to stop. */
export interface RunningApp {
  /** Never rejects: unknown names, bad input and bugs are replies. */
  call(name: unknown, input: unknown): Promise<Reply<unknown>>
  /** Returns the way to unsubscribe. */
  subscribe(listener: (event: EventMessage) => void): () => void
  /** A failure nobody caught. True where it is the disk's, which is being looked after. Never throws. */
  noteStorage(error: unknown): boolean
  /** Says something in every open window. */
  tell(sentence: Said): void
  /** Ends running turns (their partial text is kept), then closes the databases. */
  close(): Promise<void>
  /** Set when the data folder could only be opened for reading; words for people. */
  readonly readOnlyReason?: string | undefined
  /** Set while the stored chats are damaged. */
  readonly damage?: Damage | undefined
  readonly version: string
  readonly dataDir: string
}

export interface AppOptions {
  dataDir: string
  host: 'desktop' | 'web'
  keyCipher: KeyCipher
  version: string
  /** Holds default prompts, locales and samples. */
  resourcesDir: string
  log: Logger
  /** Set by whoever can recover: what is known to be damaged, and whom to tell what the database said. */
  damage?: () => Damage | undefined
  onDamage?: (finding: string) => void
  /** Which files other accounts may still read. */
  openRights?: () => OpenRights | undefined
  /** A new database is wanted though the folder was used: the old files were set aside. */
  fresh?: boolean
  /** Milliseconds until a large file is looked through in the background. */
  lookAfterMs?: number
}
