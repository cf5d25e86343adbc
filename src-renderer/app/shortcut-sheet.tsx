import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { showChord } from './chords'
import { openSettings, useNavigation } from './navigation'
import { BINDINGS, chordFor } from './shortcuts'

const FIXED = [
  { key: 'fixed.send', chord: 'Enter' },
  { key: 'fixed.break', chord: 'Shift+Enter' },
  { key: 'fixed.append', chord: 'Alt+Enter' },
  { key: 'fixed.editLast', chord: 'ArrowUp' },
  { key: 'fixed.history', chord: 'Alt+ArrowUp' },
  { key: 'fixed.snippets', chord: '/' },
] as const

/** The cheat sheet. */
export function ShortcutSheet() {
  const { t } = useTranslation('app')
  const open = useNavigation((state) => state.layer === 'shortcuts')
  return (
    <Dialog
      open={open}
      onOpen={(next) => useNavigation.setState({ layer: next ? 'shortcuts' : null })}
      title={t('shortcuts.title')}
      width={560}
      footer={
        <>
          <span className="small dim">{t('shortcuts.note')}</span>
          <span className="grow" />
          <Button small onClick={() => openSettings('shortcuts')}>
            {t('shortcuts.change')}
          </Button>
        </>
      }
    >
      <dl className="keys-sheet" tabIndex={0}>
        {BINDINGS.filter(({ id }) => chordFor(id)).map((binding) => (
          <div key={binding.id}>
            <dt>{t(binding.titleKey)}</dt>
            <dd>
              <kbd>{showChord(chordFor(binding.id))}</kbd>
            </dd>
          </div>
        ))}
        {FIXED.map((row) => (
          <div key={row.key}>
            <dt>{t(row.key)}</dt>
            <dd>
              <kbd>{showChord(row.chord)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
