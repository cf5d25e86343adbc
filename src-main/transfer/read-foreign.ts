import { gunzipSync } from 'node:zlib'
import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import { type Archive, type ArchiveEntry, openArchive } from './archive'
import { type ArchiveFiles, archiveFiles, NO_FILES } from './archive-files'
import { textField } from './fields'
import type { ForeignFile } from './foreign-chat'
import { isChatGpt, isChatGptChat, readChatGpt } from './import-chatgpt'
import { isCherryStudio, readCherryStudio } from './import-cherry-studio'
import { isClaude, isClaudeChat, readClaude } from './import-claude'
import { isSillyTavern, readSillyTavern } from './import-sillytavern'
import { unreadable } from './item-lines'
import { parseLenient } from './list-items'

const MEGABYTE = 1024 * 1024
/** What a text in JavaScript can hold. */
const LARGEST_TEXT = 500 * MEGABYTE

export interface GivenFile {
  fileName: string
  bytes: Uint8Array
}

/** What was read, and the archive its files lie in. */
export interface OpenedFile extends ForeignFile {
  archive?: Archive
}

export function checkSize(bytes: { length: number }, limit: number): void {
  if (bytes.length <= limit) return
  throw new AppError(
    'import.too_large',
    said`The file has ${Math.ceil(bytes.length / MEGABYTE)} MB; up to ${limit / MEGABYTE} MB can be read. Export fewer chats at a time.`,
  )
}

/** Reads a file of another app. @throws import.unreadable, import.too_large */
export function readForeign(given: GivenFile): OpenedFile {
  const [first, second] = given.bytes
  if (given.bytes.length === 0) throw unreadable('it is empty; export it again')
  if (first === 0x50 && second === 0x4b) return readArchive(openArchive(given.bytes))
  // a .bak file of the first versions of Cherry Studio
  if (first === 0x1f && second === 0x8b) return readJsonTexts([gunzipped(given.bytes)])
  if (isSillyTavern(given.bytes)) return readSillyTavern(given.bytes, given.fileName)
  checkSize(given.bytes, LARGEST_TEXT)
  return readJsonTexts([new TextDecoder().decode(given.bytes)])
}

const isChat = (value: unknown): boolean => isChatGptChat(value) || isClaudeChat(value)

function readJsonTexts(texts: readonly string[], files: ArchiveFiles = NO_FILES): ForeignFile {
  const values = texts.map((text) => parseLenient(text, isChat))
  for (const [isTheirs, read] of [
    [isChatGpt, readChatGpt],
    [isClaude, readClaude],
  ] as const) {
    const conversations = values.filter(isTheirs)
    if (conversations.length > 0) return read(conversations.flat(), files)
  }
  const backup = values.find(isCherryStudio)
  if (backup !== undefined) return readCherryStudio(backup)
  throw unreadable(
    'it is no export of Strata, ChatGPT or Claude (conversations.json or the whole ZIP), Cherry Studio or SillyTavern (chat .jsonl)',
  )
}

function gunzipped(bytes: Uint8Array): string {
  try {
    return new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: LARGEST_TEXT }))
  } catch (error) {
    throw unreadable('the compressed file is damaged or too large', error)
  }
}

/** Since 2026 ChatGPT splits what was one file: conversations-000.json, -001 and so on. */
const CHATS = /^(?:.*\/)?(?:conversations\b[^/]*|data)\.json$/i
/** Tells how the files of the export were called. */
const NAMES = /(?:^|\/)[^/]*file_names\.json$/i
/** From 1.8 on a backup of Cherry Studio is a copy of its browser's own folders. */
const FOLDER_COPY = /(?:^|\/)IndexedDB\//

/** Only the entries with the chats are unpacked now, in the order of their names; files when a message wants them. */
function readArchive(archive: Archive): OpenedFile {
  const { entries } = archive
  const named = (pattern: RegExp) => entries.filter(({ name }) => pattern.test(name))
  const chats = named(CHATS)
  if (chats.length > 0) {
    const names = fileNames(readTexts(archive, named(NAMES)))
    return { ...readJsonTexts(readTexts(archive, chats), archiveFiles(entries, names)), archive }
  }
  if (entries.some(({ name }) => FOLDER_COPY.test(name))) {
    throw unreadable(
      'it copies the inner folders of Cherry Studio, which only that program can read; export there under Data settings, Export to phone, Export to file, and choose that file',
    )
  }
  const tavern = readTavernChats(archive, named(/\.jsonl$/i))
  if (tavern) return tavern
  const others = named(/\.json$/i)
  if (others.length > 0) return { ...readJsonTexts(readTexts(archive, others), archiveFiles(entries)), archive }
  throw unreadable('the ZIP file holds neither conversations.json nor data.json')
}

function readTexts(archive: Archive, entries: readonly ArchiveEntry[]): string[] {
  checkSize({ length: entries.reduce((sum, { size }) => sum + size, 0) }, LARGEST_TEXT)
  const names = entries.map(({ name }) => name).toSorted()
  const texts = archive.read(names)
  return names.map((name) => new TextDecoder().decode(texts.get(name)))
}

function fileNames(texts: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const text of texts) {
    const value = parseLenient(text, () => false)
    for (const name of Object.keys(value ?? {})) {
      const shown = textField(value, name)
      if (shown !== '') names.set(name.slice(name.lastIndexOf('/') + 1), shown)
    }
  }
  return names
}

/** A folder of chats, one file each. */
function readTavernChats(archive: Archive, entries: readonly ArchiveEntry[]): ForeignFile | undefined {
  checkSize({ length: entries.reduce((sum, { size }) => sum + size, 0) }, LARGEST_TEXT)
  const texts = archive.read(entries.map(({ name }) => name))
  const files = [...texts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .filter(([, bytes]) => isSillyTavern(bytes))
  const [first, ...rest] = files.map(([name, bytes]) => readSillyTavern(bytes, name.slice(name.lastIndexOf('/') + 1)))
  if (!first) return undefined
  return {
    format: first.format,
    chats: [first, ...rest].flatMap((file) => file.chats),
    warnings: [first, ...rest].flatMap((file) => file.warnings),
  }
}
