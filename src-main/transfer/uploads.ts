import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import { UPLOAD_LIMIT } from './contract'

const MEGABYTE = 1_000_000
/** Bytes held at once. A further file takes the place of those untouched longest. */
const MOST_BYTES = 600_000_000
/** A file nobody sends to or asks for is let go. */
const FORGET_MS = 15 * 60_000

interface Upload {
  fileName: string
  bytes: Uint8Array
  received: number
  timer?: NodeJS.Timeout
}

export interface Uploads {
  /** @throws import.too_large */
  begin(file: { fileName: string; bytes: number }): { uploadId: string }
  /** Pieces come in order. @throws not_found, bad_input for a piece that does not follow the one before */
  append(uploadId: string, offset: number, piece: Uint8Array): { received: number }
  /** @throws not_found, bad_input while pieces are missing */
  take(uploadId: string): { fileName: string; bytes: Uint8Array }
  discard(uploadId: string): { discarded: number }
  close(): void
}

/**
 * Files too large for one call, sent in pieces. They are held in memory and nowhere else: a file that is only looked at
 * leaves nothing on the disk.
 */
export function createUploads(ids: () => string): Uploads {
  const files = new Map<string, Upload>()
  const discard = (id: string) => {
    clearTimeout(files.get(id)?.timer)
    return { discarded: files.delete(id) ? 1 : 0 }
  }
  const makeRoom = (bytes: number) => {
    let held = bytes
    for (const file of files.values()) held += file.bytes.length
    for (const [id, file] of files) {
      if (held <= MOST_BYTES) return
      held -= file.bytes.length
      discard(id)
    }
  }
  const touch = (id: string): Upload => {
    const file = files.get(id)
    if (!file) throw new AppError('not_found', 'This file is not held any more. Choose it again.')
    clearTimeout(file.timer)
    // a map keeps the order of insertion: last used is last
    files.delete(id)
    files.set(id, file)
    file.timer = setTimeout(() => discard(id), FORGET_MS).unref()
    return file
  }
  return {
    begin({ fileName, bytes }) {
      if (bytes > UPLOAD_LIMIT) {
        throw new AppError(
          'import.too_large',
          said`The file has ${Math.ceil(bytes / MEGABYTE)} MB; up to ${UPLOAD_LIMIT / MEGABYTE} MB can be read. Export fewer chats at a time, or unpack a ZIP and choose conversations.json in it: the chats come without their pictures then.`,
        )
      }
      makeRoom(bytes)
      const uploadId = ids()
      files.set(uploadId, { fileName, bytes: new Uint8Array(new SharedArrayBuffer(bytes)), received: 0 })
      touch(uploadId)
      return { uploadId }
    },
    append(uploadId, offset, piece) {
      const file = touch(uploadId)
      if (offset !== file.received || offset + piece.length > file.bytes.length) {
        throw new AppError('bad_input', 'A piece of the file does not follow the one before. Choose the file again.')
      }
      file.bytes.set(piece, offset)
      file.received += piece.length
      return { received: file.received }
    },
    take(uploadId) {
      const { fileName, bytes, received } = touch(uploadId)
      if (received < bytes.length) {
        throw new AppError('bad_input', 'Pieces of the file are missing. Choose the file again.')
      }
      return { fileName, bytes }
    },
    discard,
    close() {
      for (const id of [...files.keys()]) discard(id)
    },
  }
}
