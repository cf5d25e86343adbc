import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../../src-main/settings/contract'
import { openSettings } from '../../app/navigation'
import { useModels } from '../../models/model-store'
import { updateSettings, useSettings } from '../../settings/settings-store'
import { Button } from '../../ui/button'
import { Labelled, Select, TextField } from '../../ui/field'
import { showError } from '../../ui/toast'

type Embedder = Settings['memory']['embedder']
const KINDS = ['built-in', 'openai-compatible', 'ollama', 'google', 'none'] as const
const isRemote = (kind: Embedder['kind']) => kind !== 'built-in' && kind !== 'none'

/** Which model turns memories into vectors. Nothing changes before "Use this": another one builds another index. */
export function EmbedderSettings() {
  const { t } = useTranslation('memory')
  const stored = useSettings((state) => state.settings?.memory.embedder)
  const connections = useModels((state) => state.connections)
  const [draft, setDraft] = useState<Embedder | undefined>(stored)
  useEffect(() => setDraft(stored), [stored])
  if (!draft || !stored) return null
  const changed = JSON.stringify(draft) !== JSON.stringify(stored)
  const complete = !isRemote(draft.kind) || (draft.connectionId !== null && draft.model.trim() !== '')
  const change = (patch: Partial<Embedder>) => setDraft({ ...draft, ...patch })
  return (
    <div className="mform">
      <div className="two">
        <Labelled label={t('embedder.kind')} help={t(`embedder.reads.${draft.kind}`)}>
          {({ id }) => (
            <Select
              id={id}
              value={draft.kind}
              onValue={(kind) => change({ kind })}
              options={KINDS.map((kind) => ({ value: kind, label: t(`embedder.name.${kind}`) }))}
            />
          )}
        </Labelled>
        {isRemote(draft.kind) && (
          <Labelled label={t('embedder.connection')}>
            {({ id }) =>
              connections.length === 0 ? (
                <Button id={id} onClick={() => openSettings('connections')}>
                  {t('embedder.connect')}
                </Button>
              ) : (
                <Select
                  id={id}
                  value={draft.connectionId ?? ''}
                  onValue={(connectionId) => change({ connectionId: connectionId || null })}
                  options={[
                    { value: '', label: t('embedder.choose') },
                    ...connections.map((each) => ({ value: each.id, label: each.name })),
                  ]}
                />
              )
            }
          </Labelled>
        )}
      </div>
      {isRemote(draft.kind) && (
        <Labelled label={t('embedder.model')} help={t('embedder.sent')}>
          {(ids) => (
            <TextField
              {...ids}
              mono
              placeholder={t(`embedder.example.${draft.kind as 'ollama'}`)}
              value={draft.model}
              onChange={(event) => change({ model: event.target.value })}
            />
          )}
        </Labelled>
      )}
      {changed && (
        <div className="row">
          <Button
            tone="primary"
            disabled={!complete}
            onClick={() => void updateSettings({ memory: { embedder: draft } }).catch(showError)}
          >
            {t('embedder.use')}
          </Button>
          <Button tone="ghost" onClick={() => setDraft(stored)}>
            {t('detail.discard')}
          </Button>
          <span className="small dim">{t('embedder.changeHelp')}</span>
        </div>
      )}
    </div>
  )
}
