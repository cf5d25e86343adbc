import type { Migration } from '../../storage/database'

export const recentConversationMigrations: readonly Migration[] = [
  {
    name: 'recent-conversations/001-summaries',
    up(database) {
      database.exec(`
        CREATE TABLE conversation_summary (
          session_id TEXT PRIMARY KEY,
          text TEXT NOT NULL,          -- '' while only a failure is known
          source TEXT NOT NULL CHECK (source IN ('model', 'user')),
          user_turns INTEGER NOT NULL,
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL,
          updated_ms INTEGER NOT NULL, -- the same instant, for sorting across zones
          last_error TEXT
        ) STRICT;
      `)
    },
  },
  {
    // 1 = made without what was written under isolation; of older ones nobody knows
    name: 'recent-conversations/002-without-isolated',
    up: (database) =>
      database.exec('ALTER TABLE conversation_summary ADD COLUMN without_isolated INTEGER NOT NULL DEFAULT 0'),
  },
]
