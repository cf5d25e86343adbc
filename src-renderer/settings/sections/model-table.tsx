import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection, Model } from '../../../src-main/models/contract'
import { formatTokens } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { SearchField } from '../../ui/field'
import { useSettings } from '../settings-store'
import { CAPABILITIES } from './capabilities'
import { ModelForm } from './model-form'

const FILTER_FROM = 12
const SHOWN = 200

interface ModelTableProps {
  models: readonly Model[]
  connections: readonly Connection[]
  /** A model to open for editing, once. */
  wantedId: string | null
}

/** Window, output, abilities and price of every model; each can be set by hand. */
export function ModelTable({ models, connections, wantedId }: ModelTableProps) {
  const { t } = useTranslation('settings')
  const [query, setQuery] = useState('')
  const [editingId, setEditingId] = useState<string | null>(null)
  const opened = useRef<string | null>(null)
  useEffect(() => {
    if (!wantedId || opened.current === wantedId) return
    opened.current = wantedId
    setEditingId(wantedId)
  }, [wantedId])
  const defaultId = useSettings((state) => state.settings?.general.defaultModelId)
  const wanted = query.trim().toLowerCase()
  const shown = models.filter(({ id }) => id.toLowerCase().includes(wanted)).slice(0, SHOWN)
  const editing = models.find(({ id }) => id === editingId)
  return (
    <>
      <h2 className="set-h2">{t('models.title')}</h2>
      {models.length >= FILTER_FROM && (
        <div className="row model-filter">
          <SearchField label={t('models.filter')} value={query} onValue={setQuery} />
        </div>
      )}
      <div className="set-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('models.name')}</th>
              <th scope="col" className="r">
                {t('models.window')}
              </th>
              <th scope="col" className="r">
                {t('models.output')}
              </th>
              <th scope="col">{t('models.can')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map((model) => (
              <tr key={model.id} className={cx(!model.available && 'dim')}>
                <td>
                  <span className="row">
                    <span className="cut">{model.name}</span>
                    {model.id === defaultId && <Mark tone="set">{t('models.default')}</Mark>}
                    {!model.available && <Mark>{t('models.gone')}</Mark>}
                  </span>
                  <span className="tiny dim">
                    {connections.find(({ id }) => id === model.connectionId)?.name ?? model.connectionId}
                  </span>
                </td>
                <td className="r num" title={t(`models.source.${model.windowSource}`)}>
                  {model.contextWindow ? (
                    formatTokens(model.contextWindow)
                  ) : (
                    <Mark tone="warn">{t('models.unknown')}</Mark>
                  )}
                </td>
                <td className="r num">{model.maxOutputTokens ? formatTokens(model.maxOutputTokens) : '—'}</td>
                <td className="mid">
                  {CAPABILITIES.filter((each) => model.capabilities[each])
                    .map((each) => t(`models.capability.${each}`))
                    .join(', ') || '—'}
                </td>
                <td className="r">
                  <IconButton
                    icon="edit"
                    small
                    label={t('models.edit', { name: model.name })}
                    onClick={() => setEditingId(model.id)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {editing && <ModelForm key={editing.id} model={editing} onClose={() => setEditingId(null)} />}
    </>
  )
}
