import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Files beside the database that its rows name: written once under the hash of their bytes, never changed. A copy can
 * therefore be a second name of the same file and takes no room of its own.
 */
const FILES = 'attachments'

const copiesOf = (folder: string, id: string): string => join(folder, `${id}.files`)

/** A second name, or a copy where the disk knows no second names. What is there already is the same file. */
async function place(from: string, to: string): Promise<void> {
  if (existsSync(to)) return
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await link(from, to)
  } catch {
    const partial = `${to}.part`
    await copyFile(from, partial)
    await rename(partial, to)
  }
}

async function placeAll(from: string, to: string): Promise<number> {
  if (!existsSync(from)) return 0
  const names = await readdir(from, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    await place(path, join(to, path.slice(from.length + 1)))
  }
  return files.length
}

/** Keeps the data folder's files beside the backup of this name. Returns how many. */
export const keepFiles = (dataDir: string, folder: string, id: string): Promise<number> =>
  placeAll(join(dataDir, FILES), copiesOf(folder, id))

/** Puts a backup's files back where they are missing. What is there stays. Returns how many the backup holds. */
export const returnFiles = (dataDir: string, folder: string, id: string): Promise<number> =>
  placeAll(copiesOf(folder, id), join(dataDir, FILES))

export const forgetFiles = (folder: string, id: string): Promise<void> =>
  rm(copiesOf(folder, id), { recursive: true, force: true })
