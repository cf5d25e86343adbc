import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What other accounts of this computer may still read, and why it could not be changed. */
export interface OpenRights {
  /** Names within the data folder. */
  files: string[]
  /** `refused`: the system said no. `not-ours`: another account owns them. `no-rights`: the disk keeps no such rights. */
  reason: 'refused' | 'not-ours' | 'no-rights'
}

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077

/** Files and folders of ours at the top of a data folder. Everything else there is somebody else's. */
const OWN_FILE =
  /^(strata|lock|restore-at-next-start|rescue-reads|strata\.damaged-[\dTZ-]+)\.sqlite(-wal|-shm|-journal|\.part)?$|^(keys\.secret|holder\.json|window\.json)$/
const OWN_FOLDERS = new Set(['attachments', 'backups', 'browser', 'logs', 'memory.lance'])

const isOwn = (name: string, isFolder: boolean): boolean => (isFolder ? OWN_FOLDERS.has(name) : OWN_FILE.test(name))

function reasonOf(error: unknown, uid: number): OpenRights['reason'] {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EPERM' && uid !== process.getuid?.()) return 'not-ours'
  return code === 'ENOTSUP' || code === 'ENOSYS' ? 'no-rights' : 'refused'
}

/**
 * Takes the rights of other accounts off our own files at the top of a data folder and off our folders, which closes all
 * that is in them. Links are left alone, and so is every name that is not ours. Nothing on Windows, where the rights of
 * the account's own folder hold. Undefined when nothing is left open.
 */
export function closeToOthers(dataDir: string): OpenRights | undefined {
  if (process.platform === 'win32' || !existsSync(dataDir)) return undefined
  let open: OpenRights | undefined
  const stays = (name: string, reason: OpenRights['reason']) => {
    open = { files: [...(open?.files ?? []), name], reason: open?.reason ?? reason }
  }
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    const before = lstatSync(path, { throwIfNoEntry: false })
    if (!before || before.isSymbolicLink() || !isOwn(name, before.isDirectory())) continue
    if ((before.mode & OTHERS) === 0) continue
    try {
      chmodSync(path, before.isDirectory() ? FOLDER_MODE : FILE_MODE)
      // some disks take the change and forget it
      if ((lstatSync(path).mode & OTHERS) !== 0) stays(name, 'no-rights')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue
      stays(name, reasonOf(error, before.uid))
    }
  }
  return open
}

/**
 * The same for everything within our folders. They are closed already, so this may take its time, and what it cannot
 * change is out of others' reach all the same.
 */
export async function closeInside(dataDir: string): Promise<void> {
  if (process.platform === 'win32') return
  for (const name of OWN_FOLDERS) {
    // the browser keeps its own profile closed
    if (name !== 'browser') await closeFolder(join(dataDir, name))
  }
}

async function closeFolder(folder: string): Promise<void> {
  const own = await lstat(folder).catch(() => undefined)
  if (!own?.isDirectory()) return
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await closeFolder(path)
    const mode = entry.isDirectory() ? FOLDER_MODE : FILE_MODE
    const now = entry.isDirectory() || entry.isFile() ? await lstat(path).catch(() => undefined) : undefined
    if (now && (now.mode & OTHERS) !== 0) await chmod(path, mode).catch(() => undefined)
  }
}
