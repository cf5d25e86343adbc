import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import { forgetFiles, keepFiles, returnFiles } from './backup-files'
import { backupFolder, freeName, listBackups } from './backup-names'
import type { FileLooks } from './check-files'
import type { Backup, BackupEvents, backupCalls } from './contract'
import { checkPages, findDamage } from './damage'
import { isDamageError } from './damage-error'
import type { WriteDatabase } from './database'
import { openForReading } from './read-only'
import { freeAside, moveAside } from './set-aside'

/** Waits in the data folder until the next start swaps it in. */
export const STAGED_FILE = 'restore-at-next-start.sqlite'

/** Automatic backups kept; the ones a person made are never removed. */
const AUTOMATIC_KEPT = 10

/**
 * Copies the open database, whatever is being written meanwhile, and keeps the files its rows name. The file gets its
 * name only when it is whole.
 */
export async function writeBackup(
  database: WriteDatabase,
  options: { dataDir: string; nowIso: string; reason: Backup['reason'] },
): Promise<Backup> {
  const folder = backupFolder(options.dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const id = freeName(folder, options.reason, options.nowIso)
  const partial = join(folder, `${id}.part`)
  try {
    // there before SQLite writes it: for this account only
    closeSync(openSync(partial, 'w', 0o600))
    await database.backup(partial)
    // after the database: files that came meanwhile are too many, none is missing
    await keepFiles(options.dataDir, folder, id)
    await rename(partial, join(folder, `${id}.sqlite`))
  } finally {
    await rm(partial, { force: true })
  }
  if (options.reason !== 'manual') await forgetOldest(options.dataDir, id)
  const fileName = `${id}.sqlite`
  const file = statSync(join(folder, fileName))
  return { id, fileName, bytes: file.size, createdAt: file.mtime.toISOString(), reason: options.reason }
}

/** The newest stay. A copy of a damaged database takes no place from a whole one: it makes none go. */
async function forgetOldest(dataDir: string, newId: string): Promise<void> {
  const folder = backupFolder(dataDir)
  if (checkPages(join(folder, `${newId}.sqlite`), true) !== undefined) return
  const automatic = listBackups(dataDir).filter((backup) => backup.reason !== 'manual')
  for (const old of automatic.slice(AUTOMATIC_KEPT)) {
    await rm(join(folder, old.fileName), { force: true })
    await forgetFiles(folder, old.id)
  }
}

/** A file that opens, is whole, and was written by this app. */
export function isWholeBackup(file: string): boolean {
  let reader: ReturnType<typeof openForReading> | undefined
  try {
    if (checkPages(file, true) !== undefined) return false
    reader = openForReading(file)
    const ours = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'"
    return reader.database.prepare(ours).get() !== undefined
  } catch (error) {
    if (isDamageError(error)) return false
    throw error
  } finally {
    reader?.close()
  }
}

const unreadable = (): AppError =>
  new AppError('import.unreadable', 'This backup is damaged and was not staged. Choose another one.')

/** Puts a copy in place for the next start. Nothing in use is touched. @throws not_found, import.unreadable */
export async function stageRestore(dataDir: string, id: string): Promise<void> {
  const backup = listBackups(dataDir).find((known) => known.id === id)
  if (!backup) throw new AppError('not_found', 'This backup does not exist any more. Reload the list of backups.')
  const source = join(backupFolder(dataDir), backup.fileName)
  if (!isWholeBackup(source)) throw unreadable()
  // they stay: the next start looks for loose files only after the rows that name these are there
  await returnFiles(dataDir, backupFolder(dataDir), id)
  const staged = join(dataDir, STAGED_FILE)
  await copyFile(source, `${staged}.part`)
  await rename(`${staged}.part`, staged)
}

/**
 * At start, before anything opens the database: backs up what is there, or sets it aside where it is damaged, then swaps
 * the staged file in. A crash at any point leaves the staged file where it is, and the next start does it again. A staged
 * file that is damaged itself is set aside, and what is there stays.
 */
export async function swapStaged(dataDir: string, file: string, nowIso: string): Promise<boolean> {
  const staged = join(dataDir, STAGED_FILE)
  if (!existsSync(staged)) return false
  if (!isWholeBackup(staged)) {
    await rename(staged, freeAside(dataDir, nowIso))
    return false
  }
  if (!(await saveReplaced(dataDir, file, nowIso))) await moveAside(dataDir, nowIso)
  // the journal belongs to the file that goes
  await rm(`${file}-wal`, { force: true })
  await rm(`${file}-shm`, { force: true })
  await rename(staged, file)
  return true
}

/** False when there is nothing whole to save. */
async function saveReplaced(dataDir: string, file: string, nowIso: string): Promise<boolean> {
  if (findDamage(dataDir, { whole: true }) !== undefined) return false
  if (!existsSync(file)) return true
  const database = new BetterSqlite3(file)
  try {
    await writeBackup(database, { dataDir, nowIso, reason: 'before-restore' })
    return true
  } finally {
    database.close()
  }
}

export interface BackupDeps {
  database: WriteDatabase
  dataDir: string
  /** Milliseconds since 1970. */
  now: () => number
  emit: (name: 'backups.changed', payload: BackupEvents['backups.changed']) => void
  /** Reads the files themselves, for a list that says what they hold. */
  looks: FileLooks
}

export function backupHandlers({ database, dataDir, now, emit, looks }: BackupDeps): Handlers<typeof backupCalls> {
  return {
    'backups.create': async () => {
      const nowIso = new Date(now()).toISOString()
      const backup = await writeBackup(database, { dataDir, nowIso, reason: 'manual' })
      emit('backups.changed', { ids: [backup.id] })
      return backup
    },
    'backups.list': ({ checked }) => (checked ? looks.checkedBackups(dataDir) : listBackups(dataDir)),
    'backups.restore': async ({ id }) => {
      await stageRestore(dataDir, id)
      emit('backups.changed', { ids: [id] })
      return { staged: true, restartNeeded: true }
    },
  }
}
