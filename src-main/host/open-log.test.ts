import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLog } from './open-log'

describe('openLog', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'strata-log-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('writes lines, and cuts what may be a secret or a body', () => {
    const log = openLog(dir, 'info')
    log.info({ connection: { apiKey: 'sk-1', name: 'home' }, authorization: 'Bearer 2', text: 'private' }, 'asked')
    const written = readFileSync(join(dir, 'logs/strata.log'), 'utf8')
    expect(JSON.parse(written)).toMatchObject({ msg: 'asked', connection: { name: 'home' } })
    expect(written).not.toMatch(/sk-1|Bearer 2|private/)
  })

  it('begins a new file when the old one is full, and keeps three', () => {
    for (let start = 0; start < 5; start++) {
      openLog(dir, 'info')
      writeFileSync(join(dir, 'logs/strata.log'), 'x'.repeat(5 * 1024 * 1024))
    }
    openLog(dir, 'info')
    expect(readdirSync(join(dir, 'logs')).sort()).toEqual([
      'strata.log',
      'strata.log.1',
      'strata.log.2',
      'strata.log.3',
    ])
  })
})
