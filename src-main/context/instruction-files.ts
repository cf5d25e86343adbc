import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { asMessage, phrase, said, type Words } from '../ipc/said-contract'

/** The only name that is read. */
const FILE_NAME = 'AGENTS.md'
const MOST_BYTES = 100 * 1024
const CUT_NOTE = '\n[The rest of this file was left out: it is longer than 100 KiB.]'

export interface InstructionFile {
  id: string
  name: string
  /** Seen from the folder it belongs to, with `/`; never a path of this machine. */
  path: string
  text: string
}

/** What the folder of a session asks for, and what could not be read of it. */
export interface Instructions {
  files: readonly InstructionFile[]
  problems: readonly { code: 'instructions_unreadable'; message: string; words?: Words }[]
}

export const NO_INSTRUCTIONS: Instructions = { files: [], problems: [] }

interface Candidate {
  id: string
  /** Where it was looked for. */
  file: string
  path: string
  /** Its real place must be inside; undefined = the person's own, wherever it links to. */
  root?: string
}

/** The repository around a folder; without one the folder itself. */
function rootOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return folder
  }
}

/** From the working folder upward to the root; the first that has a file of the name counts. */
function nearest(workingFolder: string): Candidate | undefined {
  const root = rootOf(workingFolder)
  for (let at = workingFolder; ; at = dirname(at)) {
    const file = join(at, FILE_NAME)
    if (existsSync(file)) {
      return { id: 'instructions:folder', file, path: relative(root, file).split(sep).join('/'), root }
    }
    if (at === root || dirname(at) === at) return undefined
  }
}

const isInside = (root: string, file: string): boolean => {
  const path = relative(root, file)
  return path !== '' && !path.startsWith('..') && !isAbsolute(path)
}

/** At most 100 KiB of a regular file, whole characters. A pipe or device is refused before it can block. */
function readBounded(file: string): string {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!fstatSync(handle).isFile()) throw new Error('it is no file')
    const bytes = Buffer.alloc(MOST_BYTES + 1)
    let length = 0
    for (let more = -1; more !== 0 && length < bytes.length; length += more) {
      more = readSync(handle, bytes, length, bytes.length - length, null)
    }
    if (length <= MOST_BYTES) return bytes.toString('utf8', 0, length)
    let end = MOST_BYTES
    while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
    return bytes.toString('utf8', 0, end) + CUT_NOTE
  } finally {
    closeSync(handle)
  }
}

/**
 * The user's own `AGENTS.md` in the app's folder, then the nearest one from the working folder up to the root of its
 * repository. Never throws: what cannot be read is a problem to show. The same file found twice is sent once.
 */
export function readInstructionFiles(folders: { appFolder: string; workingFolder: string }): Instructions {
  const own = join(folders.appFolder, FILE_NAME)
  const found: (Candidate | undefined)[] = [
    existsSync(own) ? { id: 'instructions:user', file: own, path: FILE_NAME } : undefined,
    isAbsolute(folders.workingFolder) ? nearest(folders.workingFolder) : undefined,
  ]
  const files: InstructionFile[] = []
  const problems: Instructions['problems'][number][] = []
  const seen = new Set<string>()
  for (const candidate of found) {
    if (!candidate) continue
    const { id, file, path, root } = candidate
    try {
      const real = realpathSync(file)
      if (seen.has(real)) continue
      seen.add(real)
      if (root !== undefined && !isInside(realpathSync(root), real)) throw new Error('it links to a place outside')
      const text = readBounded(real).replace(/^\uFEFF/, '')
      if (text.trim() !== '') files.push({ id, name: FILE_NAME, path, text })
    } catch (error) {
      const why = error instanceof Error && 'code' in error ? String(error.code) : String((error as Error).message)
      const message = said`${path} could not be read and is left out: ${phrase(why)}.`
      problems.push({ code: 'instructions_unreadable', ...asMessage(message) })
    }
  }
  return { files, problems }
}
