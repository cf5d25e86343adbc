import { useTranslation } from 'react-i18next'
import { Checkbox, TextField } from '../../../ui/field'
import type { EntryPartProps } from './entry-form'
import { FormRow } from './form-row'
import { NumberField } from './number-field'

/** How often it fires: chance, timed effects, and the group it competes in. */
export function OftenFields({ entry, onEdit }: EntryPartProps) {
  const { t } = useTranslation('worldbook')
  return (
    <fieldset className="fs">
      <legend>{t('form.often')}</legend>
      <FormRow label={t('form.chance')}>
        <div className="row tight">
          <NumberField
            label={t('form.chance')}
            value={entry.probability}
            whenEmpty={100}
            min={0}
            max={100}
            onValue={(probability) => onEdit({ probability: probability ?? 100 })}
          />
          <span className="small dim">%</span>
          {(!entry.useProbability || entry.probability < 100) && (
            <Checkbox
              label={t('form.useChance')}
              checked={entry.useProbability}
              onValue={(useProbability) => onEdit({ useProbability })}
            />
          )}
        </div>
      </FormRow>
      <FormRow label={t('form.timing')} help={t('form.timingHelp')}>
        <div className="row three">
          {(['sticky', 'cooldown', 'delay'] as const).map((name) => (
            <span key={name} className="timed">
              <span className="tiny dim">{t(`form.${name}`)}</span>
              <NumberField
                label={t(`form.${name}`)}
                width={76}
                value={entry[name]}
                placeholder="0"
                min={0}
                onValue={(value) => onEdit({ [name]: value })}
              />
            </span>
          ))}
        </div>
      </FormRow>
      <FormRow label={t('form.group')} {...(entry.group.trim() ? { help: t('form.groupHelp') } : {})}>
        <div className="row tight">
          <TextField
            aria-label={t('form.group')}
            placeholder={t('form.noGroup')}
            value={entry.group}
            onChange={(event) => onEdit({ group: event.target.value })}
          />
          <span className="small dim">{t('form.weight')}</span>
          <NumberField
            label={t('form.groupWeight')}
            width={60}
            value={entry.groupWeight}
            whenEmpty={100}
            onValue={(groupWeight) => onEdit({ groupWeight: groupWeight ?? 100 })}
          />
        </div>
      </FormRow>
    </fieldset>
  )
}
