import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GENERATION_TRIGGERS } from '../../../../src-main/context/worldbook/entry-contract'
import { useSettings } from '../../../settings/settings-store'
import { Checkbox, TextField } from '../../../ui/field'
import { Icon } from '../../../ui/icon'
import type { EntryPartProps } from './entry-form'
import { FormRow } from './form-row'
import { KeptFields, keptCount } from './kept-fields'
import { NumberField } from './number-field'
import { TriState } from './tri-state'

const OPEN_KEY = 'strata.worldbook-advanced'

/** Recursion, budget, triggers, and what the file held beyond that. Folded until asked for, and remembered. */
export function Advanced(part: EntryPartProps) {
  const { t } = useTranslation('worldbook')
  const [open, setOpen] = useState(localStorage.getItem(OPEN_KEY) === 'open')
  const kept = keptCount(part.entry.extra)
  const toggle = () => {
    localStorage.setItem(OPEN_KEY, open ? 'closed' : 'open')
    setOpen(!open)
  }
  return (
    <>
      <button type="button" className="fold adv" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'down' : 'right'} size={14} />
        {t('form.advanced')}
        <span className="dim cut">{kept > 0 ? t('form.advancedKept', { count: kept }) : t('form.advancedList')}</span>
      </button>
      {open && <AdvancedFields {...part} />}
    </>
  )
}

function AdvancedFields({ entry, onEdit }: EntryPartProps) {
  const { t } = useTranslation('worldbook')
  const groupScoring = useSettings((state) => state.settings?.worldbook.groupScoring)
  const triggers = [...GENERATION_TRIGGERS, ...entry.triggers.filter((each) => !isKnown(each))]
  return (
    <div className="fs adv-in">
      <FormRow label={t('form.recursion')}>
        <div className="col checks">
          <Checkbox
            label={t('form.excludeRecursion')}
            checked={entry.excludeRecursion}
            onValue={(excludeRecursion) => onEdit({ excludeRecursion })}
          />
          <Checkbox
            label={t('form.preventRecursion')}
            checked={entry.preventRecursion}
            onValue={(preventRecursion) => onEdit({ preventRecursion })}
          />
          <span className="row tight">
            <span className="small">{t('form.delayUntilRecursion')}</span>
            <NumberField
              label={t('form.delayUntilRecursion')}
              width={52}
              value={entry.delayUntilRecursion}
              whenEmpty={0}
              min={0}
              onValue={(level) => onEdit({ delayUntilRecursion: level ?? 0 })}
            />
            <span className="small dim">{t('form.zeroOff')}</span>
          </span>
        </div>
      </FormRow>
      <FormRow label={t('form.budget')}>
        <Checkbox
          label={t('form.ignoreBudget')}
          checked={entry.ignoreBudget}
          onValue={(ignoreBudget) => onEdit({ ignoreBudget })}
        />
      </FormRow>
      <FormRow label={t('form.regex')} help={t('form.regexHelp')}>
        <Checkbox
          label={t('form.regexKeys')}
          checked={entry.regexKeys}
          onValue={(regexKeys) => onEdit({ regexKeys })}
        />
      </FormRow>
      <FormRow label={t('form.groups')}>
        <div className="col checks">
          <Checkbox
            label={t('form.prioritise')}
            checked={entry.prioritise}
            onValue={(prioritise) => onEdit({ prioritise })}
          />
          <span className="row tight">
            <span className="small">{t('form.groupScoring')}</span>
            <TriState
              label={t('form.groupScoring')}
              value={entry.groupScoring}
              inherited={groupScoring}
              onValue={(value) => onEdit({ groupScoring: value })}
            />
          </span>
        </div>
      </FormRow>
      <FormRow label={t('form.triggers')} help={t('form.triggersHelp')}>
        <div className="triggers">
          {triggers.map((trigger) => (
            <Checkbox
              key={trigger}
              label={isKnown(trigger) ? t(`form.trigger.${trigger}`) : trigger}
              checked={entry.triggers.includes(trigger)}
              onValue={(on) =>
                onEdit({
                  triggers: on ? [...entry.triggers, trigger] : entry.triggers.filter((each) => each !== trigger),
                })
              }
            />
          ))}
        </div>
      </FormRow>
      <FormRow label={t('form.automation')}>
        <TextField
          aria-label={t('form.automationId')}
          placeholder={t('form.automationId')}
          value={entry.automationId}
          onChange={(event) => onEdit({ automationId: event.target.value })}
        />
      </FormRow>
      <FormRow label={t('form.id')}>
        <span className="mono dim">{entry.id}</span>
      </FormRow>
      <KeptFields extra={entry.extra} origin={entry.origin} />
    </div>
  )
}

const isKnown = (trigger: string): trigger is (typeof GENERATION_TRIGGERS)[number] =>
  GENERATION_TRIGGERS.some((each) => each === trigger)
