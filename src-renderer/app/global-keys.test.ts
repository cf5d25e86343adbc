// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { turnBegan, useRunning } from '../chat/running-store'
import { fakeStrata } from '../testing/fake-strata'
import { handleKey } from './global-keys'
import { useNavigation } from './navigation'

beforeEach(() => {
  useNavigation.setState({ place: 'chats', sessionId: 's1', layer: null, findOpen: false, paneOpen: true })
  useRunning.setState({ bySession: {} })
})
afterEach(() => {
  document.body.innerHTML = ''
})

/** A key press as the window sees it; true when it was taken. */
function press(key: string, init: KeyboardEventInit = {}, target: Element = document.body): boolean {
  const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key
  const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true, ...init })
  Object.defineProperty(event, 'target', { value: target })
  handleKey(event)
  return event.defaultPrevented
}

describe('keys', () => {
  it('run commands', () => {
    expect(press('k', { ctrlKey: true })).toBe(true)
    expect(useNavigation.getState().layer).toBe('palette')
    press('k', { ctrlKey: true })
    press('f', { ctrlKey: true })
    expect(useNavigation.getState()).toMatchObject({ layer: null, findOpen: true })
    press('m', { ctrlKey: true, shiftKey: true })
    expect(useNavigation.getState().headerMenu).toBe('model')
  })

  it('stop a running answer on Escape, and leave Escape alone otherwise', () => {
    const strata = fakeStrata({ 'turns.stop': () => ({ stopped: true }) })
    expect(press('Escape')).toBe(false)
    turnBegan({ turnId: 't', sessionId: 's1', messageId: 'm' })
    expect(press('Escape')).toBe(true)
    expect(strata.inputsOf('turns.stop')).toEqual([{ turnId: 't' }])
  })

  it('belong to an input method while it composes', () => {
    expect(press('k', { ctrlKey: true, isComposing: true })).toBe(false)
    expect(useNavigation.getState().layer).toBeNull()
  })

  it('belong to an open dialog', () => {
    document.body.innerHTML = '<div role="dialog" data-state="open"></div>'
    expect(press(']', { ctrlKey: true })).toBe(false)
    expect(useNavigation.getState().paneOpen).toBe(true)
  })
})
