import type { Logger } from 'pino'
import type { EventMessage, Reply } from './ipc/contract'

/** What a host (the desktop window, the web server) sees of the app: calls in, events out, one way to stop. */
export interface RunningApp {
  /** Never rejects: unknown names, bad input and bugs are replies. */
  call(name: unknown, input: unknown): Promise<Reply<unknown>>
  /** Returns the way to unsubscribe. */
  subscribe(listener: (event: EventMessage) => void): () => void
  /** Ends running turns (their partial text is kept), then closes the databases. */
  close(): Promise<void>
  /** Set when the data folder could only be opened for reading; words for people. */
  readonly readOnlyReason?: string
  readonly version: string
  readonly dataDir: string
}

/**
 * Encrypts API keys before they reach the disk. `os`: the system's key store. `file`: AES-256-GCM under a key in a file
 * only this account can read, which protects backups of the database but not against programs of the same account.
 * `memory`: nothing encrypted now can be read after the process ends.
 */
export interface KeyCipher {
  readonly kind: 'os' | 'file' | 'memory'
  encrypt(text: string): Promise<Uint8Array>
  /** Rejects when the bytes were made under another key, or were changed. */
  decrypt(bytes: Uint8Array): Promise<string>
  /**
   * Only where keys live in memory: the person agreed to a file. From then on `kind` is `file`; what was encrypted
   * before stays readable until the process ends, so store the keys once more.
   */
  readonly useFile?: () => Promise<void>
}

export interface AppOptions {
  dataDir: string
  host: 'desktop' | 'web'
  keyCipher: KeyCipher
  version: string
  /** Holds default prompts, locales and samples. */
  resourcesDir: string
  log: Logger
}

export type CreateApp = (options: AppOptions) => Promise<RunningApp>
