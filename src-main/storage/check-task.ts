import BetterSqlite3 from 'better-sqlite3'
import type { Holdings } from './contract'
import { checkPages } from './damage'
import { isDamageError } from './damage-error'
import { openForReading } from './read-only'

/** `counting`: statements that give one row each, with the columns of `Holdings`. */
export interface CheckTask {
  file: string
  counting?: string
}

export type CheckAnswer = { finding?: string; holds?: Holdings }

/** Reads a file whole and counts what is in it. Runs on a thread of its own. */
export function checkFile({ file, counting }: CheckTask): CheckAnswer {
  const finding = checkPages(file, true)
  const holds = counting === undefined ? undefined : count(file, counting)
  return { ...(finding === undefined ? {} : { finding }), ...(holds === undefined ? {} : { holds }) }
}

function count(file: string, counting: string): Holdings | undefined {
  let reader: ReturnType<typeof openForReading> | undefined
  try {
    reader = openForReading(file)
    const row = reader.database
      .prepare<[], { chats: number; messages: number; newestAt: string | null }>(counting)
      .get()
    if (!row) return undefined
    const { newestAt, ...counts } = row
    return newestAt === null ? counts : { ...counts, newestAt }
  } catch (error) {
    // a file of another program has no such tables
    if (isDamageError(error) || (error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_ERROR')) {
      return undefined
    }
    throw error
  } finally {
    reader?.close()
  }
}
