import { z } from 'zod'
import { type CallMap, call, type ReplyError } from '../ipc/contract'

/** What keeps the app from writing, in the words of the error it causes. */
export interface StorageTrouble extends Pick<ReplyError, 'code' | 'message' | 'words'> {
  /** ISO 8601. */
  since: string
}

export interface StorageState {
  /** Null while everything can be written. */
  trouble: StorageTrouble | null
  /** Pieces of work kept in memory until there is room. */
  waiting: number
}

export const storageCalls = {
  'storage.state': call<StorageState>()(z.strictObject({})),
} satisfies CallMap

export interface StorageEvents {
  /** When writing begins to fail, and when it works again. */
  'storage.changed': StorageState
}
