import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Model, ModelCapabilities } from '../../../src-main/models/contract'
import { type CallInput, call } from '../../api/client'
import { loadModels } from '../../models/model-store'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Checkbox, Labelled, TextField } from '../../ui/field'
import { showError } from '../../ui/toast'
import { updateSettings, useSettings } from '../settings-store'
import { CAPABILITIES } from './capabilities'

interface FormState {
  contextWindow: string
  maxInputTokens: string
  maxOutputTokens: string
  capabilities: ModelCapabilities
  input: string
  output: string
  cachedInput: string
  currency: string
}

const text = (value: number | undefined) => (value === undefined ? '' : String(value))

/** `128k`, `1M` and plain numbers; null = empty, undefined = no number of tokens. */
export function readTokens(typed: string): number | null | undefined {
  const match = /^\s*([\d.,\s]*\d)\s*([kKmM]?)\s*$/.exec(typed)
  if (typed.trim() === '') return null
  if (!match?.[1]) return undefined
  const unit = { k: 1000, m: 1_000_000, '': 1 }[match[2]?.toLowerCase() ?? ''] ?? 1
  const digits = unit === 1 ? match[1].replace(/[.,\s]/g, '') : match[1].replace(',', '.').replace(/\s/g, '')
  const tokens = Math.round(Number(digits) * unit)
  return Number.isInteger(tokens) && tokens > 0 ? tokens : undefined
}

const LIMITS = [
  { field: 'contextWindow', label: 'models.window', help: 'models.windowHelp' },
  { field: 'maxInputTokens', label: 'models.input', help: 'models.inputHelp' },
  { field: 'maxOutputTokens', label: 'models.output', help: undefined },
] as const

/** Sets by hand what a server does not tell, or tells wrongly. Empty goes back to what is known. */
export function ModelForm({ model, onClose }: { model: Model; onClose(): void }) {
  const { t } = useTranslation('settings')
  const isDefault = useSettings((state) => state.settings?.general.defaultModelId === model.id)
  const [form, setForm] = useState<FormState>({
    contextWindow: text(model.contextWindow),
    maxInputTokens: text(model.maxInputTokens),
    maxOutputTokens: text(model.maxOutputTokens),
    capabilities: model.capabilities,
    input: text(model.price?.input),
    output: text(model.price?.output),
    cachedInput: text(model.price?.cachedInput),
    currency: model.price?.currency ?? 'USD',
  })
  const set = (change: Partial<FormState>) => setForm((before) => ({ ...before, ...change }))
  const patch = patchOf(model, form)
  const save = async () => {
    if (!patch) return
    try {
      await call('models.save', patch)
      await loadModels()
      onClose()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Dialog
      open
      onOpen={(open) => !open && onClose()}
      title={model.name}
      note={t(`models.source.${model.windowSource}`)}
      footer={
        <>
          {!isDefault && (
            <Button
              tone="ghost"
              onClick={() => void updateSettings({ general: { defaultModelId: model.id } }).catch(showError)}
            >
              {t('models.makeDefault')}
            </Button>
          )}
          <span className="grow" />
          <Button tone="ghost" onClick={onClose}>
            {t('connections.cancel')}
          </Button>
          <Button tone="primary" disabled={!patch} onClick={() => void save()}>
            {t('connections.save')}
          </Button>
        </>
      }
    >
      <form
        className="set-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div className="set-pair">
          {LIMITS.map(({ field, label, help }) => (
            <Labelled key={field} label={t(label)} help={help && t(help)}>
              {(ids) => (
                <TextField
                  figures
                  {...ids}
                  aria-invalid={readTokens(form[field]) === undefined}
                  value={form[field]}
                  onChange={(event) => set({ [field]: event.target.value })}
                />
              )}
            </Labelled>
          ))}
        </div>
        <div className="row set-wrap">
          {CAPABILITIES.map((each) => (
            <Checkbox
              key={each}
              label={t(`models.capability.${each}`)}
              checked={form.capabilities[each]}
              onValue={(on) => set({ capabilities: { ...form.capabilities, [each]: on } })}
            />
          ))}
        </div>
        <fieldset className="set-prices">
          <legend>{t('models.price')}</legend>
          {(['input', 'output', 'cachedInput', 'currency'] as const).map((field) => (
            <Labelled
              key={field}
              label={t(
                (
                  {
                    input: 'models.in',
                    output: 'models.out',
                    cachedInput: 'models.cachedIn',
                    currency: 'models.currency',
                  } as const
                )[field],
              )}
            >
              {(ids) => (
                <TextField
                  figures={field !== 'currency'}
                  {...ids}
                  maxLength={field === 'currency' ? 8 : 20}
                  value={form[field]}
                  onChange={(event) => set({ [field]: event.target.value })}
                />
              )}
            </Labelled>
          ))}
        </fieldset>
      </form>
    </Dialog>
  )
}

/** Only what was changed; null where something is no number. */
function patchOf(model: Model, form: FormState): CallInput<'models.save'> | null {
  const limits: Partial<Record<(typeof LIMITS)[number]['field'], number | null>> = {}
  for (const { field } of LIMITS) {
    const tokens = readTokens(form[field])
    if (tokens === undefined) return null
    if (form[field] !== text(model[field])) limits[field] = tokens
  }
  const price = priceOf(form)
  if (price === undefined) return null
  return {
    id: model.id,
    ...limits,
    ...(JSON.stringify(form.capabilities) === JSON.stringify(model.capabilities)
      ? {}
      : { capabilities: form.capabilities }),
    ...(price === null && !model.price ? {} : { price }),
  }
}

function priceOf({ input, output, cachedInput, currency }: FormState) {
  const fields = Object.entries({ input, output, cachedInput }).filter(([, typed]) => typed.trim() !== '')
  if (fields.length === 0) return null
  const numbers = fields.map(([name, typed]) => [name, Number(typed.replace(',', '.'))] as const)
  if (numbers.some(([, value]) => !Number.isFinite(value) || value < 0)) return undefined
  return { ...Object.fromEntries(numbers), currency: currency.trim() || 'USD' }
}
