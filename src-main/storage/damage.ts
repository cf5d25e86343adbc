import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import { listBackups } from './backup-names'
import type { Damage, DamageKind } from './contract'
import { isDamageError } from './damage-error'
import { isJournalBroken } from './journal-check'
import { openForReading } from './read-only'

export const DATABASE_FILE = 'strata.sqlite'

/** What belongs to one database: the pages, the newest changes, and the map of those. */
export const filesOf = (file: string): string[] => [file, `${file}-wal`, `${file}-shm`]

/** Up to this many bytes a file is read whole before it is opened: some 50 ms (6 ms a megabyte, docs/benches.md). */
const SMALL_FILE = 8 * 1024 * 1024

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

/** How the files of a folder's database stand, for the words on the screen. */
export function describeDamage(dataDir: string, kind: DamageKind, finding?: string): Damage {
  const files = filesOf(join(dataDir, DATABASE_FILE)).filter((path) => existsSync(path) && !path.endsWith('-shm'))
  const stats = files.map((path) => statSync(path))
  const changedAt = stats
    .map(({ mtime }) => mtime.toISOString())
    .sort()
    .at(-1)
  return {
    kind,
    files: files.map((path) => path.slice(dataDir.length + 1)),
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    ...(changedAt === undefined ? {} : { changedAt }),
    ...(finding === undefined ? {} : { finding }),
    running: false,
  }
}

/** The error a start ends with, for hosts that can show no screen. The damage is in its details. */
export function damagedError(dataDir: string, damage: Damage): AppError {
  return new AppError(
    'storage.damaged',
    said`The chats in ${dataDir} are damaged. Nothing was changed. Restore a backup in the window, or look in the backups folder.`,
    { details: damage },
  )
}

/**
 * Things only a used folder has. An empty database beside them was not always empty. Only our own names count: the
 * folder may be one that holds other things too.
 */
export function wasUsed(dataDir: string): boolean {
  if (listBackups(dataDir).length > 0) return true
  if (sizeOf(`${join(dataDir, DATABASE_FILE)}-wal`) > 0) return true
  if (existsSync(join(dataDir, 'memory.lance'))) return true
  const attachments = join(dataDir, 'attachments')
  return existsSync(attachments) && readdirSync(attachments).some((name) => /^[0-9a-f]{2}$/.test(name))
}

/**
 * Looks at a folder's database before it is opened, and changes nothing. Cheap signs always; every page where the file is
 * small or `whole` is asked for. Undefined: nothing is wrong as far as was looked.
 */
export function findDamage(dataDir: string, options: { whole?: boolean } = {}): Damage | undefined {
  const file = join(dataDir, DATABASE_FILE)
  const size = sizeOf(file)
  if (existsSync(file) && !statSync(file).isFile()) return describeDamage(dataDir, 'not-a-database')
  // SQLite takes an empty file for a new database, and throws its journal away
  if (size === 0) return wasUsed(dataDir) ? describeDamage(dataDir, existsSync(file) ? 'empty' : 'missing') : undefined
  if (!hasHeader(file)) return describeDamage(dataDir, 'not-a-database')
  const whole = options.whole === true || size <= SMALL_FILE
  const finding = checkPages(file, whole)
  if (finding !== undefined) return describeDamage(dataDir, 'pages', finding)
  if (isJournalBroken(`${file}-wal`)) return describeDamage(dataDir, 'journal')
  return undefined
}

/** The first sixteen bytes of every database. */
export function hasHeader(file: string): boolean {
  const head = Buffer.alloc(16)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, head, 0, 16, 0)
  } finally {
    closeSync(handle)
  }
  return head.toString('latin1') === 'SQLite format 3\0'
}

/**
 * What is wrong with a file's pages; undefined for nothing. Reads only, one table after the other, so that nobody waits
 * for the whole. @throws what is no damage: a folder without rights, a full disk
 */
export function checkPages(file: string, whole: boolean): string | undefined {
  let reader: ReturnType<typeof openForReading> | undefined
  try {
    reader = openForReading(file)
    const { database } = reader
    const tables = database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
    if (!whole) return undefined
    for (const { name } of [{ name: 'sqlite_schema' }, ...tables]) {
      const found = database.prepare<[], { quick_check: string }>(`PRAGMA quick_check("${name.replaceAll('"', '""')}")`)
      const lines = found.all().map((row) => row.quick_check)
      if (lines[0] !== 'ok') return lines.slice(0, 3).join('; ')
    }
    return undefined
  } catch (error) {
    if (isDamageError(error)) return error instanceof Error ? error.message : String(error)
    throw error
  } finally {
    reader?.close()
  }
}
