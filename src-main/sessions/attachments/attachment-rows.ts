import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import type { Attachment } from '../composer-contract'
import type { MessagePart } from '../contract'

interface AttachmentRow {
  id: string
  sha256: string
  name: string
  media_type: string
  bytes: number
  extracted_text: string | null
  tokens: number | null
  width: number | null
  height: number | null
}

function toAttachment(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    sha256: row.sha256,
    name: row.name,
    mediaType: row.media_type,
    bytes: row.bytes,
    ...(row.extracted_text === null ? {} : { extractedText: row.extracted_text }),
    ...(row.tokens === null ? {} : { tokens: row.tokens }),
    ...(row.width === null ? {} : { width: row.width }),
    ...(row.height === null ? {} : { height: row.height }),
  }
}

export function insertAttachment(database: WriteDatabase, attachment: Attachment, createdAt: string): void {
  database
    .prepare(
      `INSERT INTO attachment (id, sha256, name, media_type, bytes, extracted_text, tokens, width, height, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      attachment.id,
      attachment.sha256,
      attachment.name,
      attachment.mediaType,
      attachment.bytes,
      attachment.extractedText ?? null,
      attachment.tokens ?? null,
      attachment.width ?? null,
      attachment.height ?? null,
      createdAt,
    )
}

export function findAttachment(database: ReadDatabase, sha256: string, name: string): Attachment | undefined {
  const row = database
    .prepare<[string, string], AttachmentRow>('SELECT * FROM attachment WHERE sha256 = ? AND name = ? ORDER BY seq')
    .get(sha256, name)
  return row && toAttachment(row)
}

/** In the order of the ids; unknown ones are left out. */
export function readAttachments(database: ReadDatabase, ids: readonly string[]): Attachment[] {
  const find = database.prepare<[string], AttachmentRow>('SELECT * FROM attachment WHERE id = ?')
  return ids.flatMap((id) => {
    const row = find.get(id)
    return row ? [toAttachment(row)] : []
  })
}

export function attachmentsOfMessages(
  database: ReadDatabase,
  messageIds: readonly string[],
): Map<string, Attachment[]> {
  const rows = database
    .prepare<[string], AttachmentRow & { message_id: string }>(
      `SELECT attachment.*, message_id FROM message_attachment JOIN attachment ON attachment.id = attachment_id
       WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, position`,
    )
    .all(JSON.stringify(messageIds))
  const found = new Map<string, Attachment[]>()
  for (const row of rows) {
    const own = found.get(row.message_id)
    if (own) own.push(toAttachment(row))
    else found.set(row.message_id, [toAttachment(row)])
  }
  return found
}

export function linkAttachments(database: WriteDatabase, messageId: string, attachmentIds: readonly string[]): void {
  const insert = database.prepare(
    'INSERT INTO message_attachment (message_id, attachment_id, position) VALUES (?, ?, ?)',
  )
  for (const [position, attachmentId] of attachmentIds.entries()) insert.run(messageId, attachmentId, position)
}

/** Files a message's tool parts point at: whole results and images. */
function blobsOfParts(parts: readonly MessagePart[]): string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool') return []
    const images = (part.images ?? []).map((image) => image.sha256)
    return part.fullResultSha256 === undefined ? images : [part.fullResultSha256, ...images]
  })
}

export function linkBlobs(database: WriteDatabase, messageId: string, parts: readonly MessagePart[]): void {
  const hashes = blobsOfParts(parts)
  if (hashes.length === 0) return
  const insert = database.prepare('INSERT OR IGNORE INTO message_blob (message_id, sha256) VALUES (?, ?)')
  for (const sha256 of hashes) insert.run(messageId, sha256)
}

/** Attachments and files that some messages name: to be looked at again once those messages are gone. */
export interface NamedFiles {
  attachmentIds: string[]
  hashes: string[]
}

export function filesOfMessages(database: ReadDatabase, messageIds: readonly string[]): NamedFiles {
  return namedFiles(database, 'SELECT value FROM json_each(?)', messageIds)
}

export function filesOfSessions(database: ReadDatabase, sessionIds: readonly string[]): NamedFiles {
  const sql = 'SELECT id FROM message WHERE session_id IN (SELECT value FROM json_each(?))'
  const named = namedFiles(database, sql, sessionIds)
  const drafted = database
    .prepare<[string], { id: string }>(
      `SELECT attachment.id FROM (SELECT session_id, attachment_ids FROM draft
           UNION ALL SELECT session_id, attachment_ids FROM queued_message) AS unsent,
         json_each(unsent.attachment_ids) AS used JOIN attachment ON attachment.id = used.value
       WHERE unsent.session_id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(sessionIds))
  return { ...named, attachmentIds: [...named.attachmentIds, ...drafted.map((row) => row.id)] }
}

function namedFiles(database: ReadDatabase, messagesSql: string, ids: readonly string[]): NamedFiles {
  const list = JSON.stringify(ids)
  const attachments = database
    .prepare<[string], { id: string }>(
      `SELECT DISTINCT attachment_id AS id FROM message_attachment WHERE message_id IN (${messagesSql})`,
    )
    .all(list)
  const blobs = database
    .prepare<[string], { sha256: string }>(
      `SELECT DISTINCT sha256 FROM message_blob WHERE message_id IN (${messagesSql})`,
    )
    .all(list)
  return { attachmentIds: attachments.map((row) => row.id), hashes: blobs.map((row) => row.sha256) }
}

const LOOSE = `NOT EXISTS (SELECT 1 FROM message_attachment WHERE attachment_id = attachment.id)
  AND NOT EXISTS (SELECT 1 FROM draft, json_each(draft.attachment_ids) WHERE value = attachment.id)
  AND NOT EXISTS (SELECT 1 FROM queued_message, json_each(queued_message.attachment_ids) WHERE value = attachment.id)`

/** Deletes attachments that no message, sent or unsent, names any more, among the given ones or all. Returns their hashes. */
export function removeLooseAttachments(database: WriteDatabase, among?: readonly string[]): string[] {
  const where = among ? `id IN (SELECT value FROM json_each(?)) AND ${LOOSE}` : LOOSE
  const rows = database
    .prepare<string[], { sha256: string }>(`DELETE FROM attachment WHERE ${where} RETURNING sha256`)
    .all(...(among ? [JSON.stringify(among)] : []))
  return rows.map((row) => row.sha256)
}

/** Whether any row still points at a file. */
export function isNamed(database: ReadDatabase, sha256: string): boolean {
  return (
    database
      .prepare<[{ sha256: string }], { named: number }>(
        `SELECT EXISTS (SELECT 1 FROM attachment WHERE sha256 = @sha256)
            OR EXISTS (SELECT 1 FROM message_blob WHERE sha256 = @sha256) AS named`,
      )
      .get({ sha256 })?.named === 1
  )
}
