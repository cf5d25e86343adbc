import { AppError } from '../ipc/app-error'
import { isDamageError } from './damage-error'

/** What ails the disk: no room, only readable, held by another program, or it does not answer. */
export type StorageAilment = 'full' | 'read-only' | 'held' | 'failing'

/** Codes of SQLite and of Node's file system; an extended code of SQLite begins with its plain one. */
const BY_CODE: readonly (readonly [RegExp, StorageAilment])[] = [
  // the journal's index is a file that grows: where it cannot, there is no room
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|SQLITE_IOERR_SHMSIZE)$/, 'full'],
  [/^(SQLITE_READONLY.*|EROFS)$/, 'read-only'],
  [/^SQLITE_(BUSY|LOCKED)/, 'held'],
  // what a disk answers that lost its cable, its quota service or its sectors
  [/^(SQLITE_IOERR.*|SQLITE_CANTOPEN.*|SQLITE_PROTOCOL|EIO|ESTALE|ENXIO|ENODEV)$/, 'failing'],
]

/** What was put into words already. What a failure of another kind was caused by is that failure's own business. */
const BY_WORDS: Record<string, StorageAilment> = {
  'storage.full': 'full',
  'storage.locked': 'held',
  'storage.failing': 'failing',
}

/** LanceDB passes on the operating system's own number, in words only. */
const BY_NUMBER: Record<string, StorageAilment> =
  process.platform === 'win32'
    ? { 39: 'full', 112: 'full', 19: 'read-only', 32: 'held', 33: 'held', 1117: 'failing' }
    : { 28: 'full', 122: 'full', 69: 'full', 30: 'read-only', 5: 'failing', 116: 'failing' }

/** How many causes deep a failure is looked for. */
const DEPTH = 5

/** The disk's part in a failure, also where a library wrapped it; undefined where it has none. */
export function ailmentOf(error: unknown): StorageAilment | undefined {
  let at: unknown = error
  for (let depth = 0; depth < DEPTH && at instanceof Error; depth += 1, at = at.cause) {
    if (at instanceof AppError) return BY_WORDS[at.code]
    const code = 'code' in at ? String(at.code) : ''
    const byCode = BY_CODE.find(([pattern]) => pattern.test(code))
    if (byCode) return byCode[1]
    const number = /\bos error (\d+)\b/.exec(at.message)?.[1]
    if (number !== undefined && BY_NUMBER[number]) return BY_NUMBER[number]
  }
  return undefined
}

/** SQLite's and the file system's own failures in words people can act on; undefined for anything else. */
export function storageError(error: unknown, readOnlyReason?: string): AppError | undefined {
  if (error instanceof AppError) return ailmentOf(error) || error.code === 'storage.damaged' ? error : undefined
  if (isDamageError(error)) {
    return new AppError(
      'storage.damaged',
      'The file that holds the chats is damaged. Nothing more was changed in it; choose in the window what to go on with.',
      { cause: error },
    )
  }
  const ailment = ailmentOf(error)
  if (ailment === undefined) return undefined
  if (ailment === 'full') {
    return new AppError('storage.full', 'The disk is full. Nothing was half-written; free some space and try again.', {
      cause: error,
    })
  }
  if (ailment === 'read-only') {
    if (readOnlyReason === undefined) {
      return new AppError(
        'storage.locked',
        'The data folder can only be read. Check its permissions; nothing was changed.',
        { cause: error },
      )
    }
    return new AppError(
      'storage.newer_version',
      'Nothing was stored: a newer version of Strata wrote this data folder, and this one only reads it. Install the newer version.',
      { cause: error },
    )
  }
  if (ailment === 'held') {
    return new AppError('storage.locked', 'Another program is using the data folder. Close it and try again.', {
      cause: error,
    })
  }
  return new AppError(
    'storage.failing',
    'The disk does not answer as it should. Nothing was half-written; check the disk and its connection, then try again.',
    { cause: error },
  )
}
