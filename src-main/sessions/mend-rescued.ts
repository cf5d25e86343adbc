import type { WriteDatabase } from '../storage/database'
import { refreshSessionLine } from './message-rows'
import { indexSession } from './search/search-index'

/**
 * After a rescue some messages lack the one before them, or their chat. A message goes below the last one that is left
 * of its chat; messages without a chat get one. Counts and the search index are made anew, large ones in the background.
 */
export function mendRescued(database: WriteDatabase, options: { nowIso: string; title: string }): void {
  database.transaction(() => {
    database
      .prepare(
        `INSERT INTO session (id, title, title_source, temporary, topic_prompt, worldbook_ids, isolation, tool_choices,
           summarise, pinned, archived, created_at, updated_at, message_count, snippet)
         SELECT DISTINCT session_id, @title, 'user', 0, '', '[]', 0, '{}', 0, 0, 0, @nowIso, @nowIso, 0, ''
         FROM message WHERE session_id NOT IN (SELECT id FROM session)`,
      )
      .run(options)
    database.exec(`
      UPDATE message SET parent_id = (
          SELECT earlier.id FROM message AS earlier
          WHERE earlier.session_id = message.session_id AND earlier.seq < message.seq ORDER BY earlier.seq DESC LIMIT 1)
        WHERE parent_id IS NOT NULL AND parent_id NOT IN (SELECT id FROM message);
      INSERT OR IGNORE INTO index_backlog (seq) SELECT seq FROM message WHERE state <> 'streaming';
    `)
    for (const { id } of database.prepare<[], { id: string }>('SELECT id FROM session').all()) {
      refreshSessionLine(database, id)
      indexSession(database, id)
    }
  })()
}
