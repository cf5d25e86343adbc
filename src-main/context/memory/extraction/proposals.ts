import { AppError } from '../../../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../../../storage/database'
import { storedJson } from '../../../storage/stored-json'
import type { WriteContext, Written } from '../change-row'
import type { MemoryKind, MemoryProposal, MemorySource } from '../contract'
import { normalHash } from '../normal-text'
import { findEqualText } from '../repository'
import { saveMemory } from '../write'
import type { Finding } from './read-findings'

interface ProposalRow {
  id: string
  normal_hash: string
  text: string
  kind: string
  quote: string
  importance: number
  confidence: number
  entities: string
  session_id: string
  message_id: string
  created_at: string
}

export interface ReadMessage {
  sessionId: string
  messageId: string
}

/** Whether this message was read before: a regenerated answer or a job that ran twice reads it no second time. */
export function wasRead(database: ReadDatabase, messageId: string): boolean {
  return database.prepare('SELECT 1 FROM memory_read_message WHERE message_id = ?').get(messageId) !== undefined
}

/**
 * Keeps what was found in one message, in one transaction with the note that it was read. Known words and declined ones
 * are not brought up again. Returns what was saved and what waits for a person.
 */
export function keepFindings(
  database: WriteDatabase,
  found: { message: ReadMessage; findings: readonly Finding[]; mode: 'ask' | 'automatic' },
  context: WriteContext,
): { saved: string[]; proposed: string[] } {
  const { sessionId, messageId } = found.message
  return database
    .transaction(() => {
      const saved: string[] = []
      const proposed: string[] = []
      const { changes } = database
        .prepare('INSERT INTO memory_read_message (message_id, session_id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
        .run(messageId, sessionId, context.nowIso)
      if (changes === 0) return { saved, proposed }
      for (const finding of found.findings) {
        const known = findEqualText(database, finding.text, context.nowIso) !== undefined
        if (known || wasProposed(database, finding.text)) continue
        if (found.mode === 'automatic' && !finding.passedOn) {
          const { text, kind, importance, confidence, entities, quote } = finding
          const source: MemorySource = { kind: 'conversation', sessionId, messageId, quote }
          saved.push(...saveMemory(database, { text, kind, importance, confidence, entities, source }, context).changed)
        } else proposed.push(insertProposal(database, finding, found.message, context))
      }
      return { saved, proposed }
    })
    .immediate()
}

function wasProposed(database: ReadDatabase, text: string): boolean {
  return database.prepare('SELECT 1 FROM memory_proposal WHERE normal_hash = ?').get(normalHash(text)) !== undefined
}

function insertProposal(
  database: WriteDatabase,
  finding: Finding,
  { sessionId, messageId }: ReadMessage,
  context: WriteContext,
): string {
  const id = context.newId()
  database
    .prepare(
      `INSERT INTO memory_proposal (id, normal_hash, text, kind, quote, importance, confidence, entities, session_id, message_id, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      normalHash(finding.text),
      finding.text,
      finding.kind,
      finding.quote,
      finding.importance,
      finding.confidence,
      JSON.stringify(finding.entities),
      sessionId,
      messageId,
      context.nowIso,
    )
  return id
}

/** Open ones, newest first. */
export function listProposals(database: ReadDatabase, sessionId?: string): MemoryProposal[] {
  return database
    .prepare<[object], ProposalRow>(
      `SELECT * FROM memory_proposal WHERE declined = 0 AND (@session IS NULL OR session_id = @session)
       ORDER BY rowid DESC LIMIT 500`,
    )
    .all({ session: sessionId ?? null })
    .map(proposalOf)
}

function proposalOf(row: ProposalRow): MemoryProposal {
  return {
    id: row.id,
    text: row.text,
    kind: row.kind as MemoryKind,
    importance: row.importance,
    confidence: row.confidence,
    entities: storedJson<string[]>(row.entities, []),
    source: { kind: 'conversation', sessionId: row.session_id, messageId: row.message_id, quote: row.quote },
    createdAt: row.created_at,
  }
}

/** The proposal becomes a memory, in the words a person may have changed. */
export function acceptProposal(
  database: WriteDatabase,
  accepted: { proposalId: string; text?: string | undefined },
  context: WriteContext,
): Written {
  return database
    .transaction(() => {
      const row = database
        .prepare<[string], ProposalRow>('SELECT * FROM memory_proposal WHERE id = ? AND declined = 0')
        .get(accepted.proposalId)
      if (row === undefined)
        throw new AppError('not_found', 'This proposal is gone: it was decided elsewhere, or its chat was deleted.')
      const { id: _id, createdAt: _at, ...draft } = proposalOf(row)
      database.prepare('DELETE FROM memory_proposal WHERE id = ?').run(row.id)
      return saveMemory(database, { ...draft, text: accepted.text ?? draft.text }, context)
    })
    .immediate()
}

/** The words go at once; what stays is a fingerprint, so that the same thing is not proposed again. */
export function declineProposals(database: WriteDatabase, ids: readonly string[]): string[] {
  const decline = database.prepare(
    "UPDATE memory_proposal SET declined = 1, text = '', quote = '', entities = '[]' WHERE id = ? AND declined = 0",
  )
  return database.transaction(() => ids.filter((id) => decline.run(id).changes > 0)).immediate()
}

/** With a chat or a message that is gone for good go what was found in it and not yet decided. */
export function forgetRead(
  database: WriteDatabase,
  gone: { sessionIds: readonly string[]; messageIds: readonly string[] },
): number {
  const among = (column: string) => `${column} IN (SELECT value FROM json_each(?))`
  const lists = { session_id: JSON.stringify(gone.sessionIds), message_id: JSON.stringify(gone.messageIds) }
  return database
    .transaction(() => {
      let removed = 0
      for (const column of ['session_id', 'message_id'] as const) {
        removed += database.prepare(`DELETE FROM memory_proposal WHERE ${among(column)}`).run(lists[column]).changes
        database.prepare(`DELETE FROM memory_read_message WHERE ${among(column)}`).run(lists[column])
      }
      return removed
    })
    .immediate()
}
