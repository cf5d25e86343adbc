import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'
import { strToU8, zipSync } from 'fflate'
import { expect } from 'vitest'
import { makePdf } from '../../e2e/support/make-pdf'

const CARD = { spec: 'chara_card_v3', data: { name: 'Fog', character_book: { entries: [] } } }
const CHAT = [{ id: 'c', title: 'Tides', mapping: { a: { id: 'a', message: message('Hello') } } }]
function message(text: string) {
  return { author: { role: 'user' }, content: { content_type: 'text', parts: [text] } }
}

export interface FirstTask {
  /** What `serveThread` was told; absent for a worker with words of its own. */
  room?: string
  task: unknown
  answer: unknown
}

/** A first task for each worker of the app, by its file's name: small, but through everything it loads late. */
export const firstTasks = (folder: string): Record<string, FirstTask> => ({
  'token-worker': {
    task: { id: 1, encoding: 'o200k', texts: ['fog', ''] },
    answer: { id: 1, counts: [expect.any(Number), 0] },
  },
  'check-worker': { room: 'check-files', task: { file: soundFile(folder) }, answer: {} },
  'engine-worker': { room: 'memory-engine', task: { do: 'count' }, answer: 0 },
  'lance-worker': {
    room: 'memory-lance',
    task: { do: 'open', folder, table: 'first', dimensions: 4 },
    answer: undefined,
  },
  'built-in-worker': { room: 'built-in-embedder', task: { texts: ['fog'] }, answer: [expect.anything()] },
  'file-worker': {
    room: 'worldbook-files',
    task: { do: 'read', fileName: 'fog.charx', dataBase64: zipped('card.json', CARD).toString('base64') },
    answer: expect.objectContaining({ kind: 'read' }),
  },
  'scan-worker': {
    room: 'worldbook-scan',
    task: { do: 'build', terms: 'fog\u0000harbour' },
    answer: expect.objectContaining({ kind: 'build' }),
  },
  'pdf-worker': { room: 'attachment-pdf', task: makePdf('Tides'), answer: { kind: 'text', text: 'Tides' } },
  'foreign-worker': {
    room: 'foreign-chats',
    task: { do: 'open', file: { fileName: 'export.zip', bytes: zipped('conversations.json', CHAT) } },
    answer: expect.objectContaining({ kind: 'opened', format: 'chatgpt' }),
  },
})

function soundFile(folder: string): string {
  const file = join(folder, 'sound.sqlite')
  new BetterSqlite3(file).exec('CREATE TABLE tide (hour TEXT)').close()
  return file
}

function zipped(name: string, value: unknown): Buffer {
  return Buffer.from(zipSync({ [name]: strToU8(JSON.stringify(value)) }))
}

/** The first thing the thread says; rejects when it ends before. */
export function firstAnswer(path: string, { room, task }: FirstTask): Promise<unknown> {
  const worker = new Worker(path, room === undefined ? {} : { workerData: { room } })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The worker ended with ${code} before it answered.`)))
    worker.postMessage(room === undefined ? task : { id: 1, task })
  }).finally(() => worker.terminate())
}
