import BetterSqlite3 from 'better-sqlite3'
import type { Migration, WriteDatabase } from '../storage/database'
import { migrate } from '../storage/open-database'

/** A real SQLite database in memory that went through the given migrations. */
export function memoryDatabase(migrations: readonly Migration[] = []): WriteDatabase {
  const database = new BetterSqlite3(':memory:')
  database.pragma('foreign_keys = ON')
  migrate(database, migrations, () => '2026-11-30T12:00:00.000Z')
  return database
}
