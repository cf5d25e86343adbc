import type { Migration } from '../../storage/database'

export const userProfileMigrations: readonly Migration[] = [
  {
    name: 'user-profile/001-profile',
    up(database) {
      database.exec(`
        CREATE TABLE user_profile (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          content TEXT NOT NULL,      -- JSON: overview and facts
          updated_at TEXT,
          edited_day TEXT,            -- local day of the last manual edit: the model keeps its hands off that day
          generated_day TEXT,         -- local day of the last generated change
          last_error TEXT
        ) STRICT;
        INSERT INTO user_profile (id, content) VALUES (1, '{"overview":"","facts":[]}');
        CREATE TABLE user_profile_change (
          id TEXT PRIMARY KEY, at TEXT NOT NULL, origin TEXT NOT NULL CHECK (origin IN ('model', 'user', 'revert')),
          before TEXT NOT NULL, after TEXT NOT NULL, reverted INTEGER NOT NULL DEFAULT 0
        ) STRICT;
      `)
    },
  },
]
