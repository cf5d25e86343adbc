import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { storedJson } from '../storage/stored-json'
import type { FromDraft } from './composer-contract'
import { joinTexts, madeSave, textAfterSent, textWithoutSent } from './draft-contract'

/** The screen for a new chat has a draft too; no session has this id. */
export const NEW_CHAT = ''

const CHANGED_ELSEWHERE =
  'Something of this text was sent or changed in another window. What is left of it stands in the field: look at it and send it again.'

/** A window that lost an answer reads again long before so many saves were made. */
const MOST_SAVES = 20

interface StoredDraft {
  text: string
  attachmentIds: string[]
  /** Grows with every change; 0 = never written. */
  revision: number
  /** Ids of the last saves, oldest first. */
  saves: string[]
}

export interface DraftChange {
  text: string
  /** Left out = as they are. */
  attachments?: readonly string[] | undefined
  /** The revision this change was made on. Left out = whatever stands there is replaced. */
  revision?: number | undefined
  saveId?: string | undefined
}

export function readDraft(database: ReadDatabase, sessionId: string): StoredDraft {
  const row = database
    .prepare<[string], { text: string; attachment_ids: string }>(
      'SELECT text, attachment_ids FROM draft WHERE session_id = ?',
    )
    .get(sessionId)
  const known = database
    .prepare<[string], { revision: number; saves: string }>(
      'SELECT revision, saves FROM draft_revision WHERE session_id = ?',
    )
    .get(sessionId)
  return {
    text: row?.text ?? '',
    attachmentIds: row ? storedJson<string[]>(row.attachment_ids, []) : [],
    revision: known?.revision ?? 0,
    saves: known ? storedJson<string[]>(known.saves, []) : [],
  }
}

/** An empty draft leaves no row; its revision stays. Returns the new revision. */
function writeDraft(
  database: WriteDatabase,
  sessionId: string,
  draft: { text: string; attachmentIds: readonly string[]; saves?: readonly string[] | undefined },
): number {
  if (draft.text === '' && draft.attachmentIds.length === 0) {
    database.prepare('DELETE FROM draft WHERE session_id = ?').run(sessionId)
  } else {
    database
      .prepare("INSERT OR REPLACE INTO draft (session_id, text, attachment_ids, queue) VALUES (?, ?, ?, '[]')")
      .run(sessionId, draft.text, JSON.stringify(draft.attachmentIds))
  }
  const saves = draft.saves === undefined ? null : JSON.stringify(draft.saves)
  const row = database
    .prepare<[string, string | null, string | null], { revision: number }>(
      `INSERT INTO draft_revision (session_id, revision, saves) VALUES (?, 1, coalesce(?, '[]'))
       ON CONFLICT (session_id) DO UPDATE SET revision = revision + 1, saves = coalesce(?, saves) RETURNING revision`,
    )
    .get(sessionId, saves, saves)
  return row?.revision ?? 1
}

/** Returns the new revision. @throws conflict when the draft was changed since the revision this change was made on */
export function saveDraft(database: WriteDatabase, sessionId: string, change: DraftChange): number {
  return database.transaction(() => {
    const before = readDraft(database, sessionId)
    if (change.revision !== undefined && change.revision !== before.revision) {
      throw new AppError(
        'conflict',
        'What is being written in this chat was changed in another window. Nothing was replaced. Read it again, then save.',
        { details: { revision: before.revision } },
      )
    }
    return writeDraft(database, sessionId, {
      text: change.text,
      attachmentIds: change.attachments ?? before.attachmentIds,
      saves: change.saveId === undefined ? undefined : [...before.saves, change.saveId].slice(-MOST_SAVES),
    })
  })()
}

/**
 * Takes a message that goes out off the draft. The revision grows also where nothing of it stood there yet: a window that
 * still saves the message as a draft is refused. @throws conflict when something of the draft it was written in is gone
 */
export function takeFromDraft(
  database: WriteDatabase,
  sessionId: string,
  sent: { text: string; attachments?: readonly string[] | undefined },
  from: FromDraft,
): void {
  const before = readDraft(database, sessionId)
  const gone = new Set(sent.attachments)
  const text =
    typeof from === 'object'
      ? textAfterSent(madeSave(from.tried ?? [], before.saves)?.text ?? from.base, from.rest, before.text)
      : textWithoutSent(before.text, sent.text)
  if (text === undefined) throw new AppError('conflict', CHANGED_ELSEWHERE)
  writeDraft(database, sessionId, {
    text,
    attachmentIds: before.attachmentIds.filter((id) => !gone.has(id)),
  })
}

/** Puts a message that waited before what is being written. */
export function putIntoDraft(
  database: WriteDatabase,
  sessionId: string,
  message: { text: string; attachmentIds: readonly string[] },
): void {
  const before = readDraft(database, sessionId)
  writeDraft(database, sessionId, {
    text: joinTexts(message.text, before.text),
    attachmentIds: [...new Set([...message.attachmentIds, ...before.attachmentIds])],
  })
}
