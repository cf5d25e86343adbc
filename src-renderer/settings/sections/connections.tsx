import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection, ConnectionTest } from '../../../src-main/models/contract'
import { call } from '../../api/client'
import { useNavigation } from '../../app/navigation'
import { inWords } from '../../i18n/said'
import { loadModels, useModels } from '../../models/model-store'
import { Mark } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { Confirm } from '../../ui/dialog'
import { Icon } from '../../ui/icon'
import { Menu } from '../../ui/menu'
import { showError } from '../../ui/toast'
import { ConnectionForm } from './connection-form'
import { ModelTable } from './model-table'

/** Each connection with its test, its key's hint and its models; add, edit, remove. */
export function Connections() {
  const { t } = useTranslation('settings')
  const { connections, models, loaded } = useModels()
  const target = useNavigation((state) => state.placeTarget)
  const [editing, setEditing] = useState<Connection | 'new' | null>(null)
  useEffect(() => {
    if (!loaded) void loadModels().catch(showError)
  }, [loaded])
  const wanted = target?.startsWith('model:') ? target.slice('model:'.length) : null
  return (
    <>
      <p className="set-foot">
        <Button tone="primary" icon="plus" onClick={() => setEditing('new')}>
          {t('connections.add')}
        </Button>
      </p>
      {connections.length === 0 && <p className="mid">{t('connections.empty')}</p>}
      {connections.map((connection) => (
        <ConnectionCard
          key={connection.id}
          connection={connection}
          count={models.filter((model) => model.connectionId === connection.id).length}
          onEdit={() => setEditing(connection)}
        />
      ))}
      {models.length > 0 && <ModelTable models={models} connections={connections} wantedId={wanted} />}
      {editing && <ConnectionForm connection={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  )
}

interface CardProps {
  connection: Connection
  count: number
  onEdit(): void
}

function ConnectionCard({ connection, count, onEdit }: CardProps) {
  const { t } = useTranslation(['settings', 'common'])
  const [test, setTest] = useState<ConnectionTest | 'testing' | null>(null)
  const [removing, setRemoving] = useState(false)
  const { id, name, kind, baseUrl, hasKey, keyHint } = connection
  const run = () => {
    setTest('testing')
    void call('connections.test', { id }).then(setTest, (error) => {
      setTest(null)
      showError(error)
    })
  }
  const remove = () => void call('connections.remove', { id }).then(loadModels).catch(showError)
  const refresh = () => void call('models.refresh', { connectionId: id }).then(loadModels).catch(showError)
  return (
    <section className="conn" aria-label={name}>
      <div className="row">
        <b className="strong cut">{name}</b>
        <Mark>{t(`connections.kinds.${kind}`)}</Mark>
        <span className="dim small num">{t('connections.models', { count })}</span>
        <span className="grow" />
        <Button small onClick={run} disabled={test === 'testing'}>
          {test === 'testing' ? t('connections.testing') : t('connections.test')}
        </Button>
        {kind !== 'dry-run' && <IconButton icon="edit" label={t('connections.edit', { name })} onClick={onEdit} />}
        <Menu
          label={t('common:more')}
          align="end"
          trigger={<IconButton icon="more" label={t('common:more')} />}
          entries={[
            { id: 'refresh', label: t('connections.refresh'), icon: 'redo', onSelect: refresh },
            {
              id: 'remove',
              label: t('connections.remove'),
              icon: 'trash',
              danger: true,
              onSelect: () => setRemoving(true),
            },
          ]}
        />
      </div>
      <p className="small dim conn-facts">
        {baseUrl && <span className="mono">{baseUrl}</span>}
        {kind !== 'dry-run' && (
          <span>{hasKey ? (keyHint ?? t('connections.keyStoredBare')) : t('connections.noKey')}</span>
        )}
        {connection.learned.length > 0 && (
          <Button small tone="ghost" onClick={onEdit}>
            {t('connections.learned.count', { count: connection.learned.length })}
          </Button>
        )}
      </p>
      {test && test !== 'testing' && (
        <p className={test.ok ? 'row small ok-t' : 'row small danger-t'} role="status">
          <Icon name={test.ok ? 'check' : 'warn'} size={14} />
          {test.ok
            ? t('connections.ok', { ms: Math.round(test.latencyMs), count: test.models.length })
            : inWords(test.message ?? '', test.words)}
        </p>
      )}
      <Confirm
        open={removing}
        onOpen={setRemoving}
        title={t('connections.removeTitle', { name })}
        text={t('connections.removeText')}
        action={t('connections.remove')}
        danger
        onConfirm={remove}
      />
    </section>
  )
}
