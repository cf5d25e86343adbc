import type { Migration, WriteDatabase } from '../storage/database'
import { ANSWER_PIECES } from './answer-pieces'
import { indexWholeSession } from './search/search-index'

const TABLES = `
  CREATE TABLE folder (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    parent_id TEXT REFERENCES folder (id),
    position REAL NOT NULL
  ) STRICT;
  CREATE TABLE tag (id TEXT PRIMARY KEY, name TEXT NOT NULL, colour TEXT NOT NULL) STRICT;
  CREATE TABLE session (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    title_source TEXT NOT NULL CHECK (title_source IN ('auto', 'model', 'user')),
    temporary INTEGER NOT NULL,
    folder_id TEXT REFERENCES folder (id) ON DELETE SET NULL,
    global_prompt_id TEXT,
    topic_prompt TEXT NOT NULL,
    enhanced_prompt TEXT,
    worldbook_ids TEXT NOT NULL,
    isolation INTEGER NOT NULL,
    model_id TEXT,
    history_limit INTEGER,
    layout TEXT,
    tool_choices TEXT NOT NULL,
    working_folder TEXT,
    summarise INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    removed_at TEXT,
    fork_session_id TEXT,
    fork_message_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    message_count INTEGER NOT NULL,
    snippet TEXT NOT NULL
  ) STRICT;
  CREATE INDEX session_order ON session (pinned DESC, updated_at DESC, seq DESC);
  CREATE INDEX session_folder ON session (folder_id);
  CREATE TABLE session_tag (
    session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    tag_id TEXT NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
    PRIMARY KEY (session_id, tag_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_tag_tag ON session_tag (tag_id);
`

/**
 * Parents are always inserted before their children, so `seq` grows along every branch. No cascade from parent to child:
 * SQLite stops at a thousand levels, a chat does not. A branch is deleted by one statement that names all of it.
 */
const MESSAGES = `
  CREATE TABLE message (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    parent_id TEXT REFERENCES message (id),
    selected INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    text TEXT NOT NULL,
    parts TEXT NOT NULL,
    state TEXT NOT NULL,
    error TEXT,
    created_at TEXT NOT NULL,
    model_id TEXT,
    usage TEXT,
    finish_reason TEXT,
    turn_id TEXT,
    reply_wanted INTEGER,
    has_attachments INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX message_session ON message (session_id, seq);
  CREATE INDEX message_parent ON message (parent_id) WHERE parent_id IS NOT NULL;
  CREATE INDEX message_streaming ON message (state) WHERE state = 'streaming';
  CREATE TABLE attachment (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    sha256 TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    extracted_text TEXT,
    tokens INTEGER,
    width INTEGER,
    height INTEGER,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX attachment_hash ON attachment (sha256);
  CREATE TABLE message_attachment (
    message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    attachment_id TEXT NOT NULL REFERENCES attachment (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (message_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX message_attachment_attachment ON message_attachment (attachment_id);
  CREATE TABLE message_blob (
    message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (message_id, sha256)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX message_blob_hash ON message_blob (sha256);
`

const COMPOSER = `
  CREATE TABLE draft (
    session_id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    attachment_ids TEXT NOT NULL,
    queue TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER draft_of_purged_session AFTER DELETE ON session BEGIN
    DELETE FROM draft WHERE session_id = old.id;
  END;
  CREATE TABLE snippet (id TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL) STRICT;
`

/**
 * Contentless: the index holds app-made tokens, the texts stay in their own tables. `message_index.rowid` is
 * `message.seq`; `session_index.rowid` is `session.seq * 4` plus the field's number.
 */
const SEARCH = `
  CREATE VIRTUAL TABLE message_index USING fts5 (
    tokens, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE VIRTUAL TABLE session_index USING fts5 (
    tokens, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER message_index_gone AFTER DELETE ON message BEGIN
    DELETE FROM message_index WHERE rowid = old.seq;
  END;
  CREATE TRIGGER session_index_gone AFTER DELETE ON session BEGIN
    DELETE FROM session_index WHERE rowid BETWEEN old.seq * 4 AND old.seq * 4 + 3;
  END;
`

/** Messages that wait for the index: too many or too long to be read within one call. Survives a crash. */
const INDEX_BACKLOG = `
  CREATE TABLE index_backlog (seq INTEGER PRIMARY KEY REFERENCES message (seq) ON DELETE CASCADE) STRICT;
`

