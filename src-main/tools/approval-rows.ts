import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { fingerprintOfDefinition, type ToolDefinition } from './definition'
import type { ApprovedTools } from './policy'

/** '' = for every chat, else the chat's id. */
type Scope = string

interface ApprovalRow {
  tool_id: string
  scope: Scope
  fingerprint: string
}

/** What was allowed for every chat and, where one is named, for that chat. */
export function approvedTools(database: ReadDatabase, sessionId?: string): ApprovedTools {
  const rows = database
    .prepare<[string], ApprovalRow>("SELECT tool_id, scope, fingerprint FROM tool_approval WHERE scope IN ('', ?)")
    .all(sessionId ?? '')
  const found = new Map<string, { always?: string; session?: string }>()
  for (const { tool_id: id, scope, fingerprint } of rows) {
    found.set(id, { ...found.get(id), [scope === '' ? 'always' : 'session']: fingerprint })
  }
  return found
}

/** The definition a person said yes to, and when. */
export function approvalOf(
  database: ReadDatabase,
  toolId: string,
  sessionId?: string,
): { definition: ToolDefinition; at: string } | undefined {
  const row = database
    .prepare<[string, string], { definition: string; at: string }>(
      'SELECT definition, at FROM tool_approval WHERE tool_id = ? AND scope = ?',
    )
    .get(toolId, sessionId ?? '')
  return row && { definition: JSON.parse(row.definition) as ToolDefinition, at: row.at }
}

export function putApproval(
  database: WriteDatabase,
  approval: { toolId: string; sessionId?: string | undefined; definition: ToolDefinition; at: string },
): void {
  const { toolId, sessionId, definition, at } = approval
  database
    .prepare(
      'INSERT OR REPLACE INTO tool_approval (tool_id, scope, definition, fingerprint, at) VALUES (?, ?, ?, ?, ?)',
    )
    .run(toolId, sessionId ?? '', JSON.stringify(definition), fingerprintOfDefinition(definition), at)
}

export function removeApproval(database: WriteDatabase, toolId: string, sessionId?: string): void {
  database.prepare('DELETE FROM tool_approval WHERE tool_id = ? AND scope = ?').run(toolId, sessionId ?? '')
}

/** With chats that are gone for good goes what was allowed in them. */
export function removeApprovalsOf(database: WriteDatabase, sessionIds: readonly string[]): void {
  database
    .prepare("DELETE FROM tool_approval WHERE scope <> '' AND scope IN (SELECT value FROM json_each(?))")
    .run(JSON.stringify(sessionIds))
}
