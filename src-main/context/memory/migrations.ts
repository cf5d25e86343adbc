import type { Migration } from '../../storage/database'

export const memoryMigrations: readonly Migration[] = [
  {
    name: 'memory/001-tables',
    up(database) {
      database.exec(`
        CREATE TABLE memory (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          text TEXT NOT NULL,
          normal_hash TEXT NOT NULL,
          kind TEXT NOT NULL,
          source_kind TEXT NOT NULL,
          session_id TEXT,
          message_id TEXT,
          quote TEXT,
          importance REAL NOT NULL,
          confidence REAL NOT NULL,
          entities TEXT NOT NULL,
          valid_from TEXT,
          valid_until TEXT,
          superseded_by TEXT,
          archived INTEGER NOT NULL DEFAULT 0,
          revision INTEGER NOT NULL DEFAULT 1,
          text_revision INTEGER NOT NULL DEFAULT 1,
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL,
          access_count INTEGER NOT NULL DEFAULT 0,
          last_access_at TEXT
        ) STRICT;
        CREATE INDEX memory_by_normal ON memory (normal_hash);
        CREATE INDEX memory_by_session ON memory (session_id, seq) WHERE session_id IS NOT NULL;

        CREATE TABLE memory_history (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          memory_id TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
          revision INTEGER NOT NULL,
          at TEXT NOT NULL,
          action TEXT NOT NULL,
          before TEXT,
          after TEXT NOT NULL
        ) STRICT;
        CREATE INDEX memory_history_by_memory ON memory_history (memory_id, seq);

        CREATE TABLE memory_space (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          provider TEXT NOT NULL,
          base_url TEXT NOT NULL,
          model TEXT NOT NULL,
          recipe TEXT NOT NULL,
          dimensions INTEGER NOT NULL,
          sentinel BLOB NOT NULL,
          middle BLOB,
          threshold REAL,
          threshold_note TEXT NOT NULL DEFAULT '',
          label TEXT NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('building', 'serving')),
          created_at TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX memory_space_serving ON memory_space (state) WHERE state = 'serving';

        CREATE TABLE memory_vec (
          space INTEGER NOT NULL REFERENCES memory_space (id) ON DELETE CASCADE,
          memory_id TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
          chunk INTEGER NOT NULL,
          revision INTEGER NOT NULL,
          channel TEXT NOT NULL,
          vector BLOB,
          gloss TEXT,
          PRIMARY KEY (space, memory_id, chunk)
        ) STRICT;
        CREATE INDEX memory_vec_by_memory ON memory_vec (memory_id);

        CREATE TABLE memory_outbox (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          memory_id TEXT NOT NULL,
          revision INTEGER NOT NULL,
          operation TEXT NOT NULL CHECK (operation IN ('upsert', 'delete')),
          attempts INTEGER NOT NULL DEFAULT 0,
          last_error TEXT
        ) STRICT;
        CREATE INDEX memory_outbox_by_memory ON memory_outbox (memory_id);

        CREATE TABLE memory_use (
          memory_id TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
          message_id TEXT NOT NULL,
          session_id TEXT NOT NULL,
          use TEXT NOT NULL,
          at TEXT NOT NULL,
          rank INTEGER NOT NULL,
          score REAL NOT NULL,
          PRIMARY KEY (memory_id, message_id, use)
        ) STRICT;
        CREATE INDEX memory_use_by_message ON memory_use (message_id);

        CREATE TABLE memory_suggestion (
          id TEXT PRIMARY KEY,
          kind TEXT NOT NULL,
          memory_id TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
          other_id TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
          similarity REAL NOT NULL,
          created_at TEXT NOT NULL,
          settled TEXT,
          UNIQUE (memory_id, other_id)
        ) STRICT;
        CREATE INDEX memory_suggestion_by_other ON memory_suggestion (other_id);
      `)
    },
  },
  {
    name: 'memory/002-proposals',
    up(database) {
      database.exec(`
        CREATE TABLE memory_proposal (
          id TEXT PRIMARY KEY,
          normal_hash TEXT NOT NULL UNIQUE,
          text TEXT NOT NULL,          -- '' once declined: only the fingerprint stays
          kind TEXT NOT NULL,
          quote TEXT NOT NULL,
          importance REAL NOT NULL,
          confidence REAL NOT NULL,
          entities TEXT NOT NULL,
          session_id TEXT NOT NULL,
          message_id TEXT NOT NULL,
          created_at TEXT NOT NULL,
          declined INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX memory_proposal_by_session ON memory_proposal (session_id);
        CREATE TABLE memory_read_message (
          message_id TEXT PRIMARY KEY,
          session_id TEXT NOT NULL,
          at TEXT NOT NULL
        ) STRICT;
        CREATE INDEX memory_read_message_by_session ON memory_read_message (session_id);
      `)
    },
  },
  {
    // Counting a hundred thousand rows must not read their words and vectors.
    name: 'memory/003-counting',
    up(database) {
      database.exec(`
        CREATE INDEX memory_by_standing ON memory (archived, superseded_by, valid_until, valid_from, kind);
        CREATE INDEX memory_by_until ON memory (valid_until) WHERE valid_until IS NOT NULL;
        CREATE INDEX memory_by_from ON memory (valid_from) WHERE valid_from IS NOT NULL;
        CREATE INDEX memory_by_revision ON memory (id, text_revision);
        CREATE INDEX memory_vec_by_revision ON memory_vec (space, memory_id, revision);
        CREATE INDEX memory_vec_with_vector ON memory_vec (space, channel, memory_id) WHERE vector IS NOT NULL;
      `)
    },
  },
  {
    // Deleting a memory asks which ones it replaced; the newest uses are listed by time.
    name: 'memory/004-lookups',
    up(database) {
      database.exec(`
        CREATE INDEX memory_by_successor ON memory (superseded_by) WHERE superseded_by IS NOT NULL;
        CREATE INDEX memory_use_by_time ON memory_use (at);
      `)
    },
  },
]
