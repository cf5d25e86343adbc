import type { WriteDatabase } from '../storage/database'
import { ARRIVAL_STEP, beginArrival, chatChanged, endArrival } from './arrival'
import type { Session, ToolChoices } from './contract'

export interface Fork {
  fromSessionId: string
  toSessionId: string
  /** Old message id -> new message id, in the branch's order: for what other rooms keep per message. */
  forkMap: ReadonlyMap<string, string>
}

/** A chat's choices of tools without the permissions to run unasked: those are no choices of another chat. */
export function withoutGrants(choices: Readonly<ToolChoices>): ToolChoices {
  return Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== 'allow'))
}

/** Rows are copied as they lie: `pair.value` is [old id, new id, new parent's id]. */
const COPY_MESSAGES = `
  INSERT INTO message (id, session_id, parent_id, selected, role, text, parts, state, error, created_at, model_id, usage,
    finish_reason, turn_id, reply_wanted, has_attachments, isolated)
  SELECT pair.value ->> 1, @sessionId, pair.value ->> 2, 1, role, text, parts,
    iif(state = 'streaming', 'stopped', state), error, created_at, model_id, usage, finish_reason, turn_id,
    reply_wanted, has_attachments, isolated
  FROM json_each(@pairs) AS pair JOIN message AS source ON source.id = pair.value ->> 0 ORDER BY pair.key`
const COPY_ATTACHMENTS = `
  INSERT INTO message_attachment (message_id, attachment_id, position)
  SELECT pair.value ->> 1, attachment_id, position
  FROM json_each(@pairs) AS pair JOIN message_attachment AS source ON source.message_id = pair.value ->> 0`
const COPY_BLOBS = `
  INSERT INTO message_blob (message_id, sha256)
  SELECT pair.value ->> 1, sha256
  FROM json_each(@pairs) AS pair JOIN message_blob AS source ON source.message_id = pair.value ->> 0`

/**
 * A new session with every setting of the old one and a copy of the branch. Times stay: landmarks depend on them.
 * An answer that still streams is copied as it stands, as a stopped one. Hidden until it is whole, with a pause after
 * every step. @throws conflict when a message of the branch goes meanwhile
 */
export function* forkSession(
  database: WriteDatabase,
  source: { session: Session; branch: readonly { id: string; parentId: string | null }[] },
  target: { id: string; ids: () => string; now: string },
  onFork: (fork: Fork) => void,
): Generator<void, Session> {
  const { session, branch } = source
  const last = branch.at(-1)
  const { removedAt: _bin, forkedFrom: _older, unread: _unread, ...settings } = session
  const fork = {
    ...settings,
    // what a person allowed was allowed in that chat
    toolChoices: withoutGrants(session.toolChoices),
    id: target.id,
    pinned: false,
    archived: false,
    createdAt: target.now,
    updatedAt: target.now,
    ...(last ? { forkedFrom: { sessionId: session.id, messageId: last.id } } : {}),
  }
  const forkMap = new Map(branch.map((message) => [message.id, target.ids()]))
  const newId = (old: string | null): string | null => (old === null ? null : (forkMap.get(old) ?? null))
  beginArrival(database, fork)
  for (let at = 0; at < branch.length; at += ARRIVAL_STEP) {
    const pairs = branch
      .slice(at, at + ARRIVAL_STEP)
      .map((message) => [message.id, newId(message.id), newId(message.parentId)])
    copyMessages(database, fork.id, pairs)
    if (at + ARRIVAL_STEP < branch.length) yield
  }
  const also = () => onFork({ fromSessionId: session.id, toSessionId: fork.id, forkMap })
  return endArrival(database, fork, { also })
}

function copyMessages(database: WriteDatabase, sessionId: string, pairs: readonly (string | null)[][]): void {
  const bind = { sessionId, pairs: JSON.stringify(pairs) }
  database.transaction(() => {
    if (database.prepare(COPY_MESSAGES).run(bind).changes !== pairs.length) throw chatChanged()
    database.prepare(COPY_ATTACHMENTS).run(bind)
    database.prepare(COPY_BLOBS).run(bind)
  })()
}
