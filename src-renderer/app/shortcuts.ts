import type { ParseKeys } from 'i18next'
import { useSettings } from '../settings/settings-store'
import { type Chord, normaliseChord, showChord } from './chords'

export type CommandId =
  | 'chat.new'
  | 'chat.temporary'
  | 'palette.open'
  | 'chat.find'
  | 'settings.open'
  | 'pane.left'
  | 'pane.right'
  | 'chat.model'
  | 'chat.prompt'
  | 'request.preview'
  | 'chat.regenerate'
  | 'chat.stop'
  | 'chat.next'
  | 'chat.previous'
  | 'chat.settings'
  | 'composer.focus'
  | 'chat.search'
  | 'chat.fork'
  | 'chat.pin'
  | 'chat.archive'
  | 'chat.bin'
  | 'chat.markdown'
  | 'chat.json'
  | 'chats.import'
  | 'look.theme'
  | 'help.shortcuts'

export interface Binding {
  id: CommandId
  /** In `app.json`. */
  titleKey: ParseKeys<'app'>
  /** The default; '' = none. */
  chord: Chord
  /** Also works: browsers keep some chords for themselves. */
  also?: Chord
}

/** Every command that a key can run. `settings.general.shortcuts` overrides a chord by id ('' = none). */
export const BINDINGS: readonly Binding[] = [
  { id: 'chat.new', titleKey: 'command.newChat', chord: 'Mod+N', also: 'Alt+N' },
  { id: 'chat.temporary', titleKey: 'command.temporaryChat', chord: 'Mod+Shift+N' },
  { id: 'palette.open', titleKey: 'command.palette', chord: 'Mod+K' },
  { id: 'chat.find', titleKey: 'command.find', chord: 'Mod+F' },
  { id: 'settings.open', titleKey: 'command.settings', chord: 'Mod+,' },
  { id: 'pane.left', titleKey: 'command.listPane', chord: 'Mod+[' },
  { id: 'pane.right', titleKey: 'command.rightPane', chord: 'Mod+]' },
  { id: 'chat.model', titleKey: 'command.model', chord: 'Mod+Shift+M' },
  { id: 'chat.prompt', titleKey: 'command.prompt', chord: 'Mod+Shift+P' },
  { id: 'request.preview', titleKey: 'command.preview', chord: 'Mod+Shift+A' },
  { id: 'chat.regenerate', titleKey: 'command.regenerate', chord: 'Mod+Shift+R' },
  { id: 'chat.stop', titleKey: 'command.stop', chord: 'Escape' },
  { id: 'chat.next', titleKey: 'command.nextChat', chord: 'Ctrl+Tab', also: 'Alt+PageDown' },
  { id: 'chat.previous', titleKey: 'command.previousChat', chord: 'Ctrl+Shift+Tab', also: 'Alt+PageUp' },
  { id: 'chat.settings', titleKey: 'command.sessionSettings', chord: 'Mod+Shift+S' },
  { id: 'composer.focus', titleKey: 'command.composer', chord: 'Mod+J' },
  { id: 'chat.search', titleKey: 'command.searchChats', chord: 'Mod+Shift+F' },
  { id: 'chat.fork', titleKey: 'command.fork', chord: '' },
  { id: 'chat.pin', titleKey: 'command.pin', chord: '' },
  { id: 'chat.archive', titleKey: 'command.archive', chord: '' },
  { id: 'chat.bin', titleKey: 'command.bin', chord: '' },
  { id: 'chat.markdown', titleKey: 'command.exportMarkdown', chord: '' },
  { id: 'chat.json', titleKey: 'command.exportJson', chord: '' },
  { id: 'chats.import', titleKey: 'command.import', chord: '' },
  { id: 'look.theme', titleKey: 'command.theme', chord: '' },
  { id: 'help.shortcuts', titleKey: 'command.shortcuts', chord: 'Mod+/' },
]

export type Overrides = Readonly<Record<string, Chord>>

const overridesNow = (): Overrides => useSettings.getState().settings?.general.shortcuts ?? {}

/** The chord in force; '' = none. */
export function chordFor(id: CommandId, overrides: Overrides = overridesNow()): Chord {
  const chord = overrides[id] ?? BINDINGS.find((binding) => binding.id === id)?.chord ?? ''
  return chord && normaliseChord(chord)
}

/** As shown in menus and tooltips; undefined when the command has no chord. */
export function shortcutLabel(id: CommandId): string | undefined {
  const chord = chordFor(id)
  return chord ? showChord(chord) : undefined
}

/** The command a chord runs, the user's own bindings first. */
export function commandFor(chord: Chord, overrides: Overrides = overridesNow()): CommandId | null {
  if (!chord) return null
  const direct = BINDINGS.find((binding) => chordFor(binding.id, overrides) === chord)
  const second = BINDINGS.find((binding) => binding.also === chord && overrides[binding.id] === undefined)
  return (direct ?? second)?.id ?? null
}

/** Other commands that already answer to this chord. */
export function conflictsOf(id: CommandId, chord: Chord, overrides: Overrides = overridesNow()): CommandId[] {
  if (!chord) return []
  const wanted = normaliseChord(chord)
  return BINDINGS.filter((binding) => binding.id !== id && chordFor(binding.id, overrides) === wanted).map(
    (binding) => binding.id,
  )
}
