import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyCipher } from '../settings/key-cipher'
import { opening } from '../storage/opening-error'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export const KEY_FILE = 'keys.secret'

/**
 * The key lies beside the data, readable by this account only (mode 0600; on Windows the folder's own rights decide).
 * It guards a copied database, not against other programs of the same account. Throws if the file is damaged: making
 * a new key silently would lose every stored API key.
 */
export function fileKeyCipher(dataDir: string): KeyCipher {
  const path = join(dataDir, KEY_FILE)
  if (!existsSync(path)) writeKey(path)
  const key = readFileSync(path)
  if (key.length !== KEY_BYTES) {
    throw new Error(`${path} is damaged. Restore it, or delete it and enter your API keys again.`)
  }
  return cipherOf('file', key)
}

/** Whole or not at all: half a key would be taken for a damaged one at every later start. @throws AppError */
function writeKey(path: string): void {
  const partial = `${path}.part`
  try {
    opening(path, () => {
      writeFileSync(partial, randomBytes(KEY_BYTES), { mode: 0o600 })
      renameSync(partial, path)
    })
  } finally {
    rmSync(partial, { force: true })
  }
}

/** A key that ends with the process. */
function memoryKeyCipher(): KeyCipher {
  return cipherOf('memory', randomBytes(KEY_BYTES))
}

/** Keys in memory until the person agrees to a file. The file itself is the agreement, and is found at the next start. */
export function memoryUntilAgreed(dataDir: string): KeyCipher {
  if (existsSync(join(dataDir, KEY_FILE))) return fileKeyCipher(dataDir)
  const memory = memoryKeyCipher()
  let current: KeyCipher = memory
  return {
    get kind() {
      return current.kind
    },
    encrypt: (text) => current.encrypt(text),
    async decrypt(bytes) {
      try {
        return await current.decrypt(bytes)
      } catch (error) {
        if (current === memory) throw error
        return memory.decrypt(bytes)
      }
    },
    async allowFile() {
      current = fileKeyCipher(dataDir)
    },
  }
}

/** AES-256-GCM; the bytes are nonce, tag, text. */
function cipherOf(kind: KeyCipher['kind'], key: Uint8Array): KeyCipher {
  return {
    kind,
    async encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), body]))
    },
    async decrypt(bytes) {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
