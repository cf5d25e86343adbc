import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DetectedServer } from '../../src-main/models/contract'
import { call } from '../api/client'
import { langOf } from '../i18n/format'
import { newChat } from '../sessions/session-actions'
import { Button, IconButton } from '../ui/button'
import { cx } from '../ui/class-names'
import { finishFirstRun } from './first-run-store'
import { IMPORT_SOURCES, ImportDialog, type ImportSource } from './import-dialog'
import { ProviderForm } from './provider-form'
import { LOCAL_SERVERS, PROVIDERS, type Provider, withDetected } from './providers'

/** The first screen: connect a model, look around without one, or bring chats along. */
export function FirstRun() {
  const { t } = useTranslation('first-run')
  const { found, looking, look } = useDetected()
  const [chosenId, setChosenId] = useState(PROVIDERS[0]?.id ?? '')
  const local = LOCAL_SERVERS.map((provider) => withDetected(provider, found))
  const chosen = [...PROVIDERS, ...local].find((provider) => provider.id === chosenId)
  return (
    <div className="first">
      <div className="first-in">
        <h1>{t('title')}</h1>
        <p className="mid">{t('subtitle')}</p>
        <div className="prov">
          <div className="prov-l">
            <div role="radiogroup" aria-label={t('provider')} onKeyDown={moveBetweenRadios}>
              {PROVIDERS.map((provider) => (
                <Choice key={provider.id} provider={provider} chosenId={chosenId} onChoose={setChosenId} />
              ))}
              <div className="sect row prov-head">
                {t('here')}
                <span className="grow" />
                <IconButton icon="redo" small label={t('lookAgain')} onClick={look} />
              </div>
              {local.map((provider) => (
                <Choice
                  key={provider.id}
                  provider={provider}
                  chosenId={chosenId}
                  onChoose={setChosenId}
                  note={
                    provider.models !== undefined
                      ? t('models', { count: provider.models })
                      : looking
                        ? t('looking')
                        : t('notRunning')
                  }
                  running={provider.models !== undefined}
                />
              ))}
            </div>
          </div>
          {chosen && <ProviderForm key={`${chosen.id}:${chosen.baseUrl}`} provider={chosen} />}
        </div>
        <Others />
      </div>
    </div>
  )
}

function useDetected() {
  const [found, setFound] = useState<DetectedServer[]>([])
  const [looking, setLooking] = useState(true)
  const look = () => {
    setLooking(true)
    void call('connections.detect', {})
      .then(setFound, () => setFound([])) // nothing found is an answer too
      .finally(() => setLooking(false))
  }
  useEffect(look, [])
  return { found, looking, look }
}

/** Arrow keys choose, as in every group of radio buttons. */
function moveBetweenRadios(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')]
  const at = radios.indexOf(event.target as HTMLElement)
  const next = radios[(at + step + radios.length) % radios.length]
  event.preventDefault()
  next?.focus()
  next?.click()
}

interface ChoiceProps {
  provider: Provider
  chosenId: string
  onChoose(id: string): void
  note?: string
  running?: boolean
}

function Choice({ provider, chosenId, onChoose, note, running }: ChoiceProps) {
  const chosen = provider.id === chosenId
  return (
    // biome-ignore lint/a11y/useSemanticElements: the row carries a state dot and figures beside the name
    <button
      type="button"
      role="radio"
      className="pv"
      aria-checked={chosen}
      tabIndex={chosen ? 0 : -1}
      onClick={() => onChoose(provider.id)}
    >
      {provider.local && <span className={cx('dot', running && 'on')} />}
      <span className={cx(provider.local && !running && 'dim')} lang={langOf(provider.name)}>
        {provider.name}
      </span>
      <span className="grow" />
      {note && <span className="tiny dim">{note}</span>}
    </button>
  )
}

/** Nobody brings our own files to a first start without knowing where else to put them. */
const IMPORTS = IMPORT_SOURCES.filter((each) => each !== 'strata')

function Others() {
  const { t } = useTranslation('first-run')
  const [source, setSource] = useState<ImportSource | null>(null)
  const dryRun = async () => {
    const models = await call('models.list', {})
    const dry = models.find(({ id }) => id.startsWith('dry-run/')) ?? models[0]
    await finishFirstRun(dry?.id ?? 'dry-run/dry-run')
    newChat()
  }
  return (
    <div className="alt">
      <section>
        <h2>{t('dry.title')}</h2>
        <p>{t('dry.text')}</p>
        <Button small icon="eye" onClick={() => void dryRun()}>
          {t('dry.start')}
        </Button>
      </section>
      <section>
        <h2>{t('import.title')}</h2>
        <p>{t('import.text')}</p>
        <div className="row first-imports">
          {IMPORTS.map((each) => (
            <Button key={each} small onClick={() => setSource(each)}>
              {t(`import.${each}`)}
            </Button>
          ))}
        </div>
      </section>
      {source && <ImportDialog source={source} onClose={() => setSource(null)} />}
    </div>
  )
}
