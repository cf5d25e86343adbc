import type { WriteDatabase } from '../storage/database'
import type { Message, Session } from './contract'
import { insertMessageRow, refreshSessionLine } from './message-rows'
import { reindexSession } from './search/search-index'
import { insertSession } from './session-rows'

export interface Fork {
  fromSessionId: string
  toSessionId: string
  /** Old message id -> new message id, in the branch's order: for what other rooms keep per message. */
  forkMap: ReadonlyMap<string, string>
}

/**
 * A new session with every setting of the old one and a copy of the branch. Times stay: landmarks depend on them.
 * An answer that still streams is copied as it stands, as a stopped one.
 */
export function forkSession(
  database: WriteDatabase,
  source: { session: Session; branch: readonly Message[] },
  target: { id: string; ids: () => string; now: string },
  onFork: (fork: Fork) => void,
): Session {
  const { session, branch } = source
  const last = branch.at(-1)
  return database.transaction(() => {
    const { removedAt: _bin, forkedFrom: _older, ...settings } = session
    const fork = insertSession(database, {
      ...settings,
      id: target.id,
      pinned: false,
      archived: false,
      createdAt: target.now,
      updatedAt: target.now,
      ...(last ? { forkedFrom: { sessionId: session.id, messageId: last.id } } : {}),
    })
    const forkMap = new Map<string, string>()
    let parentId: string | null = null
    for (const message of branch) {
      const id = target.ids()
      insertMessageRow(database, {
        ...message,
        id,
        sessionId: fork.id,
        parentId,
        selected: true,
        state: message.state === 'streaming' ? 'stopped' : message.state,
        attachments: message.attachments.map((attachment) => attachment.id),
      })
      forkMap.set(message.id, id)
      parentId = id
    }
    refreshSessionLine(database, fork.id)
    reindexSession(database, fork.id)
    onFork({ fromSessionId: session.id, toSessionId: fork.id, forkMap })
    return fork
  })()
}
