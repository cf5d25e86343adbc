// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { chordOf, normaliseChord, showChord } from './chords'
import { BINDINGS, chordFor, commandFor, conflictsOf } from './shortcuts'

const press = (key: string, code: string, held: Partial<KeyboardEvent> = {}) => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

describe('chords', () => {
  it('reads keys by what they mean on each system', () => {
    expect(chordOf(press('m', 'KeyM', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+M')
    expect(chordOf(press('m', 'KeyM', { metaKey: true, shiftKey: true }), true)).toBe('Mod+Shift+M')
    expect(chordOf(press('Tab', 'Tab', { ctrlKey: true }), true)).toBe('Ctrl+Tab')
  })

  it('reads letters by position on keyboards that write none', () => {
    expect(chordOf(press('л', 'KeyK', { ctrlKey: true }), false)).toBe('Mod+K')
    expect(chordOf(press('¬', 'KeyN', { altKey: true }), true)).toBe('Alt+N')
  })

  it('says nothing for a lone modifier or a key of an input method', () => {
    expect(chordOf(press('Shift', 'ShiftLeft', { shiftKey: true }), false)).toBe('')
    expect(chordOf(press('Process', 'KeyA'), false)).toBe('')
  })

  it('shows them in the way of the system', () => {
    expect(showChord('Mod+Shift+M', true)).toBe('⌘⇧M')
    expect(showChord('Mod+Shift+M', false)).toBe('Ctrl+Shift+M')
  })

  it('has one spelling for each', () => {
    expect(normaliseChord('Shift+Mod+m', false)).toBe('Mod+Shift+M')
    expect(normaliseChord('Ctrl+Tab', false)).toBe('Mod+Tab')
  })
})

describe('bindings', () => {
  it('give no chord to two commands', () => {
    for (const binding of BINDINGS) expect(conflictsOf(binding.id, binding.chord, {})).toEqual([])
  })

  it('can be changed, and the old chord is free then', () => {
    const overrides = { 'chat.new': 'Mod+Shift+T' }
    expect(commandFor('Mod+Shift+T', overrides)).toBe('chat.new')
    expect(commandFor('Mod+N', overrides)).toBeNull()
    expect(chordFor('chat.find', overrides)).toBe('Mod+F')
  })

  it('can be taken away', () => expect(commandFor('Escape', { 'chat.stop': '' })).toBeNull())

  it('warn of a chord that is taken', () => {
    expect(conflictsOf('chat.new', 'Mod+K', {})).toEqual(['palette.open'])
  })
})
