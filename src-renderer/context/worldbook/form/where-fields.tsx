import { useTranslation } from 'react-i18next'
import { ENTRY_ROLES, POSITIONS } from '../../../../src-main/context/worldbook/entry-contract'
import { Select, TextField } from '../../../ui/field'
import type { EntryPartProps } from './entry-form'
import { FormRow } from './form-row'
import { NumberField } from './number-field'

/** Where the text goes once the entry has fired. */
export function WhereFields({ entry, onEdit }: EntryPartProps) {
  const { t } = useTranslation('worldbook')
  const atDepth = entry.position === 'at-depth'
  return (
    <fieldset className="fs">
      <legend>{t('form.where')}</legend>
      <FormRow
        label={t('form.place')}
        help={t(`form.placeHelp.${entry.position}`, { name: entry.outletName || '…', open: '{{', close: '}}' })}
      >
        <div className="row tight">
          <Select
            aria-label={t('form.place')}
            value={entry.position}
            options={POSITIONS.map((value) => ({ value, label: t(`form.places.${value}`) }))}
            onValue={(position) => onEdit({ position })}
          />
          {atDepth && (
            <>
              <NumberField
                label={t('form.depth')}
                width={52}
                value={entry.depth}
                whenEmpty={4}
                onValue={(depth) => onEdit({ depth: depth ?? 4 })}
              />
              <Select
                aria-label={t('form.role')}
                value={entry.role}
                options={ENTRY_ROLES.map((value) => ({ value, label: t(`form.roles.${value}`) }))}
                onValue={(role) => onEdit({ role })}
              />
            </>
          )}
          {entry.position === 'outlet' && (
            <TextField
              aria-label={t('form.outletName')}
              placeholder={t('form.outletName')}
              value={entry.outletName}
              onChange={(event) => onEdit({ outletName: event.target.value })}
            />
          )}
        </div>
      </FormRow>
      <FormRow label={t('form.order')}>
        <div className="row tight">
          <NumberField
            label={t('form.order')}
            value={entry.order}
            whenEmpty={100}
            onValue={(order) => onEdit({ order: order ?? 100 })}
          />
          <span className="small dim">{t('form.orderHelp')}</span>
        </div>
      </FormRow>
    </fieldset>
  )
}
