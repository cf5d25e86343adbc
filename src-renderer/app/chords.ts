/** A chord is text such as `Mod+Shift+M`: Mod is ⌘ on a Mac and Ctrl elsewhere. */
export type Chord = string

const MODIFIERS = ['Mod', 'Ctrl', 'Alt', 'Shift'] as const
export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

export interface KeyPress {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** The chord of a key press, or '' for a lone modifier. Letters and digits go by position where the layout is not Latin. */
export function chordOf(press: KeyPress, mac = isMac): Chord {
  const key = keyName(press)
  if (!key) return ''
  const parts: string[] = []
  if (mac ? press.metaKey : press.ctrlKey) parts.push('Mod')
  if (mac && press.ctrlKey) parts.push('Ctrl')
  if (press.altKey) parts.push('Alt')
  if (press.shiftKey) parts.push('Shift')
  return [...parts, key].join('+')
}

function keyName({ key, code, altKey }: KeyPress): string {
  if (['Control', 'Shift', 'Alt', 'Meta', 'Process', 'Dead', 'Unidentified'].includes(key)) return ''
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter && (altKey || !/^[\x20-\x7e]$/.test(key))) return letter
  const byPosition: Record<string, string> = { BracketLeft: '[', BracketRight: ']', Slash: '/', Comma: ',' }
  if (code in byPosition) return byPosition[code] ?? ''
  if (key === ' ') return 'Space'
  return key.length === 1 ? key.toUpperCase() : key
}

/** One spelling per chord: modifiers in a fixed order, `Ctrl` written as `Mod` where they are the same key. */
export function normaliseChord(chord: Chord, mac = isMac): Chord {
  const parts = chord.split('+').filter(Boolean)
  const key = parts.pop() ?? (chord.endsWith('+') ? '+' : '')
  const named = new Set(parts.map((part) => (!mac && part === 'Ctrl' ? 'Mod' : part)))
  return [...MODIFIERS.filter((modifier) => named.has(modifier)), key.length === 1 ? key.toUpperCase() : key].join('+')
}

const MAC_SIGNS: Record<string, string> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' }
const KEY_SIGNS: Record<string, string> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
}

/** `⌘⇧M` on a Mac, `Ctrl+Shift+M` elsewhere. */
export function showChord(chord: Chord, mac = isMac): string {
  const parts = normaliseChord(chord, mac).split('+')
  const key = parts.pop() ?? ''
  const shownKey = KEY_SIGNS[key] ?? key
  if (mac) return parts.map((part) => MAC_SIGNS[part] ?? part).join('') + shownKey
  return [...parts.map((part) => (part === 'Mod' ? 'Ctrl' : part)), shownKey].join('+')
}
