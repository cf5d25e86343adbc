import BetterSqlite3 from 'better-sqlite3'
import type { WriteDatabase } from './database'
import { ailmentOf } from './storage-error'

const look = (database: WriteDatabase): void => {
  database.prepare('SELECT count(*) FROM sqlite_master').get()
}

/**
 * Opens a file also where the disk has no room for the small index SQLite makes beside its journal: then the index is
 * kept in memory, and no other program can open the file meanwhile. The folder is ours alone in any case.
 */
export function openWithoutRoom(file: string): WriteDatabase {
  const database = new BetterSqlite3(file)
  try {
    look(database)
    return database
  } catch (error) {
    database.close()
    const ailment = ailmentOf(error)
    const alone = ailment === 'full' || ailment === 'failing' ? openAlone(file) : undefined
    if (alone) return alone
    throw error
  }
}

function openAlone(file: string): WriteDatabase | undefined {
  const database = new BetterSqlite3(file)
  try {
    // must come before the journal is first looked at: then its index needs no file
    database.pragma('locking_mode = EXCLUSIVE')
    look(database)
    return database
  } catch {
    // the first failure says more
    database.close()
    return undefined
  }
}
