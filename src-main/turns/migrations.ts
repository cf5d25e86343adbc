import type { Migration } from '../storage/database'
import { textStoreMigration } from './text-store'

export const turnMigrations: readonly Migration[] = [
  textStoreMigration,
  {
    name: 'turns/002-turns-and-records',
    up(database) {
      database.exec(`
        -- One user turn: what was frozen beside the user's message. No foreign keys: temporary chats live elsewhere.
        CREATE TABLE turn (
          id TEXT PRIMARY KEY, session_id TEXT NOT NULL, user_message_id TEXT, reply_message_id TEXT NOT NULL,
          trigger TEXT NOT NULL, model_id TEXT NOT NULL, seed INTEGER NOT NULL, started_at TEXT NOT NULL,
          frozen TEXT NOT NULL
        ) STRICT;
        CREATE INDEX turn_by_session ON turn (session_id);
        -- What was really sent for one answer, one row per model call.
        CREATE TABLE turn_record (
          message_id TEXT NOT NULL, round INTEGER NOT NULL, turn_id TEXT NOT NULL, session_id TEXT NOT NULL,
          sent_at TEXT NOT NULL, connection_id TEXT NOT NULL, model_id TEXT NOT NULL,
          ledger_root TEXT NOT NULL, body_root TEXT NOT NULL,
          sheet BLOB NOT NULL, -- deflated JSON: everything else that was known when it left
          outcome TEXT,        -- JSON: reported usage, timings, finish reason, error
          PRIMARY KEY (message_id, round)
        ) STRICT;
        CREATE INDEX turn_record_by_session ON turn_record (session_id, sent_at);
      `)
    },
  },
  {
    // Deleting a message asks for its turn, removing a text for what names it: without these each walks the table.
    name: 'turns/003-lookups',
    up(database) {
      database.exec(`
        CREATE INDEX turn_by_reply ON turn (reply_message_id);
        CREATE INDEX sent_source_by_hash ON sent_source (hash);
      `)
    },
  },
]
