import { strToU8, zipSync } from 'fflate/browser'
import type { Emit } from '../app-contract'
import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import { listSnippets, saveSnippet } from '../sessions/composer-rows'
import type { Message } from '../sessions/contract'
import { getFolder, listFolders, saveFolder } from '../sessions/folder-rows'
import type { SessionStore } from '../sessions/session-store'
import { listTags, saveTag } from '../sessions/tag-rows'
import type { WriteDatabase } from '../storage/database'
import type { TransferReport, transferCalls } from './contract'
import { type ExportPrompt, type ExportSource, jsonLines } from './export-json'
import { fileNameOf, sessionMarkdown } from './export-markdown'
import { createForeignFiles, type ForeignFiles } from './foreign-files'
import { importForeign } from './import-foreign'
import { importStrata, type SettingsTarget } from './import-strata'
import { checkSize, type GivenFile } from './read-foreign'
import { FORMAT } from './strata-format'
import { createUploads, type Uploads } from './uploads'

const MEGABYTE = 1024 * 1024
const LARGEST_FILE = 1024 * MEGABYTE
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
  /** Those that may be carried to another installation. */
  settings: SettingsTarget & { carried: () => Record<string, unknown> }
  /** What was sent for an answer, one record per model call; [] where nothing was kept. */
  readRecords: (messageId: string) => readonly unknown[]
}

export interface TransferRoom {
  handlers: Handlers<typeof transferCalls>
  close(): Promise<void>
}

export function createTransferRoom(deps: TransferDeps): TransferRoom {
  const foreign = createForeignFiles()
  const uploads = createUploads(deps.ids)
  return {
    handlers: { ...importHandlers(deps, foreign, uploads), ...exportHandlers(deps) },
    async close() {
      uploads.close()
      await foreign.close()
    },
  }
}

type Exporting = 'transfer.export' | 'transfer.export-all' | 'transfer.record'
type Importing = Exclude<keyof typeof transferCalls, Exporting>

function importHandlers(
  deps: TransferDeps,
  foreign: ForeignFiles,
  uploads: Uploads,
): Pick<Handlers<typeof transferCalls>, Importing> {
  const take = async (file: GivenFile, dryRun = false) => {
    const report = await importFile(deps, foreign, file, dryRun)
    if (!report.dryRun) announce(deps, report)
    return report
  }
  return {
    'transfer.import': ({ fileName, dataBase64, dryRun }) =>
      take({ fileName, bytes: Buffer.from(dataBase64, 'base64') }, dryRun),
    'transfer.begin': (file) => uploads.begin(file),
    'transfer.append': ({ uploadId, offset, dataBase64 }) =>
      uploads.append(uploadId, offset, Buffer.from(dataBase64, 'base64')),
    'transfer.import-sent': ({ uploadId, dryRun }) => take(uploads.take(uploadId), dryRun),
    'transfer.discard': ({ uploadId }) => uploads.discard(uploadId),
  }
}

function exportHandlers(deps: TransferDeps): Pick<Handlers<typeof transferCalls>, Exporting> {
  return {
    'transfer.export': async ({ sessionIds, format }) => {
      const sessions = sessionIds.flatMap((id) => deps.store.getSession(id) ?? [])
      const [first] = sessions
      if (!first) throw new AppError('not_found', 'None of these chats exists any more. Reload the list of chats.')
      const name = sessions.length === 1 ? fileNameOf(first.title) : `strata-${sessions.length}-chats`
      return format === 'json'
        ? { fileName: `${name}.strata.json`, dataBase64: await jsonFile(deps, sessionIds) }
        : markdownFile(deps, name, sessions)
    },
    'transfer.export-all': async () => {
      const everything = { snippets: listSnippets(deps.database), settings: deps.settings.carried() }
      const dataBase64 = await jsonFile(deps, allSessionIds(deps.store), everything)
      return { fileName: `strata-${fileNameOf(nowIso(deps).slice(0, 10))}.strata.json`, dataBase64 }
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

/** Also the archived ones and those in the bin. */
function allSessionIds(store: SessionStore): string[] {
  const ids: string[] = []
  for (const view of ['all', 'bin'] as const) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = store.listSessions({ view, limit: 500, ...(cursor === undefined ? {} : { cursor }) })
      ids.push(...page.sessions.map((session) => session.id))
      cursor = page.nextCursor
    }
  }
  return ids
}

async function jsonFile(
  deps: TransferDeps,
  sessionIds: readonly string[],
  everything?: ExportSource['everything'],
): Promise<string> {
  const source: ExportSource = {
    store: deps.store,
    folders: listFolders(deps.database),
    tags: listTags(deps.database),
    prompts: deps.prompts.list(),
    ...(everything === undefined ? {} : { everything }),
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

async function importFile(
  deps: TransferDeps,
  foreign: ForeignFiles,
  file: GivenFile,
  dryRun: boolean,
): Promise<TransferReport> {
  checkSize(file.bytes, LARGEST_FILE)
  const target = importTarget(deps)
  return foreign.open(file, (opened) =>
    opened.format === FORMAT ? importStrata(opened.steps(), target, dryRun) : importForeign(opened, target, dryRun),
  )
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
    snippets: {
      has: (id) => listSnippets(database).some((snippet) => snippet.id === id),
      insert: (snippet) => saveSnippet(database, snippet, true),
    },
    settings: deps.settings,
    prompts: { has: (id) => prompts.list().some((prompt) => prompt.id === id), insert: prompts.insert },
  }
}

/** Sessions told about themselves as they were written. */
function announce(deps: TransferDeps, report: TransferReport): void {
  if (report.snippets) deps.emit('snippets.changed', { ids: listSnippets(deps.database).map((snippet) => snippet.id) })
  deps.emit('folders.changed', { ids: listFolders(deps.database).map((folder) => folder.id) })
  deps.emit('tags.changed', { ids: listTags(deps.database).map((tag) => tag.id) })
  if (report.prompts > 0) deps.emit('system-prompts.changed', { ids: deps.prompts.list().map((prompt) => prompt.id) })
}
