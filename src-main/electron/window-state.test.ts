import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readWindowState, writeWindowState } from './window-state'

describe('the remembered window', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 }
  const state = { x: 40, y: 60, width: 1000, height: 700, maximized: false }
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'strata-window-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('comes back where it was', () => {
    expect(readWindowState(dir, [screen])).toBeUndefined()
    writeWindowState(dir, state)
    expect(readWindowState(dir, [screen])).toEqual(state)
  })

  it('is forgotten when its screen is gone', () => {
    writeWindowState(dir, { ...state, x: 2500 })
    expect(readWindowState(dir, [screen])).toBeUndefined()
    expect(readWindowState(dir, [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2500 })
    writeWindowState(dir, { ...state, y: -500 })
    expect(readWindowState(dir, [screen])).toBeUndefined()
  })

  it('is forgotten when damaged', () => {
    for (const text of ['', '{"x":1}', '{"x":0,"y":0,"width":1,"height":1,"maximized":false}']) {
      writeFileSync(join(dir, 'window.json'), text)
      expect(readWindowState(dir, [screen])).toBeUndefined()
    }
  })
})
