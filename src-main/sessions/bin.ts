import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { reindexSession, unindexSession } from './search/search-index'

/** Moves sessions into the bin. Returns those that were not there yet. */
export function binSessions(database: WriteDatabase, ids: readonly string[], at: string): string[] {
  return database.transaction(() => {
    const move = database.prepare('UPDATE session SET removed_at = ? WHERE id = ? AND removed_at IS NULL')
    const moved = ids.filter((id) => move.run(at, id).changes > 0)
    for (const id of moved) unindexSession(database, id)
    return moved
  })()
}

/** Takes sessions out of the bin, as they were. Returns those that lay there. */
export function restoreSessions(database: WriteDatabase, ids: readonly string[]): string[] {
  return database.transaction(() => {
    const take = database.prepare('UPDATE session SET removed_at = NULL WHERE id = ? AND removed_at IS NOT NULL')
    const taken = ids.filter((id) => take.run(id).changes > 0)
    for (const id of taken) reindexSession(database, id)
    return taken
  })()
}

/** Deletes sessions for good, from the bin or not: rows, drafts and index. The index is compacted afterwards. Returns those that existed. */
export function purgeSessions(database: WriteDatabase, ids: readonly string[]): string[] {
  return database.transaction(() => {
    const remove = database.prepare('DELETE FROM session WHERE id = ?')
    return ids.filter((id) => remove.run(id).changes > 0)
  })()
}

export function countMessages(database: ReadDatabase, sessionIds: readonly string[]): number {
  return (
    database
      .prepare<[string], { count: number }>(
        'SELECT count(*) AS count FROM message WHERE session_id IN (SELECT value FROM json_each(?))',
      )
      .get(JSON.stringify(sessionIds))?.count ?? 0
  )
}

/** Sessions that lie in the bin since before a moment. */
export function expiredSessions(database: ReadDatabase, before: string): string[] {
  return database
    .prepare<[string], { id: string }>('SELECT id FROM session WHERE removed_at < ? ORDER BY seq')
    .all(before)
    .map((row) => row.id)
}
