import { join } from 'node:path'
import { Thread } from '../ipc/thread'
import { backupFolder, listBackups } from './backup-names'
import type { CheckAnswer, CheckTask } from './check-task'
import bundled from './check-worker?modulePath'
import type { Backup } from './contract'

/** Reads database files whole on a thread of its own. */
export interface FileLooks {
  /** What is wrong with a file; undefined for nothing. */
  finding(file: string): Promise<string | undefined>
  /** The backups with `state` and `holds`. What was looked at once is remembered while the file stays as it is. */
  checkedBackups(dataDir: string): Promise<Backup[]>
  close(): Promise<void>
}

/** The thread is only needed now and then. */
const IDLE_MS = 5000

/** `counting` is the statement that counts what a file holds; its columns are those of `Holdings`. */
export function createFileLooks(counting: string): FileLooks {
  const thread = new Thread<CheckTask, CheckAnswer>({
    bundled,
    source: new URL('./check-worker.ts', import.meta.url),
    room: 'check-files',
    idleMs: IDLE_MS,
  })
  const known = new Map<string, CheckAnswer>()
  async function look(dataDir: string, backup: Backup): Promise<Backup> {
    const key = `${backup.id} ${backup.bytes} ${backup.createdAt}`
    const answer =
      known.get(key) ?? (await thread.ask({ file: join(backupFolder(dataDir), backup.fileName), counting }))
    known.set(key, answer)
    const { finding, holds } = answer
    const state = finding === undefined && holds !== undefined ? 'whole' : 'damaged'
    return { ...backup, state, ...(holds === undefined ? {} : { holds }) }
  }
  return {
    finding: async (file) => (await thread.ask({ file })).finding,
    async checkedBackups(dataDir) {
      const checked: Backup[] = []
      for (const backup of listBackups(dataDir)) checked.push(await look(dataDir, backup))
      return checked
    },
    close: () => thread.stop('Strata is closing.'),
  }
}
