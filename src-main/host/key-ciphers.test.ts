import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileKeyCipher, KEY_FILE, memoryUntilAgreed } from './key-ciphers'

describe('key ciphers', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'strata-keys-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('keeps a key across starts, in a file for this account only', async () => {
    const bytes = await fileKeyCipher(dir).encrypt('sk-密钥')
    expect(await fileKeyCipher(dir).decrypt(bytes)).toBe('sk-密钥')
    expect(Buffer.from(bytes).includes('sk-')).toBe(false)
    if (process.platform !== 'win32') expect(statSync(join(dir, KEY_FILE)).mode & 0o777).toBe(0o600)
  })

  it('gives other bytes each time, and notices a change', async () => {
    const cipher = memoryUntilAgreed(dir)
    const bytes = await cipher.encrypt('secret')
    expect(await cipher.encrypt('secret')).not.toEqual(bytes)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await expect(cipher.decrypt(bytes)).rejects.toThrow()
  })

  it('cannot read what another run kept in memory', async () => {
    const bytes = await memoryUntilAgreed(dir).encrypt('secret')
    await expect(memoryUntilAgreed(dir).decrypt(bytes)).rejects.toThrow()
    expect(readdirSync(dir)).toEqual([])
  })

  it('moves from memory to a file when the person agrees, and stays there', async () => {
    const cipher = memoryUntilAgreed(dir)
    const before = await cipher.encrypt('early')
    expect(cipher.kind).toBe('memory')
    await cipher.allowFile?.()
    expect(cipher.kind).toBe('file')
    expect(await cipher.decrypt(before)).toBe('early')
    const after = await cipher.encrypt('late')
    const nextStart = memoryUntilAgreed(dir)
    expect([nextStart.kind, await nextStart.decrypt(after)]).toEqual(['file', 'late'])
  })

  it('never replaces a damaged key file', () => {
    writeFileSync(join(dir, KEY_FILE), 'short')
    expect(() => fileKeyCipher(dir)).toThrow('is damaged')
    expect(readFileSync(join(dir, KEY_FILE), 'utf8')).toBe('short')
  })
})
