import { AppError } from '../ipc/app-error'
import { isDamageError } from './damage-error'

/** SQLite's and the file system's own failures in words people can act on; undefined for anything else. */
export function storageError(error: unknown, readOnlyReason?: string): AppError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new AppError('storage.full', 'The disk is full. Nothing was half-written; free some space and try again.', {
      cause: error,
    })
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'EROFS') {
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
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new AppError('storage.locked', 'Another program is using the data folder. Close it and try again.', {
      cause: error,
    })
  }
  if (isDamageError(error)) {
    return new AppError(
      'storage.damaged',
      'The file that holds the chats is damaged. Nothing more was changed in it; choose in the window what to go on with.',
      { cause: error },
    )
  }
  return undefined
}
