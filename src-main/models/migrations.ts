import type { Migration } from '../storage/database'

export const modelMigrations: readonly Migration[] = [
  {
    name: 'models/001-tables',
    up(database) {
      database.exec(`
        CREATE TABLE connection (
          id TEXT PRIMARY KEY,
          name TEXT NOT NULL,
          kind TEXT NOT NULL,
          base_url TEXT,
          headers TEXT NOT NULL DEFAULT '{}',
          profile TEXT NOT NULL DEFAULT '{}',
          learned_profile TEXT NOT NULL DEFAULT '{}',
          learned_notes TEXT NOT NULL DEFAULT '[]',
          created_at TEXT NOT NULL
        ) STRICT;
        CREATE TABLE model (
          connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
          name TEXT NOT NULL,
          position INTEGER NOT NULL,
          server TEXT NOT NULL DEFAULT '{}',
          chosen TEXT NOT NULL DEFAULT '{}',
          available INTEGER NOT NULL DEFAULT 1,
          PRIMARY KEY (connection_id, name)
        ) STRICT;
        CREATE TABLE model_calibration (
          connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
          name TEXT NOT NULL,
          factor REAL NOT NULL,
          samples INTEGER NOT NULL,
          updated_at TEXT NOT NULL,
          PRIMARY KEY (connection_id, name)
        ) STRICT;
      `)
    },
  },
  {
    // there from the first start on, so that the app can be tried before any key is entered; removable like the others
    name: 'models/002-dry-run',
    up(database) {
      const server = {
        contextWindow: 128_000,
        maxOutputTokens: 16_384,
        capabilities: { tools: true, vision: true, pdf: true },
      }
      database.exec(`INSERT INTO connection (id, name, kind, created_at)
        VALUES ('dry-run', 'Dry run', 'dry-run', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`)
      database
        .prepare("INSERT INTO model (connection_id, name, position, server) VALUES ('dry-run', 'dry-run', 0, ?)")
        .run(JSON.stringify(server))
    },
  },
  {
    // what refusals teach, one row a thing, with the server's words; what was known before moves in as one row
    name: 'models/003-lessons',
    up(database) {
      database.exec(`
        CREATE TABLE lesson (
          id TEXT PRIMARY KEY,
          connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
          model TEXT NOT NULL,
          subject TEXT NOT NULL,
          teaches TEXT NOT NULL,
          status INTEGER,
          words TEXT NOT NULL DEFAULT '',
          learned_at TEXT NOT NULL,
          forgotten_at TEXT,
          UNIQUE (connection_id, model, subject)
        ) STRICT;
        INSERT INTO lesson (id, connection_id, model, subject, teaches, learned_at)
          SELECT lower(hex(randomblob(16))), id, '', 'profile:earlier',
            json_object('profile', json(learned_profile), 'what', json_extract(learned_notes, '$[#-1].what')),
            COALESCE(json_extract(learned_notes, '$[#-1].at'), created_at)
          FROM connection WHERE learned_profile <> '{}';
        UPDATE connection SET learned_profile = '{}', learned_notes = '[]';
      `)
    },
  },
  {
    // Ollama was told to load what a model was trained for, whatever the machine holds
    name: 'models/004-modest-windows',
    up(database) {
      database.exec(`
        UPDATE model SET server = json_set(server, '$.largestWindow', json_extract(server, '$.contextWindow'),
          '$.contextWindow', 16384, '$.windowFrom', 'app')
        WHERE json_extract(server, '$.contextWindow') > 32768
          AND connection_id IN (SELECT id FROM connection WHERE kind = 'ollama')
      `)
    },
  },
]
