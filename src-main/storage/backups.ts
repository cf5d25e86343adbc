import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import { forgetFiles, keepFiles, returnFiles } from './backup-files'
import type { Backup, BackupEvents, backupCalls } from './contract'
import type { WriteDatabase } from './database'

/** Waits in the data folder until the next start swaps it in. */
export const STAGED_FILE = 'restore-at-next-start.sqlite'

/** Automatic backups kept; the ones a person made are never removed. */
const AUTOMATIC_KEPT = 10

const PREFIXES = {
  manual: 'manual',
  migration: 'before-migration',
  'before-restore': 'before-restore',
} as const satisfies Record<Backup['reason'], string>

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

/** `before-migration-2026-11-30T12-00-00-000Z`; a number follows when the moment is taken. */
function freeName(folder: string, reason: Backup['reason'], nowIso: string): string {
  const base = `${PREFIXES[reason]}-${nowIso.replaceAll(/[^\dTZ-]/g, '-')}`
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!existsSync(join(folder, `${name}.sqlite`))) return name
  }
}

function reasonOf(name: string): Backup['reason'] | undefined {
  const reasons = Object.keys(PREFIXES) as Backup['reason'][]
  return reasons.find((reason) => name.startsWith(`${PREFIXES[reason]}-`))
}

/** Newest first. Files of other names are none of ours. */
export function listBackups(dataDir: string): Backup[] {
  const folder = backupFolder(dataDir)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((fileName) => {
      const id = fileName.endsWith('.sqlite') ? fileName.slice(0, -'.sqlite'.length) : ''
      const reason = reasonOf(id)
      if (!reason) return []
      const file = statSync(join(folder, fileName))
      return [{ id, fileName, bytes: file.size, createdAt: file.mtime.toISOString(), reason }]
    })
    .sort((a, b) => (a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id) ? 1 : -1))
}

/**
 * Copies the open database, whatever is being written meanwhile, and keeps the files its rows name. The file gets its
 * name only when it is whole.
 */
export async function writeBackup(
  database: WriteDatabase,
  options: { dataDir: string; nowIso: string; reason: Backup['reason'] },
): Promise<Backup> {
  const folder = backupFolder(options.dataDir)
  mkdirSync(folder, { recursive: true })
  const id = freeName(folder, options.reason, options.nowIso)
  const partial = join(folder, `${id}.part`)
  try {
    await database.backup(partial)
    // after the database: files that came meanwhile are too many, none is missing
    await keepFiles(options.dataDir, folder, id)
    await rename(partial, join(folder, `${id}.sqlite`))
  } finally {
    await rm(partial, { force: true })
  }
  if (options.reason !== 'manual') await forgetOldest(options.dataDir)
  const fileName = `${id}.sqlite`
  const file = statSync(join(folder, fileName))
  return { id, fileName, bytes: file.size, createdAt: file.mtime.toISOString(), reason: options.reason }
}

async function forgetOldest(dataDir: string): Promise<void> {
  const automatic = listBackups(dataDir).filter((backup) => backup.reason !== 'manual')
  const folder = backupFolder(dataDir)
  for (const old of automatic.slice(AUTOMATIC_KEPT)) {
    await rm(join(folder, old.fileName), { force: true })
    await forgetFiles(folder, old.id)
  }
}

/** A file that opens, is whole, and was written by this app. @throws import.unreadable */
function checkBackup(file: string): void {
  let database: WriteDatabase | undefined
  try {
    database = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
    const whole = database.pragma('quick_check(1)', { simple: true }) === 'ok'
    const ours = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'").get()
    if (whole && ours) return
  } catch (error) {
    throw unreadable(error)
  } finally {
    database?.close()
  }
  throw unreadable(undefined)
}

const unreadable = (cause: unknown): AppError =>
  new AppError('import.unreadable', 'This backup is damaged and was not staged. Choose another one.', { cause })

/** Puts a copy in place for the next start. Nothing in use is touched. @throws not_found, import.unreadable */
export async function stageRestore(dataDir: string, id: string): Promise<void> {
  const backup = listBackups(dataDir).find((known) => known.id === id)
  if (!backup) throw new AppError('not_found', 'This backup does not exist any more. Reload the list of backups.')
  const source = join(backupFolder(dataDir), backup.fileName)
  checkBackup(source)
  // they stay: the next start looks for loose files only after the rows that name these are there
  await returnFiles(dataDir, backupFolder(dataDir), id)
  const staged = join(dataDir, STAGED_FILE)
  await copyFile(source, `${staged}.part`)
  await rename(`${staged}.part`, staged)
}

/**
 * At start, before anything opens the database: backs up what is there, then swaps the staged file in. A crash at any
 * point leaves the staged file where it is, and the next start does it again.
 */
export async function swapStaged(dataDir: string, file: string, nowIso: string): Promise<boolean> {
  const staged = join(dataDir, STAGED_FILE)
  if (!existsSync(staged)) return false
  if (existsSync(file)) await saveReplaced(dataDir, file, nowIso)
  // the journal belongs to the file that goes
  await rm(`${file}-wal`, { force: true })
  await rm(`${file}-shm`, { force: true })
  await rename(staged, file)
  return true
}

async function saveReplaced(dataDir: string, file: string, nowIso: string): Promise<void> {
  try {
    const database = new BetterSqlite3(file)
    try {
      await writeBackup(database, { dataDir, nowIso, reason: 'before-restore' })
    } finally {
      database.close()
    }
  } catch (error) {
    const isDamaged = error instanceof Error && 'code' in error && /CORRUPT|NOTADB/.test(String(error.code))
    if (!isDamaged) throw error
    // a damaged database is often why somebody restores: its bytes are kept as they are
    const folder = backupFolder(dataDir)
    mkdirSync(folder, { recursive: true })
    await copyFile(file, join(folder, `${freeName(folder, 'before-restore', nowIso)}.sqlite`))
  }
}

export interface BackupDeps {
  database: WriteDatabase
  dataDir: string
  /** Milliseconds since 1970. */
  now: () => number
  emit: (name: 'backups.changed', payload: BackupEvents['backups.changed']) => void
}

export function backupHandlers({ database, dataDir, now, emit }: BackupDeps): Handlers<typeof backupCalls> {
  return {
    'backups.create': async () => {
      const nowIso = new Date(now()).toISOString()
      const backup = await writeBackup(database, { dataDir, nowIso, reason: 'manual' })
      emit('backups.changed', { ids: [backup.id] })
      return backup
    },
    'backups.list': () => listBackups(dataDir),
    'backups.restore': async ({ id }) => {
      await stageRestore(dataDir, id)
      emit('backups.changed', { ids: [id] })
      return { staged: true, restartNeeded: true }
    },
  }
}
