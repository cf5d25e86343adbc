import { AppError } from '../../ipc/app-error'
import type { WriteDatabase } from '../../storage/database'
import type { HistoryAction, MemorySnapshot, MemorySource } from './contract'
import { normalHash } from './normal-text'
import { findMemory, neighbourIds } from './repository'
import { type MemoryRow, snapshotOf } from './rows'

export interface WriteContext {
  nowIso: string
  newId: () => string
}

/** A write says what it changed: the row, and every id whose place in a search changed with it. */
export interface Written {
  row: MemoryRow
  changed: string[]
}

/** A new row with its first history entry and its place in the outbox. */
export function insertMemory(
  database: WriteDatabase,
  memory: { id: string; source: MemorySource; snapshot: MemorySnapshot; action: HistoryAction; createdAt?: string },
  context: WriteContext,
): MemoryRow {
  const { id, source, snapshot } = memory
  database
    .prepare(
      `INSERT INTO memory (id, text, normal_hash, kind, source_kind, session_id, message_id, quote, importance, confidence,
         entities, valid_from, valid_until, superseded_by, archived, created_at, updated_at)
       VALUES (@id, @text, @normal_hash, @kind, @source_kind, @session_id, @message_id, @quote, @importance, @confidence,
         @entities, @valid_from, @valid_until, @superseded_by, @archived, @created_at, @updated_at)`,
    )
    .run({
      id,
      ...columnsOf(snapshot),
      source_kind: source.kind,
      session_id: source.sessionId ?? null,
      message_id: source.messageId ?? null,
      quote: source.quote ?? null,
      created_at: memory.createdAt ?? context.nowIso,
      updated_at: context.nowIso,
    })
  const row = mustFind(database, id)
  addHistory(database, row, memory.action, undefined, context.nowIso)
  addToOutbox(database, row)
  return row
}

/** The one way a stored memory changes: row, history and, when the words changed, the outbox. */
export function change(
  database: WriteDatabase,
  row: MemoryRow,
  after: MemorySnapshot,
  action: HistoryAction,
  context: WriteContext,
): Written {
  const revision = row.revision + 1
  const textChanged = after.text !== row.text
  database
    .prepare(
      `UPDATE memory SET text = @text, normal_hash = @normal_hash, kind = @kind, importance = @importance,
         confidence = @confidence, entities = @entities, valid_from = @valid_from, valid_until = @valid_until,
         superseded_by = @superseded_by, archived = @archived, revision = @revision, text_revision = @text_revision,
         updated_at = @updated_at
       WHERE id = @id`,
    )
    .run({
      id: row.id,
      ...columnsOf(after),
      revision,
      text_revision: textChanged ? revision : row.text_revision,
      updated_at: context.nowIso,
    })
  const next = mustFind(database, row.id)
  addHistory(database, next, action, snapshotOf(row), context.nowIso)
  if (textChanged) addToOutbox(database, next)
  const beside = textChanged && row.session_id !== null ? neighbourIds(database, row.session_id, row.seq) : []
  return { row: next, changed: [row.id, ...beside] }
}

function columnsOf(snapshot: MemorySnapshot) {
  return {
    text: snapshot.text,
    normal_hash: normalHash(snapshot.text),
    kind: snapshot.kind,
    importance: snapshot.importance,
    confidence: snapshot.confidence,
    entities: JSON.stringify(snapshot.entities),
    valid_from: snapshot.validFrom ?? null,
    valid_until: snapshot.validUntil ?? null,
    superseded_by: snapshot.supersededBy ?? null,
    archived: snapshot.archived ? 1 : 0,
  }
}

function addHistory(
  database: WriteDatabase,
  row: MemoryRow,
  action: HistoryAction,
  before: MemorySnapshot | undefined,
  at: string,
): void {
  database
    .prepare('INSERT INTO memory_history (memory_id, revision, at, action, before, after) VALUES (?, ?, ?, ?, ?, ?)')
    .run(
      row.id,
      row.revision,
      at,
      action,
      before === undefined ? null : JSON.stringify(before),
      JSON.stringify(snapshotOf(row)),
    )
}

function addToOutbox(database: WriteDatabase, row: MemoryRow): void {
  database.prepare('DELETE FROM memory_outbox WHERE memory_id = ?').run(row.id)
  database
    .prepare("INSERT INTO memory_outbox (memory_id, revision, operation) VALUES (?, ?, 'upsert')")
    .run(row.id, row.text_revision)
}

export function mustFind(database: WriteDatabase, id: string): MemoryRow {
  const row = findMemory(database, id)
  if (row === undefined) throw new AppError('not_found', 'There is no such memory; it may have been deleted elsewhere.')
  return row
}
