import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../ipc/app-error'
import { swapStaged, writeBackup } from './backups'
import { DATABASE_FILE, damagedError, describeDamage, findDamage } from './damage'
import { isDamageError } from './damage-error'
import type { Migration, WriteDatabase } from './database'
import { openWithoutRoom } from './open-without-room'
import { openingError } from './opening-error'

export interface OpenedDatabase {
  database: WriteDatabase
  /** Set when the file was written by a newer version: everything can be read, nothing written. */
  readOnlyReason?: string
  /** True when a backup chosen before this start was swapped in. */
  restored: boolean
}

const LEDGER = `CREATE TABLE IF NOT EXISTS migration (
  name TEXT PRIMARY KEY, applied_at TEXT NOT NULL
) STRICT`

/** Names the file already went through; empty for a fresh one. */
function appliedNames(database: WriteDatabase): Set<string> {
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'").get()
  if (!table) return new Set()
  return new Set(
    database
      .prepare<[], { name: string }>('SELECT name FROM migration')
      .all()
      .map((row) => row.name),
  )
}

function configure(database: WriteDatabase): void {
  database.pragma('journal_mode = WAL')
  database.pragma('foreign_keys = ON')
  database.pragma('synchronous = NORMAL')
  database.pragma('busy_timeout = 5000')
  // FAST would leave long texts readable on freed pages: what a person deletes is overwritten
  database.pragma('secure_delete = ON')
}

function checkNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`Two migrations are named ${twice}.`)
  const odd = names.find((name) => !/^[a-z0-9-]+\/\d{3}-[a-z0-9-]+$/.test(name))
  if (odd !== undefined) throw new Error(`The migration ${odd} is not named <room>/<nnn>-<what>.`)
}

/**
 * Opens `<dataDir>/strata.sqlite`, brings it up to date and leaves a backup file beside it before any migration.
 * A file that knows migrations this version does not is opened read-only. A backup staged for restoring is swapped in.
 * A damaged file is left as it is, and no new one is made over what is gone.
 * @throws storage.full, storage.locked, storage.damaged with a `Damage` in its details
 */
export async function openDatabase(options: {
  dataDir: string
  migrations: readonly Migration[]
  nowIso: () => string
  /** A new file is wanted though others in the folder say that there was one. */
  fresh?: boolean | undefined
}): Promise<OpenedDatabase> {
  const file = join(options.dataDir, DATABASE_FILE)
  checkNames(options.migrations.map((migration) => migration.name))
  try {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
    const restored = await swapStaged(options.dataDir, file, options.nowIso())
    if (!options.fresh) requireWhole(options.dataDir, {})
    return { ...(await openFile(file, options)), restored }
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isDamageError(error)) throw damagedError(options.dataDir, damageOf(options.dataDir, error))
    throw openingError(error, file)
  }
}

/** @throws storage.damaged */
function requireWhole(dataDir: string, look: { whole?: boolean }): void {
  const damage = findDamage(dataDir, look)
  if (damage) throw damagedError(dataDir, damage)
}

const damageOf = (dataDir: string, error: unknown) =>
  describeDamage(dataDir, 'pages', error instanceof Error ? error.message : String(error))

async function openFile(
  file: string,
  options: { dataDir: string; migrations: readonly Migration[]; nowIso: () => string },
): Promise<Omit<OpenedDatabase, 'restored'>> {
  const existed = existsSync(file)
  const database = openWithoutRoom(file)
  try {
    const applied = appliedNames(database)
    const known = new Set(options.migrations.map((migration) => migration.name))
    const unknown = [...applied].filter((name) => !known.has(name))
    if (unknown.length > 0) {
      database.close()
      return openReadOnly(file, unknown)
    }
    configure(database)
    const pending = options.migrations.filter((migration) => !applied.has(migration.name))
    if (existed && applied.size > 0 && pending.length > 0) {
      // a migration rewrites rows: never over pages that cannot be read
      requireWhole(options.dataDir, { whole: true })
      await writeBackup(database, { dataDir: options.dataDir, nowIso: options.nowIso(), reason: 'migration' })
    }
    migrate(database, pending, options.nowIso)
    return { database }
  } catch (error) {
    if (database.open) database.close()
    throw error
  }
}

function openReadOnly(file: string, unknown: readonly string[]): Omit<OpenedDatabase, 'restored'> {
  const database = new BetterSqlite3(file, { readonly: true })
  database.pragma('foreign_keys = ON')
  return {
    database,
    readOnlyReason: `This data folder was written by a newer version of Strata (${unknown.join(', ')}). It is opened for reading only; install the newer version to write.`,
  }
}

/** Each migration commits on its own with its ledger row: a crash between two leaves a usable file. */
export function migrate(database: WriteDatabase, pending: readonly Migration[], nowIso: () => string): void {
  database.exec(LEDGER)
  const record = database.prepare('INSERT INTO migration (name, applied_at) VALUES (?, ?)')
  for (const migration of pending) {
    database.transaction(() => {
      migration.up(database)
      record.run(migration.name, nowIso())
    })()
  }
}
