import { AppError } from '../../ipc/app-error'
import { said } from '../../ipc/said-contract'
import { Thread } from '../../ipc/thread'
import type { WorldbookFormat } from './contract'
import { type FileAnswer, type FileTask, type ReadFile, runFileTask, type WrittenFile } from './file-task'
import bundled from './file-worker?modulePath'
import { IMPORT_LIMITS } from './formats/limits'
import type { PackedBook } from './packed-book'

/** Characters of base64, and entries, up to which a thread would cost more than it saves. */
const SMALL_FILE = 128 * 1024
const SMALL_BOOK = 200
/** How base64 of a PNG and of a zip begins: small ones can unpack to something large. */
const PACKED_STARTS = ['iVBOR', 'UEsD']
/** A large import leaves much memory behind in its thread. */
const IDLE_MS = 20_000

/** Reads and writes worldbook files; large ones on a thread of their own. */
export interface BookFiles {
  /** @throws AppError import.unreadable, import.too_large */
  read(fileName: string, dataBase64: string): Promise<ReadFile>
  write(book: PackedBook, format: WorldbookFormat): Promise<WrittenFile>
  close(): Promise<void>
}

const isSmall = (dataBase64: string) =>
  dataBase64.length <= SMALL_FILE && !PACKED_STARTS.some((start) => dataBase64.startsWith(start))

export function createBookFiles(): BookFiles {
  const thread = new Thread<FileTask, FileAnswer>({
    bundled,
    source: new URL('./file-worker.ts', import.meta.url),
    room: 'worldbook-files',
    idleMs: IDLE_MS,
  })
  const run = async (task: FileTask, small: boolean): Promise<Exclude<FileAnswer, { kind: 'refused' }>> => {
    const answer = small ? runFileTask(task) : await thread.ask(task)
    if (answer.kind === 'refused') throw new AppError(answer.code, answer.message)
    return answer
  }
  return {
    async read(fileName, dataBase64) {
      // Told by its length, before anything is decoded.
      const bytes = Math.floor((dataBase64.length * 3) / 4)
      if (bytes > IMPORT_LIMITS.fileBytes + 2) {
        const megabytes = (size: number) => Math.round(size / 1024 / 1024)
        throw new AppError(
          'import.too_large',
          said`The file has ${megabytes(bytes)} MB; ${megabytes(IMPORT_LIMITS.fileBytes)} MB is the most. Split the book and import the parts.`,
        )
      }
      const answer = await run({ do: 'read', fileName, dataBase64 }, isSmall(dataBase64))
      if (answer.kind !== 'read') throw new Error('The worldbook file thread answered something else.')
      return answer.file
    },
    async write(book, format) {
      const answer = await run({ do: 'write', book, format }, book.ids.length <= SMALL_BOOK)
      if (answer.kind !== 'written') throw new Error('The worldbook file thread answered something else.')
      return answer.file
    },
    close: () => thread.stop('The worldbook files were closed.'),
  }
}
