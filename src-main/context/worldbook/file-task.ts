import { AppError, saidBy } from '../../ipc/app-error'
import type { ErrorCode } from '../../ipc/contract'
import type { Said } from '../../ipc/said-contract'
import type { ReadResult, WorldbookFormat } from './contract'
import { readWorldbookFile } from './formats/read-worldbook-file'
import { writeWorldbookFile } from './formats/write-worldbook-file'
import { entryOf, type PackedBook, packBook, textOf, unpackTexts } from './packed-book'

/** Reading or writing one file, wherever it is done. */
export type FileTask =
  | { do: 'read'; fileName: string; dataBase64: string }
  | { do: 'write'; book: PackedBook; format: WorldbookFormat }

export interface ReadFile {
  books: PackedBook[]
  report: ReadResult['report']
}
export interface WrittenFile {
  fileName: string
  dataBase64: string
}

/** An error's class does not survive the border between threads, so a refusal is a value. */
export type FileAnswer =
  | { kind: 'read'; file: ReadFile }
  | { kind: 'written'; file: WrittenFile }
  | { kind: 'refused'; code: ErrorCode; message: Said }

function answer(task: FileTask): FileAnswer {
  if (task.do === 'write') {
    const entries = [...unpackTexts(task.book)].map(entryOf)
    const { fileName, bytes } = writeWorldbookFile({ ...task.book.head, entries }, task.format)
    return { kind: 'written', file: { fileName, dataBase64: Buffer.from(bytes).toString('base64') } }
  }
  const { books, report } = readWorldbookFile(task.fileName, Buffer.from(task.dataBase64, 'base64'))
  const packed = books.map(({ entries, ...head }) => packBook(head, entries.map(textOf)))
  return { kind: 'read', file: { books: packed, report } }
}

export function runFileTask(task: FileTask): FileAnswer {
  try {
    return answer(task)
  } catch (error) {
    if (error instanceof AppError) return { kind: 'refused', code: error.code, message: saidBy(error) }
    throw error
  }
}
