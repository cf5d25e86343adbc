import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Memory, MemoryHistoryEntry, MemorySnapshot } from '../../../src-main/context/memory/contract'
import { call } from '../../api/client'
import { formatStamp, langOf } from '../../i18n/format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { showError } from '../../ui/toast'
import { act } from './memory-store'

/** Every change of a memory, newest first, each with the way back to what stood before it. */
export function HistoryDialog({ memory, onClose }: { memory: Memory; onClose(): void }) {
  const { t } = useTranslation('memory')
  const [entries, setEntries] = useState<readonly MemoryHistoryEntry[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change adds an entry
  useEffect(() => {
    call('memory.history', { id: memory.id }).then((found) => setEntries(found.entries), showError)
  }, [memory.id, memory.revision])
  return (
    <Dialog open onOpen={(open) => !open && onClose()} title={t('history.title')} width={600}>
      <ol className="history">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <div className="row small">
              <b className="strong">{t(`history.${entry.action}`)}</b>
              <time className="dim num">{formatStamp(entry.at)}</time>
              <span className="grow" />
              {entry.before && (
                <Button
                  small
                  tone="ghost"
                  icon="undo"
                  onClick={() => void act(() => call('memory.undo', { id: memory.id, seq: entry.seq }))}
                >
                  {t('history.undo')}
                </Button>
              )}
            </div>
            <Changes before={entry.before} after={entry.after} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

const SHOWN = ['kind', 'importance', 'confidence', 'entities', 'validFrom', 'validUntil'] as const

function Changes({ before, after }: { before: MemorySnapshot | undefined; after: MemorySnapshot }) {
  const { t } = useTranslation('memory')
  const changed = before ? SHOWN.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])) : []
  return (
    <>
      {before && before.text !== after.text && (
        <p className="del" lang={langOf(before.text)}>
          {before.text.slice(0, 1000)}
        </p>
      )}
      {(!before || before.text !== after.text) && (
        <p className={before ? 'ins' : ''} lang={langOf(after.text)}>
          {after.text.slice(0, 1000)}
        </p>
      )}
      {changed.map((field) => (
        <p key={field} className="small mid num">
          {t(`field.${field}`)}: <span className="dim">{words(before?.[field])}</span> → {words(after[field])}
        </p>
      ))}
    </>
  )
}

function words(value: MemorySnapshot[(typeof SHOWN)[number]]): string {
  if (value === undefined) return '–'
  if (Array.isArray(value)) return value.join(', ') || '–'
  return /^\d{4}-\d\d-\d\dT/.test(String(value)) ? formatStamp(String(value)) : String(value)
}
