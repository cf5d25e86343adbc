import { z } from 'zod'
import { type CallMap, call } from '../ipc/contract'

export interface Backup {
  id: string
  fileName: string
  bytes: number
  createdAt: string
  reason: 'manual' | 'migration' | 'before-restore'
}

export const backupCalls = {
  'backups.create': call<Backup>()(z.strictObject({})),
  'backups.list': call<Backup[]>()(z.strictObject({})),
  /** Staged now, swapped in at the next start. */
  'backups.restore': call<{ staged: true; restartNeeded: true }>()(z.strictObject({ id: z.string() })),
} satisfies CallMap

export interface BackupEvents {
  'backups.changed': { ids: string[] }
}
