import { AppError } from '../ipc/app-error'
import type { ReadDatabase } from '../storage/database'
import type { Session } from './contract'
import { FOLDERS_BELOW } from './search/search'
import { type SessionRow, tagIdsOf, toSession } from './session-rows'

export interface ListOptions {
  folderId?: string | null | undefined
  tagId?: string | undefined
  query?: string | undefined
  view?: 'active' | 'archived' | 'bin' | 'all' | undefined
  modelId?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

const VIEWS = {
  active: 'removed_at IS NULL AND archived = 0',
  archived: 'removed_at IS NULL AND archived = 1',
  bin: 'removed_at IS NOT NULL',
  all: 'removed_at IS NULL',
} as const

/** `%` and `_` typed by a person are letters. */
const likeText = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

interface Place {
  pinned: number
  updatedAt: string
  seq: number
}

function readCursor(cursor: string): Place {
  const match = /^([01])\|([^|]*)\|(\d+)$/.exec(cursor)
  if (!match) throw new AppError('bad_input', 'The cursor is not one this list gave out. Start again without one.')
  return { pinned: Number(match[1]), updatedAt: match[2] ?? '', seq: Number(match[3]) }
}

/** Pinned first, then the last used. A folder shows what lies in it and in the folders inside it. */
export function listSessions(
  database: ReadDatabase,
  options: ListOptions,
): { sessions: Session[]; nextCursor: string | null } {
  const where: string[] = [VIEWS[options.view ?? 'active'], 'arriving = 0']
  const bind: (string | number)[] = []
  const add = (sql: string, ...values: (string | number)[]) => {
    where.push(sql)
    bind.push(...values)
  }
  if (options.folderId === null) add('folder_id IS NULL')
  else if (options.folderId !== undefined) add(`folder_id IN (${FOLDERS_BELOW})`, options.folderId)
  if (options.tagId !== undefined) add('id IN (SELECT session_id FROM session_tag WHERE tag_id = ?)', options.tagId)
  if (options.modelId !== undefined) add('model_id = ?', options.modelId)
  const text = options.query?.trim() ?? ''
  if (text !== '') add(`(title LIKE ? ESCAPE '\\' OR snippet LIKE ? ESCAPE '\\')`, likeText(text), likeText(text))
  if (options.cursor !== undefined) {
    const place = readCursor(options.cursor)
    add('(pinned, updated_at, seq) < (?, ?, ?)', place.pinned, place.updatedAt, place.seq)
  }
  const limit = options.limit ?? 200
  const rows = database
    .prepare<(string | number)[], SessionRow>(
      `SELECT * FROM session WHERE ${where.join(' AND ')} ORDER BY pinned DESC, updated_at DESC, seq DESC LIMIT ?`,
    )
    .all(...bind, limit + 1)
  const page = rows.slice(0, limit)
  const tags = tagIdsOf(
    database,
    page.map((row) => row.id),
  )
  const last = page.at(-1)
  return {
    sessions: page.map((row) => toSession(row, tags.get(row.id) ?? [])),
    nextCursor: rows.length > limit && last ? `${last.pinned}|${last.updated_at}|${last.seq}` : null,
  }
}
