import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import { isDamageError } from './damage-error'
import { ailmentOf } from './storage-error'

/** What hinders the opening of a file or folder of ours, in words people can act on. */
export function openingError(error: unknown, file: string): AppError {
  const text = error instanceof Error ? error.message : String(error)
  if (isDamageError(error)) {
    return new AppError('storage.damaged', said`${file} is damaged and was left as it is. Restore it from a copy.`, {
      cause: error,
    })
  }
  const ailment = ailmentOf(error)
  if (ailment === 'full') {
    return new AppError('storage.full', said`The disk that holds ${file} is full. Free some space and start again.`, {
      cause: error,
    })
  }
  if (ailment === 'held') {
    return new AppError('storage.locked', said`Another program is using ${file}. Close it and start again.`, {
      cause: error,
    })
  }
  if (ailment === 'read-only' || /EACCES|EPERM|unable to open/i.test(text)) {
    return new AppError(
      'storage.locked',
      said`${file} cannot be written. Check the rights of its folder and start again.`,
      {
        cause: error,
      },
    )
  }
  if (ailment === 'failing') {
    return new AppError(
      'storage.failing',
      said`The disk that holds ${file} does not answer as it should. Nothing was changed; check the disk and start again.`,
      { cause: error },
    )
  }
  return new AppError(
    'internal',
    said`${file} could not be opened: ${text}. A copy may lie in the backups folder beside it.`,
    { cause: error },
  )
}

/** Does something with a file or folder while the app starts. @throws storage.full, storage.locked, storage.damaged, internal */
export function opening<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw openingError(error, path)
  }
}
