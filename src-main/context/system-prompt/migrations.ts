import type { Migration } from '../../storage/database'

const TABLE = `
  CREATE TABLE system_prompt (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    is_default INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX system_prompt_one_default ON system_prompt (is_default) WHERE is_default = 1;
`

export const systemPromptMigrations: readonly Migration[] = [
  { name: 'system-prompt/001-table', up: (database) => database.exec(TABLE) },
]
