import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { storedJson } from '../storage/stored-json'
import type { Session, SessionPatch, SessionSettings } from './contract'

export interface SessionRow {
  seq: number
  id: string
  title: string
  title_source: Session['titleSource']
  temporary: number
  folder_id: string | null
  global_prompt_id: string | null
  topic_prompt: string
  enhanced_prompt: string | null
  worldbook_ids: string
  isolation: number
  model_id: string | null
  history_limit: number | null
  layout: SessionSettings['layout']
  tool_choices: string
  working_folder: string | null
  summarise: number
  pinned: number
  archived: number
  removed_at: string | null
  fork_session_id: string | null
  fork_message_id: string | null
  created_at: string
  updated_at: string
  message_count: number
  snippet: string
  unread: number
}

/** What a new session may say about itself; the rest takes the defaults below. */
export type NewSession = Partial<SessionSettings> & {
  id: string
  title?: string | undefined
  titleSource?: Session['titleSource'] | undefined
  temporary?: boolean | undefined
  folderId?: string | null | undefined
  tagIds?: string[] | undefined
  pinned?: boolean | undefined
  archived?: boolean | undefined
  removedAt?: string | undefined
  unread?: boolean | undefined
  forkedFrom?: { sessionId: string; messageId: string } | undefined
  createdAt: string
  updatedAt?: string | undefined
}

const COLUMNS = `(id, title, title_source, temporary, folder_id, global_prompt_id, topic_prompt, enhanced_prompt,
  worldbook_ids, isolation, model_id, history_limit, layout, tool_choices, working_folder, summarise, pinned, archived,
  removed_at, fork_session_id, fork_message_id, created_at, updated_at, unread, message_count, snippet)`

const flag = (value: boolean | undefined): number => (value ? 1 : 0)

export function insertSession(database: WriteDatabase, session: NewSession): Session {
  insertSessionRow(database, session)
  return requireSession(database, session.id)
}

export function insertSessionRow(database: WriteDatabase, session: NewSession): void {
  const title = session.title ?? ''
  database
    .prepare(`INSERT INTO session ${COLUMNS} VALUES (${Array(24).fill('?').join(', ')}, 0, '')`)
    .run(
      session.id,
      title,
      session.titleSource ?? (title === '' ? 'auto' : 'user'),
      flag(session.temporary),
      session.folderId ?? null,
      session.globalPromptId ?? null,
      session.topicPrompt ?? '',
      session.enhancedPrompt ?? null,
      JSON.stringify(session.worldbookIds ?? []),
      flag(session.isolation),
      session.modelId ?? null,
      session.historyLimit ?? null,
      session.layout ?? null,
      JSON.stringify(session.toolChoices ?? {}),
      session.workingFolder ?? null,
      flag(session.summarise ?? true),
      flag(session.pinned),
      flag(session.archived),
      session.removedAt ?? null,
      session.forkedFrom?.sessionId ?? null,
      session.forkedFrom?.messageId ?? null,
      session.createdAt,
      session.updatedAt ?? session.createdAt,
      flag(session.unread),
    )
  if (session.tagIds) replaceTags(database, session.id, session.tagIds)
}

export function replaceTags(database: WriteDatabase, sessionId: string, tagIds: readonly string[]): void {
  database.prepare('DELETE FROM session_tag WHERE session_id = ?').run(sessionId)
  const insert = database.prepare('INSERT OR IGNORE INTO session_tag (session_id, tag_id) VALUES (?, ?)')
  for (const tagId of tagIds) insert.run(sessionId, tagId)
}

export function tagIdsOf(database: ReadDatabase, sessionIds: readonly string[]): Map<string, string[]> {
  const rows = database
    .prepare<[string], { session_id: string; tag_id: string }>(
      `SELECT session_id, tag_id FROM session_tag JOIN tag ON tag.id = tag_id
       WHERE session_id IN (SELECT value FROM json_each(?)) ORDER BY tag.name, tag.id`,
    )
    .all(JSON.stringify(sessionIds))
  const found = new Map<string, string[]>()
  for (const row of rows) found.set(row.session_id, [...(found.get(row.session_id) ?? []), row.tag_id])
  return found
}

