import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../ipc/app-error'
import type { Migration, WriteDatabase } from './database'

export interface OpenedDatabase {
  database: WriteDatabase
  /** Set when the file was written by a newer version: everything can be read, nothing written. */
  readOnlyReason?: string
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
}

/** Opening errors in words people can act on. */
function openingError(error: unknown, file: string): AppError {
  const text = error instanceof Error ? error.message : String(error)
  if (/full|ENOSPC/i.test(text)) {
    return new AppError('storage.full', `The disk that holds ${file} is full. Free some space and start again.`, {
      cause: error,
    })
  }
  if (/locked|busy/i.test(text)) {
    return new AppError('storage.locked', `Another program is using ${file}. Close it and start again.`, {
      cause: error,
    })
  }
  return new AppError(
    'internal',
    `${file} could not be opened: ${text}. A copy may lie in the backups folder beside it.`,
    { cause: error },
  )
}

/**
 * Opens `<dataDir>/strata.sqlite`, brings it up to date and leaves a backup file beside it before any migration.
 * A file that knows migrations this version does not is opened read-only.
 */
export async function openDatabase(options: {
  dataDir: string
  migrations: readonly Migration[]
  nowIso: () => string
}): Promise<OpenedDatabase> {
  const file = join(options.dataDir, 'strata.sqlite')
  const names = options.migrations.map((migration) => migration.name)
  if (new Set(names).size !== names.length) throw new Error('Two migrations share a name.')
  try {
    mkdirSync(options.dataDir, { recursive: true })
    const existed = existsSync(file)
    const database = new BetterSqlite3(file)
    const applied = appliedNames(database)
    const unknown = [...applied].filter((name) => !names.includes(name))
    if (unknown.length > 0) {
      database.close()
      const readOnly = new BetterSqlite3(file, { readonly: true })
      readOnly.pragma('foreign_keys = ON')
      return {
        database: readOnly,
        readOnlyReason: `This data folder was written by a newer version of Strata (${unknown.join(', ')}). It is opened for reading only; install the newer version to write.`,
      }
    }
    configure(database)
    const pending = options.migrations.filter((migration) => !applied.has(migration.name))
    if (existed && applied.size > 0 && pending.length > 0)
      await backupBefore(database, options.dataDir, options.nowIso())
    migrate(database, pending, options.nowIso)
    return { database }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw openingError(error, file)
  }
}

async function backupBefore(database: WriteDatabase, dataDir: string, nowIso: string): Promise<void> {
  const folder = join(dataDir, 'backups')
  mkdirSync(folder, { recursive: true })
  await database.backup(join(folder, `before-migration-${nowIso.replaceAll(/[:.]/g, '-')}.sqlite`))
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
