import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../ipc/app-error'

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Bytes by their hash: in the data folder, or in memory for what must leave nothing on disk. */
export interface BlobStore {
  put(bytes: Uint8Array): Promise<string>
  /** Undefined when there is no such blob. */
  read(sha256: string): Promise<Uint8Array | undefined>
  remove(sha256: string): Promise<void>
  list(): Promise<string[]>
}

export function memoryBlobs(): BlobStore {
  const kept = new Map<string, Uint8Array>()
  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes)
      kept.set(sha256, bytes)
      return sha256
    },
    async read(sha256) {
      return kept.get(sha256)
    },
    async remove(sha256) {
      kept.delete(sha256)
    },
    async list() {
      return [...kept.keys()]
    },
  }
}

/** One file each, in folders of the hash's first two digits. */
export function folderBlobs(folder: string): BlobStore {
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256)
  let writes = 0
  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes)
      const path = pathOf(sha256)
      if (existsSync(path) && sha256Of(await readFile(path)) === sha256) return sha256
      mkdirSync(join(folder, sha256.slice(0, 2)), { recursive: true, mode: 0o700 })
      // a crash in mid-write must not leave half a file under a hash it does not have
      writes += 1
      const partial = `${path}.${process.pid}-${writes}.part`
      try {
        await writeFile(partial, bytes, { mode: 0o600 })
        await rename(partial, path)
      } catch (error) {
        await rm(partial, { force: true })
        throw storeError(error)
      }
      return sha256
    },
    async read(sha256) {
      if (!isHash(sha256)) return undefined
      try {
        const bytes = await readFile(pathOf(sha256))
        // the name is the hash: bytes that do not fit it are not what was attached
        if (sha256Of(bytes) !== sha256) throw damagedFile()
        return bytes
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async remove(sha256) {
      if (isHash(sha256)) await rm(pathOf(sha256), { force: true })
    },
    async list() {
      if (!existsSync(folder)) return []
      const names = await readdir(folder, { recursive: true })
      return names.map((name) => name.slice(-64)).filter(isHash)
    },
  }
}

const damagedFile = (): AppError =>
  new AppError('not_found', 'This file in the attachments folder is damaged. Attach it again, or restore a backup.')

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

function storeError(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('storage.full', 'The disk is full: the file was not kept. Free some space and add it again.', {
      cause: error,
    })
  }
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return new AppError(
      'storage.locked',
      'The attachments folder cannot be written. Check the rights of the data folder.',
      {
        cause: error,
      },
    )
  }
  return error
}