export function toSession(row: SessionRow, tagIds: string[]): Session {
  return {
    id: row.id,
    title: row.title,
    titleSource: row.title_source,
    temporary: row.temporary === 1,
    folderId: row.folder_id,
    tagIds,
    globalPromptId: row.global_prompt_id,
    topicPrompt: row.topic_prompt,
    enhancedPrompt: row.enhanced_prompt,
    worldbookIds: storedJson<string[]>(row.worldbook_ids, []),
    isolation: row.isolation === 1,
    modelId: row.model_id,
    historyLimit: row.history_limit,
    layout: row.layout,
    toolChoices: storedJson<Session['toolChoices']>(row.tool_choices, {}),
    workingFolder: row.working_folder,
    summarise: row.summarise === 1,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    ...(row.removed_at === null ? {} : { removedAt: row.removed_at }),
    ...(row.fork_session_id !== null && row.fork_message_id !== null
      ? { forkedFrom: { sessionId: row.fork_session_id, messageId: row.fork_message_id } }
      : {}),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    messageCount: row.message_count,
    snippet: row.snippet,
    ...(row.unread === 1 ? { unread: true } : {}),
  }
}

export function getSession(database: ReadDatabase, id: string): Session | undefined {
  const row = database.prepare<[string], SessionRow>('SELECT * FROM session WHERE id = ? AND arriving = 0').get(id)
  if (!row) return undefined
  const isolatedMessages = countIsolated(database, id)
  const session = toSession(row, tagIdsOf(database, [id]).get(id) ?? [])
  return isolatedMessages > 0 ? { ...session, isolatedMessages } : session
}

function countIsolated(database: ReadDatabase, id: string): number {
  const counted = database
    .prepare<[string], { count: number }>('SELECT count(*) AS count FROM message WHERE session_id = ? AND isolated = 1')
    .get(id)
  return counted?.count ?? 0
}

export function sessionsAllowing(database: ReadDatabase): Pick<Session, 'id' | 'toolChoices'>[] {
  return database
    .prepare<[], Pick<SessionRow, 'id' | 'tool_choices'>>(
      `SELECT id, tool_choices FROM session WHERE instr(tool_choices, '"allow"') > 0`,
    )
    .all()
    .map((row) => ({ id: row.id, toolChoices: JSON.parse(row.tool_choices) as Session['toolChoices'] }))
}

/** @throws not_found */
export function requireSession(database: ReadDatabase, id: string): Session {
  const session = getSession(database, id)
  if (!session) throw new AppError('not_found', 'This chat does not exist any more. Reload the list of chats.')
  return session
}

const PATCH_COLUMNS = {
  title: 'title',
  globalPromptId: 'global_prompt_id',
  topicPrompt: 'topic_prompt',
  enhancedPrompt: 'enhanced_prompt',
  worldbookIds: 'worldbook_ids',
  isolation: 'isolation',
  modelId: 'model_id',
  historyLimit: 'history_limit',
  layout: 'layout',
  folderId: 'folder_id',
  toolChoices: 'tool_choices',
  workingFolder: 'working_folder',
  summarise: 'summarise',
  pinned: 'pinned',
  archived: 'archived',
  unread: 'unread',
} as const satisfies Partial<Record<keyof SessionPatch, string>>

const toColumn = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value
}

/** Changes the named fields. A title given here counts as the user's. @throws not_found */
export function patchSession(database: WriteDatabase, id: string, patch: SessionPatch): Session {
  const before = requireSession(database, id)
  if (before.temporary && (patch.folderId || patch.tagIds?.length)) {
    throw new AppError(
      'bad_input',
      'A temporary chat cannot be filed in a folder or tagged: it is gone when it is closed.',
    )
  }
  const entries = Object.entries(PATCH_COLUMNS).flatMap(([field, column]): [string, unknown][] => {
    const value = patch[field as keyof typeof PATCH_COLUMNS]
    return value === undefined ? [] : [[column, toColumn(value)]]
  })
  if (patch.title !== undefined) entries.push(['title_source', patch.title === '' ? 'auto' : 'user'])
  if (entries.length > 0) {
    database
      .prepare(`UPDATE session SET ${entries.map(([column]) => `${column} = ?`).join(', ')} WHERE id = ?`)
      .run(...entries.map(([, value]) => value), id)
  }
  if (patch.tagIds) replaceTags(database, id, patch.tagIds)
  return requireSession(database, id)
}

/** An answer has come; whoever shows it says that it is read, through a patch. */
export function markUnread(database: WriteDatabase, id: string): void {
  database.prepare('UPDATE session SET unread = 1 WHERE id = ?').run(id)
}

/** Moves the chat to the front of the list. */
export function touchSession(database: WriteDatabase, id: string, at: string): void {
  database.prepare('UPDATE session SET updated_at = max(updated_at, ?) WHERE id = ?').run(at, id)
}

/** Sets a title nobody typed. Returns false where the user's own stands, which is never replaced. */
export function setTitle(database: WriteDatabase, id: string, title: string, source: 'auto' | 'model'): boolean {
  return (
    database
      .prepare("UPDATE session SET title = ?, title_source = ? WHERE id = ? AND title_source <> 'user'")
      .run(title, source, id).changes > 0
  )
}
