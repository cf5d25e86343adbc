import type { Migration } from '../storage/database'

export const settingsMigrations: readonly Migration[] = [
  {
    name: 'settings/001-tables',
    up: (database) =>
      database.exec('CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID'),
  },
]
