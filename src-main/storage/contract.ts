import { z } from 'zod'
import { type CallMap, call } from '../ipc/contract'

export interface Backup {
  id: string
  fileName: string
  bytes: number
  createdAt: string
  reason: 'manual' | 'migration' | 'before-restore'
  /** Only in a list asked for with `checked`: whether every page of the file can be read. */
  state?: 'whole' | 'damaged'
  /** What is in it, where it could be read. */
  holds?: Holdings
}

export interface Holdings {
  chats: number
  messages: number
  /** When a chat was changed last; absent in an empty one. */
  newestAt?: string
}

/**
 * `missing` and `empty`: the file is gone or holds nothing, and other things in the folder say that there was one.
 * `journal`: the file of the newest changes is broken in its middle, the rest is whole.
 */
export type DamageKind = 'missing' | 'empty' | 'not-a-database' | 'pages' | 'journal'

/** What is wrong with the stored chats. Nothing was changed yet when this is told. */
export interface Damage {
  kind: DamageKind
  /** The files concerned, as far as they exist; names within the data folder. */
  files: string[]
  /** Of all of them together. */
  bytes: number
  /** When they were written last. */
  changedAt?: string
  /** What the database itself says, for a log or a report. */
  finding?: string
  /** True when the app runs on, over what can still be read; false when it waits for a decision before anything else. */
  running: boolean
}

/** What a rescue brought over. */
export interface Rescued {
  holds: Holdings
  /** Names of tables some rows of which could not be read. */
  incomplete: string[]
}

export const backupCalls = {
  'backups.create': call<Backup>()(z.strictObject({})),
  /** `checked` reads every file whole, which takes a moment: then `state` and `holds` are there. */
  'backups.list': call<Backup[]>()(z.strictObject({ checked: z.boolean().optional() })),
  /** Staged now, swapped in at the next start; at once (`restartNeeded` false) while the stored chats are damaged. */
  'backups.restore': call<{ staged: true; restartNeeded: boolean }>()(z.strictObject({ id: z.string() })),
} satisfies CallMap

/** Only while `app.info` tells of damage; `conflict` otherwise. Each keeps the damaged files beside the new one. */
export const recoveryCalls = {
  /** Copies every row that can be read into a new file and goes on with that. */
  'recovery.rescue': call<Rescued>()(z.strictObject({})),
  /** Goes on with no chats at all. */
  'recovery.start-fresh': call<{ keptAs: string[] }>()(z.strictObject({})),
} satisfies CallMap

export interface BackupEvents {
  'backups.changed': { ids: string[] }
  /** Damage was found while the app ran. */
  'storage.damaged': Damage
}