/** What is looked for by these columns must not cost a walk over every chat. Most rows are in none of them. */
const LOOKUPS = `
  CREATE INDEX folder_parent ON folder (parent_id);
  CREATE INDEX session_prompt ON session (global_prompt_id) WHERE global_prompt_id IS NOT NULL;
  CREATE INDEX session_bin ON session (removed_at) WHERE removed_at IS NOT NULL;
  CREATE INDEX session_hidden ON session (arriving) WHERE arriving = 1;
`

/** 1 = written under isolation. Of older messages nobody knows when they were written: those of an isolated chat all count. */
const ISOLATED = `
  ALTER TABLE message ADD COLUMN isolated INTEGER NOT NULL DEFAULT 0;
  UPDATE message SET isolated = 1 WHERE session_id IN
    (SELECT id FROM session WHERE isolation = 1 AND json_array_length(worldbook_ids) > 0);
  CREATE INDEX message_isolated ON message (session_id) WHERE isolated = 1;
`

/** Messages that wait for the running answer, a row each: two windows change the list without undoing each other. */
const QUEUE = `
  CREATE TABLE queued_message (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    position REAL NOT NULL,
    text TEXT NOT NULL,
    attachment_ids TEXT NOT NULL,
    created_at TEXT NOT NULL,
    held TEXT
  ) STRICT;
  CREATE INDEX queued_message_session ON queued_message (session_id, position);
  CREATE TABLE draft_revision (
    session_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    saves TEXT NOT NULL DEFAULT '[]'
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER draft_revision_of_purged_session AFTER DELETE ON session BEGIN
    DELETE FROM draft_revision WHERE session_id = old.id;
  END;
`

/** The list stood as one JSON text in the draft. One of a chat that never came to be goes before the draft's words. */
function moveQueues(database: WriteDatabase): void {
  database.exec(`
    INSERT INTO queued_message (id, session_id, position, text, attachment_ids, created_at)
    SELECT lower(hex(randomblob(16))), session.id, waiting.key + 1, waiting.value, '[]', session.updated_at
    FROM draft JOIN session ON session.id = draft.session_id JOIN json_each(draft.queue) AS waiting
    ORDER BY draft.session_id, waiting.key`)
  database.exec(`
    UPDATE draft SET text = trim((SELECT group_concat(value, char(10)) FROM json_each(draft.queue)) || char(10) || text, char(10))
    WHERE session_id = '' AND json_array_length(queue) > 0`)
  database.exec("UPDATE draft SET queue = '[]' WHERE queue <> '[]'")
}

export const sessionMigrations: readonly Migration[] = [
  { name: 'sessions/001-tables', up: (database) => database.exec(TABLES) },
  { name: 'sessions/002-messages', up: (database) => database.exec(MESSAGES) },
  { name: 'sessions/003-composer', up: (database) => database.exec(COMPOSER) },
  {
    name: 'sessions/004-search',
    up: (database) => {
      database.exec(SEARCH)
      const sessions = database.prepare<[], { id: string }>('SELECT id FROM session WHERE removed_at IS NULL').all()
      for (const { id } of sessions) indexWholeSession(database, id)
    },
  },
  { name: 'sessions/005-index-backlog', up: (database) => database.exec(INDEX_BACKLOG) },
  {
    name: 'sessions/006-unread',
    up: (database) => database.exec('ALTER TABLE session ADD COLUMN unread INTEGER NOT NULL DEFAULT 0'),
  },
  {
    // 1 while its messages are still being written (./arrival.ts): nobody sees it yet
    name: 'sessions/007-arriving',
    up: (database) => database.exec('ALTER TABLE session ADD COLUMN arriving INTEGER NOT NULL DEFAULT 0'),
  },
  { name: 'sessions/008-lookups', up: (database) => database.exec(LOOKUPS) },
  { name: 'sessions/009-isolated-messages', up: (database) => database.exec(ISOLATED) },
  { name: 'sessions/010-answer-pieces', up: (database) => database.exec(ANSWER_PIECES) },
  {
    name: 'sessions/011-queue',
    up: (database) => {
      database.exec(QUEUE)
      moveQueues(database)
    },
  },
]
