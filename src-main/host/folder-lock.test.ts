import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderHeldError, lockFolder } from './folder-lock'

describe('lockFolder', () => {
  let dir: string
  const me = { pid: process.pid, host: 'web', since: '2026-01-02T03:04:05.000Z' } as const

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'strata-lock-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  /** Holds the lock in a process of its own, the way another start would. */
  async function heldByAnother() {
    const script = `
      const database = require('better-sqlite3')(${JSON.stringify(join(dir, 'lock.sqlite'))})
      database.exec('BEGIN EXCLUSIVE')
      console.log('held')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['-e', script], { cwd: join(import.meta.dirname, '../..') })
    await once(child.stdout, 'data')
    return child
  }

  it('names the holder to the second comer', () => {
    const lock = lockFolder(dir, me)
    expect(() => lockFolder(dir, me)).toThrow(`process ${process.pid} (the web host, since ${me.since})`)
    lock.release()
    lock.release()
    expect(existsSync(join(dir, 'holder.json'))).toBe(false)
    lockFolder(dir, me).release()
  })

  it('is freed by the system when the holder is killed', async () => {
    const child = await heldByAnother()
    expect(() => lockFolder(dir, me)).toThrow(FolderHeldError)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockFolder(dir, me).release()
  })

  it('is not misled by a name left behind, even of a living process', () => {
    writeFileSync(join(dir, 'holder.json'), JSON.stringify({ ...me, pid: 1 }))
    lockFolder(dir, me).release()
  })

  it('says so when the holder cannot be named', async () => {
    const child = await heldByAnother()
    writeFileSync(join(dir, 'holder.json'), '{"pid"')
    expect(() => lockFolder(dir, me)).toThrow('in use by another process')
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
})
