import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { storedJson, storedObject } from '../storage/stored-json'
import { dropPieces, withPieces } from './answer-pieces'
import { attachmentsOfMessages, linkAttachments, linkBlobs } from './attachments/attachment-rows'
import type { Message, MessagePart, MessageState } from './contract'

export interface MessageRow {
  seq: number
  id: string
  session_id: string
  parent_id: string | null
  selected: number
  role: Message['role']
  text: string
  parts: string
  state: MessageState
  error: string | null
  created_at: string
  model_id: string | null
  usage: string | null
  finish_reason: string | null
  turn_id: string | null
  reply_wanted: number | null
  has_attachments: number
  isolated: number
}

/** A message as it is first stored. Without `parts` its text is its one part; without an id or time it gets one. */
export interface NewMessage {
  id?: string | undefined
  sessionId: string
  parentId: string | null
  role: Message['role']
  text: string
  parts?: MessagePart[] | undefined
  /** Ids of attachments added before. */
  attachments?: readonly string[] | undefined
  state?: MessageState | undefined
  error?: Message['error'] | undefined
  createdAt?: string | undefined
  modelId?: string | undefined
  usage?: Message['usage'] | undefined
  finishReason?: string | undefined
  turnId?: string | undefined
  replyWanted?: boolean | undefined
  isolated?: boolean | undefined
}

/** `error: null` clears it. `text` without `parts` makes the text the one part. */
export interface MessagePatch {
  text?: string | undefined
  parts?: MessagePart[] | undefined
  state?: MessageState | undefined
  error?: Message['error'] | null | undefined
  usage?: Message['usage'] | undefined
  finishReason?: string | undefined
  modelId?: string | undefined
}

/** A message without what depends on its neighbours. */
export type StoredMessage = Omit<Message, 'siblings' | 'siblingInfo'>

export function textOfParts(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

function toStored(row: MessageRow): StoredMessage {
  const message: StoredMessage = {
    id: row.id,
    sessionId: row.session_id,
    parentId: row.parent_id,
    role: row.role,
    text: row.text,
    // most messages are one text part: not stored twice
    parts:
      row.parts === ''
        ? [{ type: 'text', text: row.text }]
        : storedJson(row.parts, [{ type: 'text', text: row.text }] as MessagePart[]),
    attachments: [],
    state: row.state,
    createdAt: row.created_at,
  }
  const error = storedObject<NonNullable<Message['error']>>(row.error)
  if (error) message.error = error
  if (row.model_id !== null) message.modelId = row.model_id
  const usage = storedObject<NonNullable<Message['usage']>>(row.usage)
  if (usage) message.usage = usage
  if (row.finish_reason !== null) message.finishReason = row.finish_reason
  if (row.turn_id !== null) message.turnId = row.turn_id
  if (row.reply_wanted !== null) message.replyWanted = row.reply_wanted === 1
  if (row.isolated === 1) message.isolated = true
  return message
}

/** An answer that is still written, with what came since its row was. */
function growing(database: ReadDatabase, message: StoredMessage): StoredMessage {
  const parts = withPieces(database, message.id, message.parts)
  return parts === message.parts ? message : { ...message, parts, text: textOfParts(parts) }
}

function withAttachments(database: ReadDatabase, rows: readonly MessageRow[]): StoredMessage[] {
  const owners = rows.flatMap((row) => (row.has_attachments === 1 ? [row.id] : []))
  const attachments = owners.length > 0 ? attachmentsOfMessages(database, owners) : undefined
  return rows.map((row) => {
    const message = row.state === 'streaming' ? growing(database, toStored(row)) : toStored(row)
    const own = attachments?.get(row.id)
    return own ? { ...message, attachments: own } : message
  })
}

/** Many messages in one query; in the order of their rows, not of the ids. */
export function readMessages(database: ReadDatabase, ids: readonly string[]): StoredMessage[] {
  const rows = database
    .prepare<[string], MessageRow>('SELECT * FROM message WHERE id IN (SELECT value FROM json_each(?)) ORDER BY seq')
    .all(JSON.stringify(ids))
  return withAttachments(database, rows)
}

/** Every selected message of a session: the visible branch and what would be visible on its other branches. */
export function readSelected(database: ReadDatabase, sessionId: string): StoredMessage[] {
  const rows = database
    .prepare<[string], MessageRow>('SELECT * FROM message WHERE session_id = ? AND selected = 1 ORDER BY seq')
    .all(sessionId)
  return withAttachments(database, rows)
}

const MARK_ISOLATED = `isolated = max(isolated, (SELECT session.isolation = 1
  AND json_array_length(session.worldbook_ids) > 0 FROM session WHERE session.id = message.session_id))`

/** Takes the marks of one session back. Returns how many there were. */
export function releaseIsolated(database: WriteDatabase, sessionId: string): number {
  return database.prepare('UPDATE message SET isolated = 0 WHERE session_id = ? AND isolated = 1').run(sessionId)
    .changes
}

const BATCH = 500

/** Every message of a session, all branches, parents first, some hundreds at a time. */
export function* messageBatches(
  database: ReadDatabase,
  sessionId: string,
): Generator<(StoredMessage & { selected: boolean })[]> {
  const select = database.prepare<[string, number, number], MessageRow>(
    'SELECT * FROM message WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  )
  for (let after = 0; ; ) {
    const rows = select.all(sessionId, after, BATCH)
    const last = rows.at(-1)
    if (!last) return
    const messages = withAttachments(database, rows)
    yield messages.map((message, index) => ({ ...message, selected: rows[index]?.selected === 1 }))
    after = last.seq
  }
}

const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value))

