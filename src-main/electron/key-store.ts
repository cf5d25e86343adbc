import { dialog, safeStorage } from 'electron'
import type { KeyCipher } from '../app-host'
import { fileKeyCipher, hasKeyFile, memoryKeyCipher } from '../host/key-ciphers'

/**
 * The system's key store where it is a real one. Linux without a keyring falls back to a fixed password
 * (`basic_text`), which is refused: keys then stay in memory, or in a file of mode 0600 once the person has agreed
 * (the file itself is the agreement). Call after the app is ready.
 */
export async function chooseKeyCipher(dataDir: string): Promise<KeyCipher> {
  if (await hasSystemStore()) return systemKeyCipher()
  return hasKeyFile(dataDir) ? fileKeyCipher(dataDir) : memoryKeyCipher()
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

/** Asks, then makes the key file; it is used from the next start on. Resolves to whether the person agreed. */
export async function offerKeyFile(dataDir: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Keep API keys in a file?',
    detail:
      'This system has no keyring, so API keys are forgotten when Strata closes. They can be kept encrypted, with the ' +
      'key in a file in the data folder that only your account can read. Other programs of your account could read it ' +
      'too. It takes effect at the next start.',
    buttons: ['Keep in a File', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  })
  if (response !== 0) return false
  fileKeyCipher(dataDir)
  return true
}
