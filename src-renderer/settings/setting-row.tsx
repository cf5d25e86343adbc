import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { settingsSchema } from '../../src-main/settings/contract'
import { TokenCount } from '../context/text-editor/token-count'
import { useLeftText } from '../context/text-editor/use-left-text'
import { useSavedText } from '../context/text-editor/use-saved-text'
import { langOf } from '../i18n/format'
import { modelName, useModels } from '../models/model-store'
import { LinkButton } from '../ui/button'
import { Select, TextArea, TextField } from '../ui/field'
import { showError } from '../ui/toast'
import { Switch } from '../ui/toggle'
import { type Control, patchAt, SETTING_SPECS, type SettingPath, valueAt } from './setting-specs'
import { resetSetting, updateSettings, useSettings } from './settings-store'

const DEFAULTS = settingsSchema.parse({})

const store = (path: SettingPath, value: unknown) => updateSettings(patchAt(path, value)).catch(showError)

/** One preference: name, what it does, the control, and the way back to the default once it was changed. */
export function SettingRow({ path }: { path: SettingPath }) {
  const { t, i18n } = useTranslation('settings')
  const id = useId()
  const value = useSettings((state) => (state.settings ? valueAt(state.settings, path) : undefined))
  const spec: Control = SETTING_SPECS[path]
  const label = t(`rows.${path}.label`)
  const helpKey = `rows.${path}.help` as const
  const help = i18n.exists(`settings:${helpKey}`) ? t(helpKey as 'rows.general.fontScale.help') : ''
  const changed = JSON.stringify(value) !== JSON.stringify(valueAt(DEFAULTS, path))
  const control = <ControlOf path={path} spec={spec} value={value} id={id} label={label} />
  return (
    <RowFrame
      id={path}
      htmlFor={spec.kind === 'switch' ? undefined : id}
      label={label}
      help={help}
      below={spec.kind === 'text'}
      onReset={changed ? () => void resetSetting(path).catch(showError) : undefined}
    >
      {control}
    </RowFrame>
  )
}

export interface RowFrameProps {
  id?: string
  htmlFor?: string | undefined
  label: ReactNode
  help?: ReactNode
  onReset?: (() => void) | undefined
  /** The control takes the width below the words. */
  below?: boolean
  children: ReactNode
}

export function RowFrame({ id, htmlFor, label, help, onReset, below, children }: RowFrameProps) {
  const { t } = useTranslation('settings')
  return (
    <div className={below ? 'set-row below' : 'set-row'} data-setting={id}>
      <div className="set-words">
        {htmlFor ? <label htmlFor={htmlFor}>{label}</label> : <span className="set-label">{label}</span>}
        {help && <p>{help}</p>}
      </div>
      <div className="set-control">
        {onReset && (
          <LinkButton aria-label={typeof label === 'string' ? `${t('reset')}: ${label}` : undefined} onClick={onReset}>
            {t('reset')}
          </LinkButton>
        )}
        {!below && children}
      </div>
      {below && <div className="set-below">{children}</div>}
    </div>
  )
}

interface ControlProps {
  path: SettingPath
  spec: Control
  value: unknown
  id: string
  label: string
}

function ControlOf({ path, spec, value, id, label }: ControlProps) {
  const { t } = useTranslation('settings')
  const { models, connections } = useModels()
  switch (spec.kind) {
    case 'switch':
      return <Switch checked={value === true} label={label} onValue={(checked) => void store(path, checked)} />
    case 'choice':
      return (
        <Select
          id={id}
          value={String(value)}
          options={spec.options.map((option) => ({
            value: option,
            label: t(`rows.${path}.options.${option}` as 'rows.general.theme.options.light'),
          }))}
          onValue={(next) => void store(path, next)}
        />
      )
    case 'model':
    case 'connection': {
      const known =
        spec.kind === 'model'
          ? models.filter((model) => model.available).map((model) => ({ value: model.id, label: modelLabel(model.id) }))
          : connections.map((connection) => ({ value: connection.id, label: connection.name }))
      const chosen = typeof value === 'string' ? value : ''
      const gone = chosen && !known.some((option) => option.value === chosen)
      return (
        <Select
          id={id}
          value={chosen}
          options={[
            { value: '', label: t('none') },
            ...(gone ? [{ value: chosen, label: modelName(chosen, models) }] : []),
            ...known,
          ]}
          onValue={(next) => void store(path, next || null)}
        />
      )
    }
    case 'text':
      return <LongText path={path} id={id} stored={String(value ?? '')} />
    default:
      return <ShortField path={path} spec={spec} value={value} id={id} />
  }
}

/** `deepseek-chat · DeepSeek` */
function modelLabel(modelId: string): string {
  const { models, connections } = useModels.getState()
  const connection = connections.find(({ id }) => modelId.startsWith(`${id}/`))
  return `${modelName(modelId, models)}${connection ? ` · ${connection.name}` : ''}`
}

type ShortSpec = Extract<Control, { kind: 'number' | 'optional-number' | 'line' }>

/** Stored when it is left or Enter is pressed; what does not fit its range goes back. */
function ShortField({ path, spec, value, id }: { path: SettingPath; spec: ShortSpec; value: unknown; id: string }) {
  const { t } = useTranslation('settings')
  const shown = value === null || value === undefined ? '' : String(value)
  const typed = useLeftText({
    id: `setting:${path}`,
    name: t('title'),
    stored: shown,
    fits: (text) => readShort(spec, text) !== undefined,
    save: (text) => updateSettings(patchAt(path, readShort(spec, text))),
  })
  return (
    <TextField
      id={id}
      figures={spec.kind !== 'line'}
      className={spec.kind === 'line' ? 'set-line' : 'set-number'}
      inputMode={spec.kind === 'line' ? 'text' : 'decimal'}
      placeholder={spec.kind === 'optional-number' ? t('automatic') : undefined}
      value={typed.value}
      onChange={(event) => typed.change(event.target.value)}
      onBlur={typed.leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) typed.leave()
        if (event.key === 'Escape') typed.drop()
      }}
    />
  )
}

/** undefined = not a value of this preference. */
export function readShort(spec: ShortSpec, typed: string): number | string | null | undefined {
  if (spec.kind === 'line') return typed.trim()
  if (typed.trim() === '') return spec.kind === 'optional-number' ? null : undefined
  const number = Number(typed.replace(',', '.'))
  if (!Number.isFinite(number) || number < spec.min || number > spec.max) return undefined
  return spec.step === undefined && !Number.isInteger(number) ? undefined : number
}

function LongText({ path, id, stored }: { path: SettingPath; id: string; stored: string }) {
  const { t } = useTranslation('settings')
  const text = useSavedText({
    id: `setting:${path}`,
    name: t('title'),
    stored,
    save: (next) => updateSettings(patchAt(path, next)),
  })
  return (
    <>
      <TextArea
        id={id}
        rows={3}
        growTo={260}
        lang={langOf(text.value)}
        value={text.value}
        onChange={(event) => text.change(event.target.value)}
        onBlur={text.flush}
      />
      <p className="set-count">
        <TokenCount text={text.value} />
      </p>
    </>
  )
}
