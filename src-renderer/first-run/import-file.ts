import type { ImportReport } from '../../src-main/context/worldbook/contract'
import type { TransferReport } from '../../src-main/transfer/contract'
import { CallError, call } from '../api/client'
import { inWords } from '../i18n/said'
import { toBase64 } from '../ui/save-file'

/** The host's own bound is higher; beyond this the window would stall while reading. */
export const MOST_BYTES = 200_000_000

export interface ImportPlan {
  file: { name: string; dataBase64: string }
  room: 'transfer' | 'worldbook'
  counts: { key: 'chats' | 'messages' | 'prompts' | 'books' | 'entries'; count: number }[]
  existing: number
  collisions: number
  skipped: string[]
  kept: string[]
  warnings: string[]
}

const some = <K extends ImportPlan['counts'][number]['key']>(counts: Record<K, number>): ImportPlan['counts'] =>
  (Object.entries(counts) as [K, number][]).filter(([, count]) => count > 0).map(([key, count]) => ({ key, count }))

/** What the file holds, nothing saved. Books and cards are tried where a file is neither clearly one nor the other. */
export async function dryImport(file: File): Promise<ImportPlan> {
  const input = { fileName: file.name, dataBase64: toBase64(new Uint8Array(await file.arrayBuffer())) }
  const kept = { name: input.fileName, dataBase64: input.dataBase64 }
  const books = () => call('worldbook.import', { ...input, dryRun: true }).then((report) => bookPlan(kept, report))
  if (/\.(?:png|charx)$/i.test(file.name)) return books()
  try {
    return chatPlan(kept, await call('transfer.import', { ...input, dryRun: true }))
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'import.unreadable' || !/\.json$/i.test(file.name)) throw error
    // no chats in it: perhaps a worldbook; if that fails too, the first reason is the one to show
    return books().catch(() => Promise.reject(error))
  }
}

function chatPlan(file: ImportPlan['file'], report: TransferReport): ImportPlan {
  const { sessions, messages, prompts, warnings, warningWords } = report
  return {
    file,
    room: 'transfer',
    counts: some({ chats: sessions.imported, messages, prompts }),
    existing: sessions.existing,
    collisions: 0,
    skipped: sessions.skipped.map(({ index, title, reason }) => `${title ?? index + 1}: ${inWords(reason)}`),
    kept: [],
    warnings: warnings.map((warning, index) => inWords(warning, warningWords?.[index])),
  }
}

function bookPlan(file: ImportPlan['file'], report: ImportReport): ImportPlan {
  return {
    file,
    room: 'worldbook',
    counts: some({ books: report.books.length, entries: report.entries.imported }),
    existing: 0,
    collisions: report.collisions.length,
    skipped: report.entries.skipped.map(({ index, reason, words }) => `${index + 1}: ${inWords(reason, words)}`),
    kept: report.keptNotExecuted,
    warnings: report.warnings.map(({ message, words }) => inWords(message, words)),
  }
}

export async function runImport({ file, room }: ImportPlan): Promise<void> {
  const input = { fileName: file.name, dataBase64: file.dataBase64 }
  if (room === 'transfer') await call('transfer.import', input)
  else await call('worldbook.import', { ...input, onCollision: 'copy' })
}
