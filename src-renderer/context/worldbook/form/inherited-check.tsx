import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../../ui/button'
import { Checkbox } from '../../../ui/field'

interface InheritedCheckProps {
  label: string
  /** null = inherited. */
  value: boolean | null
  inherited: boolean
  onValue(value: boolean | null): void
}

/** A box that shows what holds; ticking sets it here, Reset inherits again. */
export function InheritedCheck({ label, value, inherited, onValue }: InheritedCheckProps) {
  const { t } = useTranslation(['worldbook', 'common'])
  return (
    <span className="row tight">
      <Checkbox label={label} checked={value ?? inherited} onValue={onValue} />
      {value !== null && (
        <LinkButton aria-label={t('form.resetOf', { name: label })} onClick={() => onValue(null)}>
          {t('common:reset')}
        </LinkButton>
      )}
    </span>
  )
}
