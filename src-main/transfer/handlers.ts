import { strToU8, unzipSync, zipSync } from 'fflate'
import type { Emit } from '../app-contract'
import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import { said } from '../ipc/said-contract'
import type { Message } from '../sessions/contract'
import { getFolder, listFolders, saveFolder } from '../sessions/folder-rows'
import type { SessionStore } from '../sessions/session-store'
import { listTags, saveTag } from '../sessions/tag-rows'
import type { WriteDatabase } from '../storage/database'
import type { TransferReport, transferCalls } from './contract'
import { type ExportPrompt, jsonLines } from './export-json'
import { fileNameOf, sessionMarkdown } from './export-markdown'
import { importForeign } from './foreign-chat'
import { isChatGpt, readChatGpt } from './import-chatgpt'
import { isCherryStudio, readCherryStudio } from './import-cherry-studio'
import { firstJsonLine, isSillyTavern, readSillyTavern } from './import-sillytavern'
import { importStrata } from './import-strata'
import { parseJson, unreadable } from './item-lines'

const MEGABYTE = 1024 * 1024
const LARGEST_FILE = 1024 * MEGABYTE
/** What a text in JavaScript can hold; our own files are read line by line and may be larger. */
const LARGEST_TEXT = 500 * MEGABYTE
/** An answer of the app is one text, and base64 is a third larger. */
const LARGEST_EXPORT = 350 * MEGABYTE

export interface TransferDeps {
  database: WriteDatabase
  store: SessionStore
  ids: () => string
  /** Milliseconds since 1970. */
  now: () => number
  emit: Emit
  prompts: { list: () => readonly ExportPrompt[]; insert: (prompt: ExportPrompt) => void }
  /** What was sent for an answer, one record per model call; [] where nothing was kept. */
  readRecords: (messageId: string) => readonly unknown[]
}

export function transferHandlers(deps: TransferDeps): Handlers<typeof transferCalls> {
  return {
    'transfer.import': async ({ fileName, dataBase64, dryRun }) => {
      const bytes = Buffer.from(dataBase64, 'base64')
      const report = await importFile(deps, { fileName, bytes }, dryRun ?? false)
      if (!report.dryRun) announce(deps, report)
      return report
    },
    'transfer.export': async ({ sessionIds, format }) => {
      const sessions = sessionIds.flatMap((id) => deps.store.getSession(id) ?? [])
      const [first] = sessions
      if (!first) throw new AppError('not_found', 'None of these chats exists any more. Reload the list of chats.')
      const name = sessions.length === 1 ? fileNameOf(first.title) : `strata-${sessions.length}-chats`
      return format === 'json'
        ? { fileName: `${name}.strata.json`, dataBase64: await jsonFile(deps, sessionIds) }
        : markdownFile(deps, name, sessions)
    },
    'transfer.record': ({ messageId }) => {
      const message = deps.store.requireMessage(messageId)
      const records = deps.readRecords(messageId)
      if (records.length === 0) {
        throw new AppError('not_found', 'For this message nothing was sent: choose an answer of a model.')
      }
      const bundle = { format: 'strata-record', version: 1, exportedAt: nowIso(deps), message, records }
      return {
        fileName: `record-${fileNameOf(message.createdAt)}.json`,
        dataBase64: base64(JSON.stringify(bundle, null, 2)),
      }
    },
  }
}

