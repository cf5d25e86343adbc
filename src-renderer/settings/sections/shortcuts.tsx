import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chordOf, showChord } from '../../app/chords'
import { BINDINGS, type Binding, type CommandId, chordFor, conflictsOf } from '../../app/shortcuts'
import { Button, LinkButton } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { showError } from '../../ui/toast'
import { RowFrame } from '../setting-row'
import { updateSettings, useSettings } from '../settings-store'

const NO_OVERRIDES = {}

/** Every command with its keys: press to change, with a warning where the keys are taken. */
export function Shortcuts() {
  const { t } = useTranslation('settings')
  const overrides = useSettings((state) => state.settings?.general.shortcuts ?? NO_OVERRIDES)
  return (
    <>
      {BINDINGS.map((binding) => (
        <ShortcutRow key={binding.id} binding={binding} overrides={overrides} />
      ))}
      {Object.keys(overrides).length > 0 && (
        <p className="set-foot">
          <Button small onClick={() => void resetAll(overrides)}>
            {t('keys.resetAll')}
          </Button>
        </p>
      )}
    </>
  )
}

type Overrides = Readonly<Record<string, string>>

/** Patches merge, so a binding that goes back to its default is written as that default. */
async function resetAll(overrides: Overrides): Promise<void> {
  const changed = BINDINGS.filter((binding) => binding.id in overrides)
  const patch = Object.fromEntries(changed.map((binding) => [binding.id, binding.chord]))
  await updateSettings({ general: { shortcuts: patch } }).catch(showError)
}

/** Keys that belong to writing: a binding on them would swallow text. */
const writes = (chord: string) =>
  !/(?:Mod|Ctrl|Alt)\+/.test(chord) && !/^(?:Shift\+)?(?:F\d+|Escape|PageUp|PageDown)$/.test(chord)

function ShortcutRow({ binding, overrides }: { binding: Binding; overrides: Overrides }) {
  const { t } = useTranslation(['settings', 'app'])
  const [asking, setAsking] = useState(false)
  const [wanted, setWanted] = useState('')
  const chord = chordFor(binding.id, overrides)
  const taken = wanted ? conflictsOf(binding.id, wanted, overrides) : []
  const title = t(`app:${binding.titleKey}`)
  const shown = asking && wanted ? showChord(wanted) : chord ? showChord(chord) : t('keys.none')
  const bind = (next: string, clear: readonly CommandId[] = []) => {
    setAsking(false)
    setWanted('')
    const cleared = Object.fromEntries(clear.map((id) => [id, '']))
    // only what changes: a binding another window makes meanwhile stays
    void updateSettings({ general: { shortcuts: { ...cleared, [binding.id]: next } } }).catch(showError)
  }
  const onKey = (event: React.KeyboardEvent) => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') {
      setAsking(false)
      setWanted('')
    } else if (event.key === 'Backspace') bind('')
    else {
      const next = chordOf(event.nativeEvent)
      if (!next) return
      setWanted(next)
      if (!writes(next) && conflictsOf(binding.id, next, overrides).length === 0) bind(next)
    }
  }
  const changed = chord !== chordFor(binding.id, {})
  return (
    <RowFrame
      label={title}
      onReset={changed ? () => bind(binding.chord) : undefined}
      help={
        asking ? (
          <span role="status">
            {wanted && writes(wanted) ? (
              <span className="danger-t">{t('keys.reserved', { keys: showChord(wanted) })}</span>
            ) : taken.length > 0 ? (
              <>
                <span className="warn-t row key-clash">
                  <Icon name="warn" size={14} />
                  {t('keys.taken', { keys: showChord(wanted), command: taken.map(titleOf(t)).join(', ') })}
                </span>
                <LinkButton onClick={() => bind(wanted, taken)}>{t('keys.swap')}</LinkButton>
              </>
            ) : (
              t('keys.press')
            )}
          </span>
        ) : undefined
      }
    >
      <button
        type="button"
        className={asking ? 'key-button asking' : 'key-button'}
        aria-label={`${t('keys.change')}: ${title} ${shown}`.trim()}
        aria-pressed={asking}
        onClick={() => setAsking(!asking)}
        onKeyDown={asking ? onKey : undefined}
        onBlur={(event) => {
          if (!event.relatedTarget) setAsking(false)
        }}
      >
        {shown}
      </button>
    </RowFrame>
  )
}

const titleOf =
  (t: ReturnType<typeof useTranslation<['settings', 'app']>>['t']) =>
  (id: CommandId): string => {
    const key = BINDINGS.find((binding) => binding.id === id)?.titleKey
    return key ? t(`app:${key}`) : id
  }
