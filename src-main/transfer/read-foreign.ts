import { gunzipSync } from 'node:zlib'
// the package's Node build declares a `require` of its own, which the bundler's worker chunk declares again
import { unzipSync } from 'fflate/browser'
import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { ForeignFile } from './foreign-chat'
import { isChatGpt, readChatGpt } from './import-chatgpt'
import { isCherryStudio, readCherryStudio } from './import-cherry-studio'
import { firstJsonLine, isSillyTavern, readSillyTavern } from './import-sillytavern'
import { parseJson, unreadable } from './item-lines'

const MEGABYTE = 1024 * 1024
/** What a text in JavaScript can hold. */
const LARGEST_TEXT = 500 * MEGABYTE

export interface GivenFile {
  fileName: string
  bytes: Uint8Array
}

export function checkSize(bytes: { length: number }, limit: number): void {
  if (bytes.length <= limit) return
  throw new AppError(
    'import.too_large',
    said`The file has ${Math.ceil(bytes.length / MEGABYTE)} MB; up to ${limit / MEGABYTE} MB can be read. Export fewer chats at a time.`,
  )
}

/** Reads a file of another app. @throws import.unreadable, import.too_large */
export function readForeign(given: GivenFile): ForeignFile {
  const [first, second] = given.bytes
  if (first === 0x50 && second === 0x4b) return readJsonTexts(unzipped(given.bytes))
  // a .bak file of the first versions of Cherry Studio
  if (first === 0x1f && second === 0x8b) return readJsonTexts([gunzipped(given.bytes)])
  if (isSillyTavern(firstJsonLine(given.bytes))) return readSillyTavern(given.bytes, given.fileName)
  checkSize(given.bytes, LARGEST_TEXT)
  return readJsonTexts([new TextDecoder().decode(given.bytes)])
}

function readJsonTexts(texts: readonly string[]): ForeignFile {
  const values = texts.map((text) => parseJson(text))
  const conversations = values.filter(isChatGpt)
  if (conversations.length > 0) return readChatGpt(conversations.flat())
  const backup = values.find(isCherryStudio)
  if (backup !== undefined) return readCherryStudio(backup)
  throw unreadable(
    'it is no export of Strata, ChatGPT (conversations.json), Cherry Studio or SillyTavern (chat .jsonl)',
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
const CHATS = /^(?!__MACOSX\/)(?:.*\/)?(?:conversations(?:[-_]\d+)?|data)\.json$/
/** From 1.8 on a backup of Cherry Studio is a copy of its browser's own folders. */
const FOLDER_COPY = /(?:^|\/)IndexedDB\//

/** Only the entries with the chats are unpacked, in the order of their names. */
function unzipped(bytes: Uint8Array): string[] {
  let size = 0
  let isFolderCopy = false
  try {
    const entries = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        isFolderCopy ||= FOLDER_COPY.test(name)
        if (!CHATS.test(name)) return false
        size += originalSize
        checkSize({ length: size }, LARGEST_TEXT)
        return true
      },
    })
    const names = Object.keys(entries).toSorted()
    if (names.length > 0) return names.map((name) => new TextDecoder().decode(entries[name]))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unreadable('the ZIP file is damaged', error)
  }
  throw unreadable(
    isFolderCopy
      ? 'it copies the inner folders of Cherry Studio, which only that program can read; export there under Data settings, Export to phone, Export to file, and choose that file'
      : 'the ZIP file holds neither conversations.json nor data.json',
  )
}
