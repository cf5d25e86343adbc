import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import type { SystemPrompt } from './contract'

/** A prompt as stored; how many sessions use it is the sessions room's knowledge. */
export type StoredPrompt = Omit<SystemPrompt, 'usedBySessions'>

interface Row {
  id: string
  name: string
  text: string
  is_default: number
  created_at: string
  updated_at: string
}

const COLUMNS = 'id, name, text, is_default, created_at, updated_at'

function promptOf(row: Row): StoredPrompt {
  return {
    id: row.id,
    name: row.name,
    text: row.text,
    isDefault: row.is_default === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Oldest first. */
export function listPrompts(database: ReadDatabase): StoredPrompt[] {
  return database.prepare<[], Row>(`SELECT ${COLUMNS} FROM system_prompt ORDER BY seq`).all().map(promptOf)
}

export function readPrompt(database: ReadDatabase, id: string): StoredPrompt | undefined {
  const row = database.prepare<[string], Row>(`SELECT ${COLUMNS} FROM system_prompt WHERE id = ?`).get(id)
  return row && promptOf(row)
}

/** What new sessions point at; null = none. */
export function defaultPromptId(database: ReadDatabase): string | null {
  const row = database.prepare<[], { id: string }>('SELECT id FROM system_prompt WHERE is_default = 1').get()
  return row?.id ?? null
}

export function insertPrompt(
  database: WriteDatabase,
  prompt: { id: string; name: string; text: string; nowIso: string; updatedAt?: string },
): StoredPrompt {
  const { id, name, text, nowIso, updatedAt = nowIso } = prompt
  database
    .prepare('INSERT INTO system_prompt (id, name, text, created_at, updated_at) VALUES (?, ?, ?, ?, ?)')
    .run(id, name, text, nowIso, updatedAt)
  return { id, name, text, isDefault: false, createdAt: nowIso, updatedAt }
}

/** The prompt after the change; undefined when there is none of this id. */
export function updatePrompt(
  database: WriteDatabase,
  prompt: { id: string; name: string; text: string; nowIso: string },
): StoredPrompt | undefined {
  const { id, name, text, nowIso } = prompt
  database
    .prepare('UPDATE system_prompt SET name = ?, text = ?, updated_at = ? WHERE id = ?')
    .run(name, text, nowIso, id)
  return readPrompt(database, id)
}

/** How many rows went: 0 or 1. */
export function deletePrompt(database: WriteDatabase, id: string): number {
  return database.prepare('DELETE FROM system_prompt WHERE id = ?').run(id).changes
}

/** Ids whose default flag changed. */
export function setDefaultPrompt(database: WriteDatabase, id: string | null): string[] {
  const before = defaultPromptId(database)
  if (before === id) return []
  database.prepare('UPDATE system_prompt SET is_default = 0 WHERE is_default = 1').run()
  if (id !== null) database.prepare('UPDATE system_prompt SET is_default = 1 WHERE id = ?').run(id)
  return [before, id].filter((one) => one !== null)
}
