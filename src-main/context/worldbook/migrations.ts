import type { Migration } from '../../storage/database'

const TABLES = `
  CREATE TABLE worldbook (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    settings TEXT NOT NULL,
    extra TEXT NOT NULL,
    origin TEXT,
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE worldbook_entry (
    worldbook_id TEXT NOT NULL REFERENCES worldbook (id) ON DELETE CASCADE,
    entry_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    body TEXT NOT NULL,          -- the entry as JSON, without its id
    PRIMARY KEY (worldbook_id, entry_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX worldbook_entry_order ON worldbook_entry (worldbook_id, ordinal);
  CREATE TABLE worldbook_version (
    worldbook_id TEXT NOT NULL REFERENCES worldbook (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,    -- the one that was replaced
    saved_at TEXT NOT NULL,
    name TEXT NOT NULL,
    entries INTEGER NOT NULL,
    undo TEXT NOT NULL,          -- what the next version changed, as it was: head, entries, added ids, order
    PRIMARY KEY (worldbook_id, version)
  ) STRICT;
  CREATE TABLE worldbook_timers (
    session_id TEXT NOT NULL,
    message_id TEXT NOT NULL,    -- the answer whose turn set them: a sibling answer has its own
    timers TEXT NOT NULL,
    PRIMARY KEY (session_id, message_id)
  ) STRICT, WITHOUT ROWID;
`

/**
 * A large change writes the entries anew under a row of their own that nobody sees, and the book then points there; what
 * it pointed to before is kept as the version that was replaced.
 */
const ENTRY_SETS = `
  ALTER TABLE worldbook ADD COLUMN entry_set TEXT;          -- the row its entries stand under; NULL = itself
  ALTER TABLE worldbook ADD COLUMN set_of TEXT;             -- the book this row only holds entries for
  ALTER TABLE worldbook_version ADD COLUMN entry_set TEXT;  -- all its entries, where \`undo\` holds the head alone
  CREATE INDEX worldbook_set_of ON worldbook (set_of) WHERE set_of IS NOT NULL;
`

export const worldbookMigrations: readonly Migration[] = [
  { name: 'worldbook/001-tables', up: (database) => database.exec(TABLES) },
  { name: 'worldbook/002-entry-sets', up: (database) => database.exec(ENTRY_SETS) },
]
