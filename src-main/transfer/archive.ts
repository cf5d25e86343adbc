// the package's Node build declares a `require` of its own, which the bundler's worker chunk declares again
import { unzipSync } from 'fflate/browser'
import { AppError } from '../ipc/app-error'
import { unreadable } from './item-lines'

/** An entry of a ZIP file that is no folder and none of a Mac's own. */
export interface ArchiveEntry {
  name: string
  /** Bytes, unpacked. */
  size: number
}

export interface Archive {
  entries: readonly ArchiveEntry[]
  /** By their names. What is not there is left out. Nothing grows past the size its entry states. */
  read(names: readonly string[]): Map<string, Uint8Array>
}

const MOST_ENTRIES = 200_000
const IGNORED = /(?:^|\/)(?:__MACOSX|\.)[^/]*(?:\/|$)|\/$/

/** @throws import.unreadable, import.too_large */
export function openArchive(bytes: Uint8Array): Archive {
  const entries: ArchiveEntry[] = []
  unpack(bytes, ({ name, originalSize }) => {
    if (entries.length >= MOST_ENTRIES) {
      throw new AppError(
        'import.too_large',
        'The ZIP file holds more than 200,000 files, which no export of chats does.',
      )
    }
    if (!IGNORED.test(name)) entries.push({ name, size: originalSize })
    return false
  })
  return {
    entries,
    read(names) {
      const wanted = new Set(names)
      return new Map(Object.entries(unpack(bytes, ({ name }) => wanted.has(name))))
    },
  }
}

function unpack(bytes: Uint8Array, filter: (entry: { name: string; originalSize: number }) => boolean) {
  try {
    return unzipSync(bytes, { filter })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unreadable('the ZIP file is damaged or was cut off; download or export it again', error)
  }
}
