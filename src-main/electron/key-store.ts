import { safeStorage } from 'electron'
import { memoryUntilAgreed } from '../host/key-ciphers'
import type { KeyCipher } from '../settings/key-cipher'

/**
 * The system's key store where it is a real one. Linux without a keyring falls back to a fixed password
 * (`basic_text`), which is refused: keys then stay in memory, or in a file of mode 0600 once the person has agreed.
 * Call after the app is ready.
 */
export async function chooseKeyCipher(dataDir: string): Promise<KeyCipher> {
  return (await hasSystemStore()) ? systemKeyCipher() : memoryUntilAgreed(dataDir)
}

async function hasSystemStore(): Promise<boolean> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return false
  if (process.platform !== 'linux') return true
  const backend = safeStorage.getSelectedStorageBackend()
  return backend !== 'basic_text' && backend !== 'unknown'
}

function systemKeyCipher(): KeyCipher {
  return {
    kind: 'os',
    encrypt: async (text) => new Uint8Array(await safeStorage.encryptStringAsync(text)),
    decrypt: async (bytes) => (await safeStorage.decryptStringAsync(Buffer.from(bytes))).result,
  }
}