const nowIso = (deps: TransferDeps): string => new Date(deps.now()).toISOString()
const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function jsonFile(deps: TransferDeps, sessionIds: readonly string[]): Promise<string> {
  const source = {
    store: deps.store,
    folders: listFolders(deps.database),
    tags: listTags(deps.database),
    prompts: deps.prompts.list(),
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const line of jsonLines(source, sessionIds, nowIso(deps))) {
    const chunk = Buffer.from(line)
    bytes += chunk.length
    if (bytes > LARGEST_EXPORT) {
      const message = `These chats take more than ${LARGEST_EXPORT / MEGABYTE} MB. Export fewer at a time.`
      throw new AppError('import.too_large', message)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('base64')
}

function markdownFile(
  deps: TransferDeps,
  name: string,
  sessions: readonly Parameters<typeof sessionMarkdown>[0][],
): { fileName: string; dataBase64: string } {
  const write = (session: (typeof sessions)[number]): string => {
    const messages: Message[] = deps.store.branchOf(session.id)
    return sessionMarkdown(session, messages)
  }
  const [only] = sessions
  if (only && sessions.length === 1) return { fileName: `${name}.md`, dataBase64: base64(write(only)) }
  const files: Record<string, Uint8Array> = {}
  for (const session of sessions) {
    let fileName = fileNameOf(session.title)
    for (let number = 2; `${fileName}.md` in files; number += 1) fileName = `${fileNameOf(session.title)} ${number}`
    files[`${fileName}.md`] = strToU8(write(session))
  }
  return { fileName: `${name}.zip`, dataBase64: Buffer.from(zipSync(files)).toString('base64') }
}

interface GivenFile {
  fileName: string
  bytes: Uint8Array
}

async function importFile(deps: TransferDeps, given: GivenFile, dryRun: boolean): Promise<TransferReport> {
  const file = unpacked(given)
  checkSize(file.bytes, LARGEST_FILE)
  const foreign = { store: deps.store, ids: deps.ids, nowIso: () => nowIso(deps) }
  const start = new TextDecoder().decode(file.bytes.subarray(0, 2048)).trimStart()
  if (/^\{\s*"format"\s*:\s*"strata"/.test(start)) return importStrata(file.bytes, importTarget(deps), dryRun)
  if (isSillyTavern(firstJsonLine(file.bytes))) {
    return importForeign(readSillyTavern(file.bytes, file.fileName), foreign, dryRun)
  }
  checkSize(file.bytes, LARGEST_TEXT)
  const value = parseJson(new TextDecoder().decode(file.bytes))
  if (isChatGpt(value)) return importForeign(readChatGpt(value), foreign, dryRun)
  if (isCherryStudio(value)) return importForeign(readCherryStudio(value), foreign, dryRun)
  throw unreadable(
    'it is no export of Strata, ChatGPT (conversations.json), Cherry Studio or SillyTavern (chat .jsonl)',
  )
}

function checkSize(bytes: { length: number }, limit: number): void {
  if (bytes.length <= limit) return
  throw new AppError(
    'import.too_large',
    said`The file has ${Math.ceil(bytes.length / MEGABYTE)} MB; up to ${limit / MEGABYTE} MB can be read. Export fewer chats at a time.`,
  )
}

/** ChatGPT and Cherry Studio hand out ZIP files; only the one entry with the chats is unpacked. */
function unpacked(file: GivenFile): GivenFile {
  if (file.bytes[0] !== 0x50 || file.bytes[1] !== 0x4b) return file
  const wanted = ['conversations.json', 'data.json']
  try {
    const entries = unzipSync(file.bytes, {
      filter: ({ name, originalSize }) => {
        const isWanted = wanted.includes(name.split('/').at(-1) ?? '')
        if (isWanted) checkSize({ length: originalSize }, LARGEST_TEXT)
        return isWanted
      },
    })
    const [entry] = Object.entries(entries)
    if (entry) return { fileName: entry[0], bytes: entry[1] }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unreadable('the ZIP file is damaged', error)
  }
  throw unreadable('the ZIP file holds neither conversations.json nor data.json')
}

function importTarget(deps: TransferDeps): Parameters<typeof importStrata>[1] {
  const { database, store, ids, prompts } = deps
  return {
    store,
    ids,
    nowIso: () => nowIso(deps),
    folders: {
      has: (id) => getFolder(database, id) !== undefined,
      insert: (folder) => saveFolder(database, folder, true),
    },
    tags: { list: () => listTags(database), insert: (tag) => saveTag(database, tag, true) },
    prompts: { has: (id) => prompts.list().some((prompt) => prompt.id === id), insert: prompts.insert },
  }
}

/** Sessions told about themselves as they were written. */
function announce(deps: TransferDeps, report: TransferReport): void {
  if (report.sessionIds.length === 0) return
  deps.emit('folders.changed', { ids: listFolders(deps.database).map((folder) => folder.id) })
  deps.emit('tags.changed', { ids: listTags(deps.database).map((tag) => tag.id) })
  if (report.prompts > 0) deps.emit('system-prompts.changed', { ids: deps.prompts.list().map((prompt) => prompt.id) })
}
