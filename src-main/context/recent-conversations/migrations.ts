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
]
