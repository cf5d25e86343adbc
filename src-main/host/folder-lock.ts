import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { opening, openingError } from '../storage/opening-error'
import { ailmentOf } from '../storage/storage-error'

/** Who holds a data folder, for the words shown to the second comer. */
export interface FolderHolder {
  pid: number
  host: 'desktop' | 'web'
  /** ISO 8601. */
  since: string
}

export interface FolderLock {
  release(): void
}

/** Another living process holds the folder. */
export class FolderHeldError extends Error {
  readonly holder: FolderHolder | undefined

  constructor(dataDir: string, holder: FolderHolder | undefined) {
    const who = holder
      ? `process ${holder.pid} (${holder.host === 'desktop' ? 'the desktop app' : 'the web host'}, since ${holder.since})`
      : 'another process'
    super(`The data folder ${dataDir} is in use by ${who}. Close it first, or choose another folder with --data.`)
    this.name = 'FolderHeldError'
    this.holder = holder
  }
}

/**
 * One process per data folder. The lock is the operating system's own, taken through SQLite on `lock.sqlite`: the
 * system drops it with the process, however that ends, so neither a crash nor a reused process id leaves a stale lock.
 * `holder.json` beside it only names the process; it decides nothing.
 * @throws FolderHeldError, AppError for a folder that cannot be written
 */
export function lockFolder(dataDir: string, holder: FolderHolder): FolderLock {
  const namePath = join(dataDir, 'holder.json')
  const database = opening(dataDir, () => new Database(join(dataDir, 'lock.sqlite'), { timeout: 0 }))
  try {
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('SQLITE_BUSY')) throw new FolderHeldError(dataDir, readHolder(namePath))
    throw openingError(error, dataDir)
  }
  writeHolder(namePath, holder)
  let held = true
  return {
    release() {
      if (!held) return
      held = false
      rmSync(namePath, { force: true })
      database.close()
    },
  }
}

/** Only names the holder: a full disk must not keep anybody from opening and reading. */
function writeHolder(path: string, holder: FolderHolder): void {
  try {
    writeFileSync(path, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  } catch (error) {
    if (ailmentOf(error) !== 'full') throw openingError(error, path)
  }
}

/** The name file may be missing or half-written for a moment; then the holder is simply unnamed. */
function readHolder(path: string): FolderHolder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('since' in value)) return undefined
    if (typeof value.pid !== 'number' || typeof value.since !== 'string') return undefined
    return { pid: value.pid, host: 'host' in value && value.host === 'desktop' ? 'desktop' : 'web', since: value.since }
  } catch {
    return undefined
  }
}
