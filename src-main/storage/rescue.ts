import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { AppError } from '../ipc/app-error'
import { STAGED_FILE } from './backups'
import { DATABASE_FILE, hasHeader } from './damage'
import { isDamageError } from './damage-error'
import type { Migration, WriteDatabase } from './database'
import { migrate } from './open-database'
import { openForReading } from './read-only'
import { rowBatches } from './rescue-rows'

export interface RescueOptions {
  dataDir: string
  migrations: readonly Migration[]
  nowIso: () => string
  /** Puts what the rooms know about their rows in order, after the copying and before the file is used. */
  mend: (database: WriteDatabase) => void
}

/**
 * Copies every row that can be read into a new file of today's tables, and stages it for the next start. The damaged file
 * is only read. Returns the tables some rows of which are lost. @throws storage.damaged when nothing can be read
 */
export async function stageRescue(options: RescueOptions): Promise<string[]> {
  const staged = join(options.dataDir, STAGED_FILE)
  const partial = `${staged}.part`
  const reader = openReader(options.dataDir)
  await rm(partial, { force: true })
  const target = new BetterSqlite3(partial)
  try {
    migrate(target, options.migrations, options.nowIso)
    target.pragma('foreign_keys = OFF')
    const incomplete: string[] = []
    for (const table of plainTables(target)) {
      if (!(await copyTable(reader.database, target, table))) incomplete.push(table)
    }
    options.mend(target)
    detachOrphans(target)
    target.close()
    await rename(partial, staged)
    return incomplete
  } finally {
    if (target.open) target.close()
    reader.close()
    await rm(partial, { force: true })
  }
}

/** A file whose first bytes alone are wrong is read through a copy with the right ones. */
function openReader(dataDir: string): { database: WriteDatabase; close(): void } {
  const file = join(dataDir, DATABASE_FILE)
  const copy = join(dataDir, 'rescue-reads.sqlite')
  let source = file
  if (!hasHeader(file)) {
    copyFileSync(file, copy)
    const handle = openSync(copy, 'r+')
    writeSync(handle, Buffer.from('SQLite format 3\0', 'latin1'), 0, 16, 0)
    closeSync(handle)
    source = copy
  }
  const remove = () => Promise.all([copy, `${copy}-wal`, `${copy}-shm`].map((path) => rm(path, { force: true })))
  try {
    const reader = openForReading(source)
    if (plainTables(reader.database).length === 0) throw nothingReadable(undefined)
    return {
      database: reader.database,
      close() {
        reader.close()
        void remove()
      },
    }
  } catch (error) {
    void remove()
    throw isDamageError(error) ? nothingReadable(error) : error
  }
}

const nothingReadable = (cause: unknown): AppError =>
  new AppError(
    'storage.damaged',
    'Nothing in this file can be read. Restore a backup, or go on without the old chats.',
    {
      cause,
    },
  )

/** Tables with rows of their own; a search index is made anew from them. The history of the new file is its own. */
function plainTables(database: WriteDatabase): string[] {
  return database
    .prepare<[], { name: string }>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'migration'
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all()
    .map((row) => row.name)
}

const columnsOf = (database: WriteDatabase, table: string): string[] =>
  (database.pragma(`table_info("${table}")`) as { name: string }[]).map((column) => column.name)

/** False when rows are lost. A table the damaged file never had lost nothing. */
async function copyTable(source: WriteDatabase, target: WriteDatabase, table: string): Promise<boolean> {
  const there = new Set(columnsOf(source, table))
  const columns = columnsOf(target, table).filter((name) => there.has(name))
  if (columns.length === 0) return true
  const names = columns.map((name) => `"${name}"`).join(', ')
  // what the migrations put in gives way to what the person had
  target.prepare(`DELETE FROM "${table}"`).run()
  const insert = target.prepare(
    `INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  let complete = true
  const put = target.transaction((rows: readonly unknown[][]) => {
    for (const row of rows) if (!isStored(insert, row)) complete = false
  })
  for (const batch of rowBatches(source, table, names)) {
    if (batch === 'lost') complete = false
    else put(batch)
    await nextTurn()
  }
  return complete
}

/** A damaged value may fit no column. A row that is there already was read from both sides. */
function isStored(insert: BetterSqlite3.Statement<unknown[]>, row: readonly unknown[]): boolean {
  try {
    insert.run(...row)
    return true
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) return false
    throw error
  }
}

/** Rows that name lost ones: the name is taken out where it may be absent, else the row goes too. */
function detachOrphans(database: WriteDatabase): void {
  interface Broken {
    table: string
    rowid: number | null
    fkid: number
  }
  for (let round = 0; round < 20; round += 1) {
    const broken = database.pragma('foreign_key_check') as Broken[]
    if (broken.length === 0) return
    database.transaction(() => {
      for (const { table, rowid, fkid } of broken) detach(database, table, rowid, fkid)
    })()
  }
}

function detach(database: WriteDatabase, table: string, rowid: number | null, fkid: number): void {
  const keys = database.pragma(`foreign_key_list("${table}")`) as {
    id: number
    table: string
    from: string
    to: string
  }[]
  const key = keys.find(({ id }) => id === fkid)
  if (!key) return
  const columns = database.pragma(`table_info("${table}")`) as { name: string; notnull: number }[]
  const mayBeAbsent = columns.some(({ name, notnull }) => name === key.from && notnull === 0)
  const orphan = `"${key.from}" IS NOT NULL AND "${key.from}" NOT IN (SELECT "${key.to ?? 'rowid'}" FROM "${key.table}")`
  const where = rowid === null ? orphan : 'rowid = ?'
  const bind = rowid === null ? [] : [rowid]
  if (mayBeAbsent) database.prepare(`UPDATE "${table}" SET "${key.from}" = NULL WHERE ${where}`).run(...bind)
  else database.prepare(`DELETE FROM "${table}" WHERE ${where}`).run(...bind)
}
