import type { KeyCipher } from '../settings/key-cipher'

const MARK = 0x5a

function flip(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte ^ MARK)
}

/** Reversible and unreadable in the table, which is all a test needs. `canAllowFile` starts as `memory`. */
export function testKeyCipher(options: { kind?: KeyCipher['kind']; canAllowFile?: boolean } = {}): KeyCipher {
  let kind = options.kind ?? (options.canAllowFile ? 'memory' : 'os')
  return {
    get kind() {
      return kind
    },
    encrypt: async (text) => flip(new TextEncoder().encode(text)),
    decrypt: async (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(flip(bytes)),
    ...(options.canAllowFile
      ? {
          async allowFile() {
            kind = 'file'
          },
        }
      : {}),
  }
}