function storedParts(parts: readonly MessagePart[], text: string): string {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' && first.text === text ? '' : JSON.stringify(parts)
}

type RowToInsert = NewMessage & { id: string; createdAt: string; selected: boolean }

/** Inserts unselected; `selectMessage` makes it the visible one. Returns its `seq`. */
export function insertMessageRow(database: WriteDatabase, row: RowToInsert): number {
  return messageInserter(database)(row)
}

/** The same for many: to make the statement ready takes longer than to run it. */
export function messageInserter(database: WriteDatabase): (row: RowToInsert) => number {
  const insert = database.prepare(
    `INSERT INTO message (id, session_id, parent_id, selected, role, text, parts, state, error, created_at, model_id,
       usage, finish_reason, turn_id, reply_wanted, has_attachments, isolated)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return (row) => {
    const parts = row.parts ?? [{ type: 'text' as const, text: row.text }]
    const hasFiles = row.attachments !== undefined && row.attachments.length > 0
    const result = insert.run(
      row.id,
      row.sessionId,
      row.parentId,
      row.selected ? 1 : 0,
      row.role,
      row.text,
      storedParts(parts, row.text),
      row.state ?? 'complete',
      json(row.error),
      row.createdAt,
      row.modelId ?? null,
      json(row.usage),
      row.finishReason ?? null,
      row.turnId ?? null,
      row.replyWanted === undefined ? null : Number(row.replyWanted),
      hasFiles ? 1 : 0,
      row.isolated ? 1 : 0,
    )
    if (hasFiles) linkAttachments(database, row.id, row.attachments ?? [])
    linkBlobs(database, row.id, parts)
    return Number(result.lastInsertRowid)
  }
}

/** Writes the named fields of one row and nothing else: called some times a second while an answer streams. */
export function updateMessageRow(database: WriteDatabase, id: string, patch: MessagePatch): boolean {
  return database.transaction(() => writeFields(database, id, patch))()
}

function writeFields(database: WriteDatabase, id: string, patch: MessagePatch): boolean {
  const text = patch.text ?? (patch.parts ? textOfParts(patch.parts) : undefined)
  const columns: [string, unknown][] = []
  if (text !== undefined) {
    columns.push(['text', text], ['parts', storedParts(patch.parts ?? [{ type: 'text', text }], text)])
  }
  if (patch.state !== undefined) columns.push(['state', patch.state])
  if (patch.error !== undefined) columns.push(['error', json(patch.error)])
  if (patch.usage !== undefined) columns.push(['usage', json(patch.usage)])
  if (patch.finishReason !== undefined) columns.push(['finish_reason', patch.finishReason])
  if (patch.modelId !== undefined) columns.push(['model_id', patch.modelId])
  if (columns.length === 0) return false
  // words that come while the chat is isolated mark the message, also where it was begun before
  const mark = text === undefined && patch.state !== 'streaming' ? '' : `, ${MARK_ISOLATED}`
  const changed = database
    .prepare(`UPDATE message SET ${columns.map(([name]) => `${name} = ?`).join(', ')}${mark} WHERE id = ?`)
    .run(...columns.map(([, value]) => value), id).changes
  if (patch.parts) linkBlobs(database, id, patch.parts)
  if (text !== undefined) dropPieces(database, id)
  return changed > 0
}

const firstWords = (text: string): string => text.slice(0, 400).replaceAll(/\s+/g, ' ').trim().slice(0, 160)

/** The list's line after one more message, without counting again. */
export function appendToSessionLine(database: WriteDatabase, sessionId: string, text: string, at: string): void {
  database
    .prepare(
      `UPDATE session SET message_count = message_count + 1, snippet = iif(@words = '', snippet, @words),
         updated_at = max(updated_at, @at) WHERE id = @sessionId`,
    )
    .run({ sessionId, words: firstWords(text), at })
}

/** After a change of messages: how many there are, and the newest one's first words, for the list. */
export function refreshSessionLine(database: WriteDatabase, sessionId: string): void {
  const newest = database
    .prepare<[string], { text: string }>(
      'SELECT substr(text, 1, 400) AS text FROM message WHERE session_id = ? ORDER BY seq DESC LIMIT 1',
    )
    .get(sessionId)
  database
    .prepare(
      `UPDATE session SET message_count = (SELECT count(*) FROM message WHERE session_id = @sessionId),
         snippet = @words WHERE id = @sessionId`,
    )
    .run({ sessionId, words: firstWords(newest?.text ?? '') })
}

/** For the list, where the words written last are not those that are shown. */
export function showLastWords(database: WriteDatabase, sessionId: string, text: string): void {
  const words = firstWords(text)
  if (words !== '') database.prepare('UPDATE session SET snippet = ? WHERE id = ?').run(words, sessionId)
}
