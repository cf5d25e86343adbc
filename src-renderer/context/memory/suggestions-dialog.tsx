import { useTranslation } from 'react-i18next'
import type { Memory, MemorySuggestion } from '../../../src-main/context/memory/contract'
import { call } from '../../api/client'
import { formatWhen, langOf } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { act, useMemories } from './memory-store'

/** Pairs that may say the same, or where the newer one may have replaced the older. Nothing happens by itself. */
export function SuggestionsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('memory')
  const suggestions = useMemories((state) => state.suggestions)
  return (
    <Dialog open onOpen={(open) => !open && onClose()} title={t('suggest.title')} width={640}>
      <p className="small dim uses-help">{t('suggest.help')}</p>
      {suggestions.length === 0 && <EmptyState icon="check" title={t('suggest.none')} />}
      <ul className="suggestions">
        {suggestions.map((suggestion) => (
          <SuggestionView key={suggestion.id} suggestion={suggestion} />
        ))}
      </ul>
    </Dialog>
  )
}

function SuggestionView({ suggestion }: { suggestion: MemorySuggestion }) {
  const { t } = useTranslation('memory')
  const { id, kind, memory, other, similarity } = suggestion
  const settle = (decision: 'keep both' | 'replace' | 'merge') => () =>
    void act(() => call('memory.settle', { suggestionId: id, decision }))
  return (
    <li>
      <div className="row small">
        <Mark tone="warn">{t(`suggest.${kind === 'replaces' ? 'replaces' : 'duplicate'}`)}</Mark>
        <span className="dim num">{t('suggest.similarity', { value: similarity.toFixed(2) })}</span>
      </div>
      <Side label={t('suggest.newer')} memory={memory} />
      <Side label={t('suggest.older')} memory={other} />
      <div className="row">
        <Button small onClick={settle('replace')}>
          {t('suggest.replace')}
        </Button>
        <Button small onClick={settle('merge')}>
          {t('suggest.merge')}
        </Button>
        <Button small tone="ghost" onClick={settle('keep both')}>
          {t('suggest.keep')}
        </Button>
      </div>
    </li>
  )
}

function Side({ label, memory }: { label: string; memory: Memory }) {
  return (
    <div className="kv">
      <span className="k">{label}</span>
      <span className="grow" lang={langOf(memory.text)}>
        {memory.text.slice(0, 600)}
      </span>
      <time className="dim num">{formatWhen(memory.createdAt)}</time>
    </div>
  )
}
