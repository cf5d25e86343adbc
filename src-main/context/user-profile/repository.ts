import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import { storedJson } from '../../storage/stored-json'
import type { ProfileChange, ProfileFact } from './contract'

const EMPTY: ProfileContent = { overview: '', facts: [] }

export interface ProfileContent {
  overview: string
  facts: ProfileFact[]
  /** Chats whose summaries the overview was made from; absent where a person wrote it, or from before this was kept. */
  overviewSessions?: string[]
}

export interface ProfileRow {
  content: ProfileContent
  updatedAt: string | null
  editedDay: string | null
  generatedDay: string | null
  lastError: string | null
}

/** Changes are kept this far back. */
const MOST_CHANGES = 200

interface StoredRow {
  content: string
  updated_at: string | null
  edited_day: string | null
  generated_day: string | null
  last_error: string | null
}

export function readProfile(database: ReadDatabase): ProfileRow {
  const row = database.prepare<[], StoredRow>('SELECT * FROM user_profile WHERE id = 1').get()
  return {
    content: storedJson<ProfileContent>(row?.content ?? '', EMPTY),
    updatedAt: row?.updated_at ?? null,
    editedDay: row?.edited_day ?? null,
    generatedDay: row?.generated_day ?? null,
    lastError: row?.last_error ?? null,
  }
}

/** Stores the new content and the change that led to it, in one transaction. Nothing is edited away. */
export function writeProfile(
  database: WriteDatabase,
  change: { id: string; at: string; day: string; origin: ProfileChange['origin']; after: ProfileContent },
): ProfileRow {
  return database.transaction(() => {
    const before = readProfile(database)
    database
      .prepare('INSERT INTO user_profile_change (id, at, origin, before, after) VALUES (?, ?, ?, ?, ?)')
      .run(change.id, change.at, change.origin, JSON.stringify(before.content), JSON.stringify(change.after))
    database
      .prepare(
        `UPDATE user_profile SET content = ?, updated_at = ?, last_error = NULL,
           edited_day = CASE WHEN ? <> 'model' THEN ? ELSE edited_day END,
           generated_day = CASE WHEN ? = 'model' THEN ? ELSE generated_day END WHERE id = 1`,
      )
      .run(JSON.stringify(change.after), change.at, change.origin, change.day, change.origin, change.day)
    database
      .prepare(
        'DELETE FROM user_profile_change WHERE id NOT IN (SELECT id FROM user_profile_change ORDER BY rowid DESC LIMIT ?)',
      )
      .run(MOST_CHANGES)
    return readProfile(database)
  })()
}

export function writeProfileError(database: WriteDatabase, error: string): void {
  database.prepare('UPDATE user_profile SET last_error = ? WHERE id = 1').run(error)
}

interface ChangeRow {
  id: string
  at: string
  origin: ProfileChange['origin']
  before: string
  after: string
  reverted: number
}

const changeOf = (row: ChangeRow): ProfileChange => ({
  id: row.id,
  at: row.at,
  origin: row.origin,
  before: storedJson<ProfileContent>(row.before, EMPTY),
  after: storedJson<ProfileContent>(row.after, EMPTY),
  reverted: row.reverted === 1,
})

/** Newest first. */
export function profileChanges(database: ReadDatabase): ProfileChange[] {
  return database.prepare<[], ChangeRow>('SELECT * FROM user_profile_change ORDER BY rowid DESC').all().map(changeOf)
}

export function markReverted(database: WriteDatabase, changeId: string): void {
  database.prepare('UPDATE user_profile_change SET reverted = 1 WHERE id = ?').run(changeId)
}

/** Forgets the profile and every trace of how it came to be. */
export function clearProfile(database: WriteDatabase, day: string): void {
  database.transaction(() => {
    database.prepare('DELETE FROM user_profile_change').run()
    database
      .prepare(
        'UPDATE user_profile SET content = ?, updated_at = NULL, edited_day = ?, generated_day = NULL, last_error = NULL WHERE id = 1',
      )
      .run('{"overview":"","facts":[]}', day)
  })()
}
