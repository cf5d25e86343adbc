import type { Migration } from '../storage/database'

export const toolMigrations: readonly Migration[] = [
  {
    name: 'tools/001-tools',
    up(database) {
      database.exec(`
        -- What a person set for one tool; no row = as shipped.
        CREATE TABLE tool_setting (
          tool_id TEXT PRIMARY KEY, enabled INTEGER, policy TEXT CHECK (policy IN ('ask', 'allow', 'deny')), description TEXT
        ) STRICT;
        CREATE TABLE mcp_server (
          id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
          transport TEXT NOT NULL,    -- JSON; secret values are replaced by '' and kept in the key store
          secret_names TEXT NOT NULL, -- JSON array
          selected INTEGER NOT NULL, enabled INTEGER NOT NULL, created_at TEXT NOT NULL
        ) STRICT;
        CREATE TABLE command_tool (
          id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, schema TEXT NOT NULL, argv TEXT NOT NULL,
          working_folder TEXT, env TEXT NOT NULL, timeout_seconds REAL NOT NULL, output_limit INTEGER NOT NULL,
          enabled INTEGER NOT NULL, created_at TEXT NOT NULL
        ) STRICT;
      `)
    },
  },
  {
    name: 'tools/002-known-tools',
    up(database) {
      // JSON: what the server listed last; its tools stay configured, with a reason, while it is down.
      database.exec('ALTER TABLE mcp_server ADD COLUMN known_tools TEXT')
    },
  },
  {
    name: 'tools/003-command-secrets',
    up(database) {
      // JSON array of names in env; NULL = from before they were told apart.
      database.exec('ALTER TABLE command_tool ADD COLUMN secret_names TEXT')
    },
  },
  {
    name: 'tools/004-approvals',
    up(database) {
      database.exec(`
        -- What a person allowed: a permission holds for this definition and no other.
        CREATE TABLE tool_approval (
          tool_id TEXT NOT NULL,
          scope TEXT NOT NULL,       -- '' = every chat, else the id of one
          definition TEXT NOT NULL,  -- JSON: name, description, schema, transport; secrets as dots
          fingerprint TEXT NOT NULL,
          at TEXT NOT NULL,
          PRIMARY KEY (tool_id, scope)
        ) STRICT, WITHOUT ROWID;
      `)
    },
  },
]
