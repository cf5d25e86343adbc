import { useTranslation } from 'react-i18next'
import { Select } from '../../../ui/field'

export interface TriStateProps {
  label: string
  value: boolean | null
  /** What holds while nothing is set here. */
  inherited?: boolean | undefined
  onValue(value: boolean | null): void
}

/** Inherited, on or off. */
export function TriState({ label, value, inherited, onValue }: TriStateProps) {
  const { t } = useTranslation('worldbook')
  const word = (on: boolean) => (on ? t('tri.on') : t('tri.off'))
  return (
    <Select
      aria-label={label}
      value={value === null ? 'inherit' : value ? 'on' : 'off'}
      options={[
        {
          value: 'inherit',
          label: inherited === undefined ? t('tri.inherit') : t('tri.inherits', { value: word(inherited) }),
        },
        { value: 'on', label: t('tri.on') },
        { value: 'off', label: t('tri.off') },
      ]}
      onValue={(next) => onValue(next === 'inherit' ? null : next === 'on')}
    />
  )
}
