import type { WriteDatabase } from '../storage/database'
import type { Message, Session } from './contract'
import { writeWholeSession } from './whole-session'

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
  const { removedAt: _bin, forkedFrom: _older, unread: _unread, ...settings } = session
  const forkMap = new Map(branch.map((message) => [message.id, target.ids()]))
  const newId = (old: string | null): string | null => (old === null ? null : (forkMap.get(old) ?? null))
  return database.transaction(() => {
    const fork = writeWholeSession(database, {
      session: {
        ...settings,
        id: target.id,
        pinned: false,
        archived: false,
        createdAt: target.now,
        updatedAt: target.now,
        ...(last ? { forkedFrom: { sessionId: session.id, messageId: last.id } } : {}),
      },
      messages: branch.map((message) => ({
        ...message,
        id: newId(message.id) ?? target.ids(),
        sessionId: target.id,
        parentId: newId(message.parentId),
        selected: true,
        state: message.state === 'streaming' ? 'stopped' : message.state,
        attachments: message.attachments.map((attachment) => attachment.id),
      })),
    })
    onFork({ fromSessionId: session.id, toSessionId: fork.id, forkMap })
    return fork
  })()
}
