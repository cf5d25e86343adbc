/**
 * Encrypts API keys before they reach the disk; each host brings its own. `os`: the system's key store. `file`: a key
 * file only this account can read. `memory`: nothing encrypted now can be read after the process ends.
 */
export interface KeyCipher {
  readonly kind: 'os' | 'file' | 'memory'
  encrypt(text: string): Promise<Uint8Array>
  /** Rejects when the bytes were made under another key, or were changed. */
  decrypt(bytes: Uint8Array): Promise<string>
  /** Present where only memory is safe and a file is possible: turns `kind` to `file` once the user agreed. */
  allowFile?(): Promise<void>
}
