import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection, ConnectionTest, Model } from '../../src-main/models/contract'
import { type CallOutput, call } from '../api/client'
import { openSettings } from '../app/navigation'
import { formatTokens } from '../i18n/format'
import { inWords } from '../i18n/said'
import { loadModels, useModels } from '../models/model-store'
import { newChat } from '../sessions/session-actions'
import { CAPABILITIES } from '../settings/sections/capabilities'
import { Button, LinkButton } from '../ui/button'
import { Labelled, Select, TextField } from '../ui/field'
import { Icon } from '../ui/icon'
import { finishFirstRun, useFirstRun } from './first-run-store'
import type { Provider } from './providers'

interface Tried {
  state: 'never' | 'testing' | 'passed' | 'failed'
  test?: ConnectionTest
  connection?: Connection
}

/** Key and address, then the test: a passed one keeps the connection and offers its models. */
export function ProviderForm({ provider }: { provider: Provider }) {
  const { t } = useTranslation('first-run')
  const [key, setKey] = useState('')
  const [address, setAddress] = useState(provider.baseUrl ?? '')
  const [tried, setTried] = useState<Tried>({ state: 'never' })
  const test = async () => {
    setTried({ ...tried, state: 'testing' })
    setTried(await tryConnection(provider, { key, address }, tried.connection))
  }
  const busy = tried.state === 'testing'
  const needsAddress = provider.kind === 'openai-compatible' || provider.kind === 'ollama'
  const canTest = !busy && (!provider.needsKey || key.trim() !== '') && (!needsAddress || address.trim() !== '')
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (canTest) void test()
      }}
    >
      <Labelled label={provider.needsKey ? t('key') : t('keyOptional')}>
        {(ids) => (
          <div className="row">
            <TextField mono type="password" {...ids} value={key} onChange={(event) => setKey(event.target.value)} />
            <Button type="submit" disabled={!canTest} tone={tried.state === 'passed' ? 'default' : 'primary'}>
              {busy ? t('testing') : tried.state === 'never' ? t('test') : t('testAgain')}
            </Button>
          </div>
        )}
      </Labelled>
      <Labelled label={t('address')} help={needsAddress ? undefined : t('addressHelp')}>
        {(ids) => <TextField mono {...ids} value={address} onChange={(event) => setAddress(event.target.value)} />}
      </Labelled>
      <div role="status">
        <TestLine tried={tried} />
      </div>
      {tried.state === 'passed' && tried.connection && <PickModel connectionId={tried.connection.id} />}
      <KeyStoreLine />
    </form>
  )
}

/** Tests what is typed; kept only when it passed. Failing is a value here: the line below the fields shows it. */
async function tryConnection(
  provider: Provider,
  typed: { key: string; address: string },
  before: Connection | undefined,
): Promise<Tried> {
  const { key, address } = typed
  const draft = {
    ...(before ? { id: before.id } : {}),
    name: provider.name,
    kind: provider.kind,
    ...(address.trim() ? { baseUrl: address.trim() } : {}),
    ...(key.trim() ? { apiKey: key.trim() } : {}),
  }
  const kept = before ? { connection: before } : {}
  try {
    const test = await call('connections.test', { draft })
    if (!test.ok) return { state: 'failed', test, ...kept }
    useFirstRun.setState({ going: true })
    const connection = await call('connections.save', draft)
    await call('models.refresh', { connectionId: connection.id })
    await loadModels()
    return { state: 'passed', test, connection }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { state: 'failed', test: { ok: false, models: [], latencyMs: 0, message }, ...kept }
  }
}

function TestLine({ tried: { state, test } }: { tried: Tried }) {
  const { t } = useTranslation('first-run')
  if (state === 'passed' && test) {
    return (
      <p className="row small ok-t">
        <Icon name="check" size={14} />
        {t('passed', { ms: Math.round(test.latencyMs), count: test.models.length })}
      </p>
    )
  }
  if (state === 'failed') {
    return (
      <p className="row small danger-t">
        <Icon name="warn" size={14} />
        <span>{test?.message ? inWords(test.message, test.words) : t('failed')}</span>
      </p>
    )
  }
  return null
}

function PickModel({ connectionId }: { connectionId: string }) {
  const { t } = useTranslation('first-run')
  const all = useModels((state) => state.models)
  const models = all.filter((model) => model.connectionId === connectionId && model.available)
  const [chosenId, setChosenId] = useState('')
  const chosen = models.find((model) => model.id === chosenId) ?? models[0]
  if (!chosen) {
    return (
      <p className="small mid">
        {t('noModels')} <LinkButton onClick={() => openSettings('connections')}>{t('openSettings')}</LinkButton>
      </p>
    )
  }
  const start = async () => {
    await finishFirstRun(chosen.id)
    newChat()
  }
  return (
    <>
      <Labelled label={t('model')}>
        {(ids) => (
          <Select
            {...ids}
            value={chosen.id}
            onValue={setChosenId}
            options={models.map((model) => ({ value: model.id, label: model.name }))}
          />
        )}
      </Labelled>
      <ModelFacts model={chosen} />
      <div className="row">
        <span className="grow" />
        <Button tone="primary" onClick={() => void start()}>
          {t('start')}
        </Button>
      </div>
    </>
  )
}

function ModelFacts({ model }: { model: Model }) {
  const { t } = useTranslation('first-run')
  const can = CAPABILITIES.filter((each) => model.capabilities[each])
  return (
    <dl className="small">
      <div className="kv">
        <dt>{t('window')}</dt>
        <dd className="num">
          {model.contextWindow
            ? t('windowTokens', {
                tokens: formatTokens(model.contextWindow),
                source: t(`source.${model.windowSource}`),
              })
            : t('windowUnknown')}
        </dd>
      </div>
      <div className="kv">
        <dt>{t('can')}</dt>
        <dd>{can.length ? can.map((each) => t(`capability.${each}`)).join(', ') : t('nothing')}</dd>
      </div>
    </dl>
  )
}

/** Where the key will be kept, and the consent a file needs where there is no key store. */
export function KeyStoreLine() {
  const { t } = useTranslation('first-run')
  const [store, setStore] = useState<CallOutput<'connections.key-store'> | null>(null)
  useEffect(() => {
    void call('connections.key-store', {}).then(setStore, () => setStore(null)) // the line is a hint, not a gate
  }, [])
  if (!store) return null
  return (
    <p className="tiny dim row">
      {t(`store.${store.kind}`)}
      {store.canUseFile && (
        <LinkButton onClick={() => void call('connections.key-store', { allowFile: true }).then(setStore)}>
          {t('allowFile')}
        </LinkButton>
      )}
    </p>
  )
}
