import { useEffect } from 'react'
import { chordOf } from './chords'
import { runCommand } from './commands'
import { commandFor } from './shortcuts'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]')

/** Runs commands by key. A composing input method, an open dialog and plain typing keep their keys. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return
  const chord = chordOf(event)
  const id = commandFor(chord)
  if (!id) return
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && event.key !== 'Escape'
  if (plain && isTyping(event.target)) return
  const inLayer = document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"], [role="menu"]')
  if (inLayer && id !== 'palette.open' && id !== 'help.shortcuts') return
  if (runCommand(id)) event.preventDefault()
}

export function useGlobalKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
}
