import type { WriteDatabase } from '../storage/database'
import type { Session } from './contract'
import { insertMessageRow, refreshSessionLine } from './message-rows'
import type { StampedMessage } from './message-writes'
import { reindexSession } from './search/search-index'
import { insertSession, type NewSession, requireSession } from './session-rows'

/** Parents before their children; among siblings at most one selected (the newest is shown where none is). */
export interface WholeSession {
  session: NewSession
  messages: readonly (StampedMessage & { selected: boolean })[]
}

/** Writes a session with all its messages at once: an import or a fork. Ids and times are the caller's. */
export function writeWholeSession(database: WriteDatabase, { session, messages }: WholeSession): Session {
  return database.transaction(() => {
    insertSession(database, session)
    for (const message of messages) insertMessageRow(database, message)
    refreshSessionLine(database, session.id)
    if (session.removedAt === undefined) reindexSession(database, session.id)
    return requireSession(database, session.id)
  })()
}
