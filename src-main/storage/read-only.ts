import { existsSync, rmSync, statSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import type { WriteDatabase } from './database'

/** Opens a file for reading. `close` takes away the journal SQLite puts beside a file even for that, if it made one. */
export function openForReading(file: string): { database: WriteDatabase; close(): void } {
  const journal = `${file}-wal`
  const existed = existsSync(journal)
  const tidy = () => {
    if (existed || !existsSync(journal) || statSync(journal).size > 0) return
    for (const path of [journal, `${file}-shm`]) rmSync(path, { force: true })
  }
  try {
    const database = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
    return {
      database,
      close() {
        database.close()
        tidy()
      },
    }
  } catch (error) {
    tidy()
    throw error
  }
}
