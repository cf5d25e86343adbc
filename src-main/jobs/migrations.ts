import type { Migration } from '../storage/database'

export const jobMigrations: readonly Migration[] = [
  {
    name: 'jobs/001-tables',
    up: (database) =>
      database.exec(`
        CREATE TABLE job (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          kind TEXT NOT NULL,
          key TEXT,
          label TEXT NOT NULL,
          payload TEXT NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'done', 'failed', 'cancelled')),
          attempts INTEGER NOT NULL,
          max_attempts INTEGER NOT NULL,
          next_run_ms INTEGER NOT NULL,
          last_error TEXT,
          done INTEGER NOT NULL,
          total INTEGER NOT NULL,
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL
        ) STRICT;
        CREATE INDEX job_due ON job (next_run_ms, seq) WHERE state IN ('queued', 'waiting');
        CREATE UNIQUE INDEX job_key ON job (kind, key) WHERE key IS NOT NULL AND state IN ('queued', 'running', 'waiting');
      `),
  },
]
