import type { ImportReport } from '../../src-main/context/worldbook/contract'
import { type TransferReport, UPLOAD_LIMIT } from '../../src-main/transfer/contract'
import { CallError, call } from '../api/client'
import { inWords } from '../i18n/said'
import { toBase64 } from '../ui/save-file'
import { discardFile, sendFile } from './send-file'

export const MOST_BYTES = UPLOAD_LIMIT
/** A book travels as one text within a call. */
const LARGEST_BOOK = 64 * 1024 * 1024

export interface ImportPlan {
  fileName: string
  /** Chats lie with the host, sent in pieces; a book is still here. */
  content: { room: 'transfer'; uploadId: string } | { room: 'worldbook'; dataBase64: string }
  counts: {
    key: 'chats' | 'messages' | 'files' | 'prompts' | 'snippets' | 'settings' | 'books' | 'entries'
    count: number
  }[]
  existing: number
  collisions: number
  /** Pictures and files that messages name and the export does not hold. */
  missingFiles: number
  skipped: string[]
  kept: string[]
  warnings: string[]
}

const some = <K extends ImportPlan['counts'][number]['key']>(counts: Record<K, number>): ImportPlan['counts'] =>
  (Object.entries(counts) as [K, number][]).filter(([, count]) => count > 0).map(([key, count]) => ({ key, count }))

/** What the file holds, nothing saved. Books and cards are tried where a file is neither clearly one nor the other. */
export async function dryImport(file: File): Promise<ImportPlan> {
  if (/\.(?:png|charx)$/i.test(file.name)) return dryBook(file)
  const uploadId = await sendFile(file)
  try {
    return chatPlan(
      file.name,
      { room: 'transfer', uploadId },
      await call('transfer.import-sent', { uploadId, dryRun: true }),
    )
  } catch (error) {
    discardFile(uploadId)
    const isNoChat = error instanceof CallError && error.code === 'import.unreadable'
    if (!isNoChat || !/\.json$/i.test(file.name) || file.size > LARGEST_BOOK) throw error
    // no chats in it: perhaps a worldbook; if that fails too, the first reason is the one to show
    return dryBook(file).catch(() => Promise.reject(error))
  }
}

async function dryBook(file: File): Promise<ImportPlan> {
  const dataBase64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  return bookPlan(
    file.name,
    dataBase64,
    await call('worldbook.import', { fileName: file.name, dataBase64, dryRun: true }),
  )
}

function chatPlan(fileName: string, content: ImportPlan['content'], report: TransferReport): ImportPlan {
  const { sessions, messages, files, prompts, snippets = 0, settings = 0, warnings, warningWords } = report
  return {
    fileName,
    content,
    counts: some({ chats: sessions.imported, messages, files: files?.attached ?? 0, prompts, snippets, settings }),
    existing: sessions.existing,
    collisions: 0,
    missingFiles: files?.missing ?? 0,
    skipped: sessions.skipped.map(({ index, title, reason }) => `${title ?? index + 1}: ${inWords(reason)}`),
    kept: [],
    warnings: warnings.map((warning, index) => inWords(warning, warningWords?.[index])),
  }
}

function bookPlan(fileName: string, dataBase64: string, report: ImportReport): ImportPlan {
  return {
    fileName,
    content: { room: 'worldbook', dataBase64 },
    counts: some({ books: report.books.length, entries: report.entries.imported }),
    existing: 0,
    collisions: report.collisions.length,
    missingFiles: 0,
    skipped: report.entries.skipped.map(({ index, reason, words }) => `${index + 1}: ${inWords(reason, words)}`),
    kept: report.keptNotExecuted,
    warnings: report.warnings.map(({ message, words }) => inWords(message, words)),
  }
}

/** Imports what the plan shows and tells what came of it. The plan may be run again after a failure. */
export async function runImport({ fileName, content }: ImportPlan): Promise<ImportPlan> {
  if (content.room === 'transfer') {
    return chatPlan(fileName, content, await call('transfer.import-sent', { uploadId: content.uploadId }))
  }
  const { dataBase64 } = content
  return bookPlan(fileName, dataBase64, await call('worldbook.import', { fileName, dataBase64, onCollision: 'copy' }))
}

/** Nobody needs the plan any more. */
export function dropPlan({ content }: ImportPlan): void {
  if (content.room === 'transfer') discardFile(content.uploadId)
}
