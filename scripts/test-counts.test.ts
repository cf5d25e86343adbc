import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
// @ts-expect-error the bootstrap scripts are plain JavaScript: they run before anything is installed
import { playwrightCount, vitestCount } from './bootstrap/test-counts.mjs'

describe('the counts of the last line', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'strata-counts-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  const report = (value: unknown) => {
    const path = join(dir, 'report.json')
    writeFileSync(path, JSON.stringify(value))
    return path
  }
  const unit = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0 }
  const failed = { status: 'failed', assertionResults: [{ status: 'failed' }] }
  const broken = { status: 'failed', assertionResults: [] }

  it('adds a file that could not be loaded as one failure', () => {
    const path = report({ ...unit, testResults: [failed, broken, { status: 'passed', assertionResults: [] }] })
    expect(vitestCount(path, 1)).toEqual({ passed: 5, failed: 2, skipped: 2 })
  })

  it('never takes a crash for success', () => {
    expect(vitestCount(report({ ...unit, numFailedTests: 0, testResults: [] }), 1)).toMatchObject({ failed: 1 })
    expect(vitestCount(join(dir, 'missing.json'), 0)).toMatchObject({ passed: 0, failed: 1 })
    const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 1 }
    expect(playwrightCount(report({ stats }), 1)).toEqual({ passed: 3, failed: 1, skipped: 1 })
    expect(playwrightCount(report({ stats }), 0)).toEqual({ passed: 3, failed: 0, skipped: 1 })
    expect(playwrightCount(join(dir, 'missing.json'), 0)).toMatchObject({ failed: 1 })
  })
})
