import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileKeyCipher, hasKeyFile, KEY_FILE, memoryKeyCipher } from './key-ciphers'

describe('key ciphers', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'strata-keys-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('keeps a key across starts, in a file for this account only', async () => {
    expect(hasKeyFile(dir)).toBe(false)
    const bytes = await fileKeyCipher(dir).encrypt('sk-密钥')
    expect(hasKeyFile(dir)).toBe(true)
    expect(await fileKeyCipher(dir).decrypt(bytes)).toBe('sk-密钥')
    expect(Buffer.from(bytes).includes('sk-')).toBe(false)
    if (process.platform !== 'win32') expect(statSync(join(dir, KEY_FILE)).mode & 0o777).toBe(0o600)
  })

  it('gives other bytes each time, and notices a change', async () => {
    const cipher = memoryKeyCipher()
    const bytes = await cipher.encrypt('secret')
    expect(await cipher.encrypt('secret')).not.toEqual(bytes)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await expect(cipher.decrypt(bytes)).rejects.toThrow()
  })

  it('cannot read what another run kept in memory', async () => {
    const bytes = await memoryKeyCipher().encrypt('secret')
    await expect(memoryKeyCipher().decrypt(bytes)).rejects.toThrow()
  })

  it('never replaces a damaged key file', () => {
    writeFileSync(join(dir, KEY_FILE), 'short')
    expect(() => fileKeyCipher(dir)).toThrow('is damaged')
    expect(readFileSync(join(dir, KEY_FILE), 'utf8')).toBe('short')
  })
})
