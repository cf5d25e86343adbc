import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/badge'
import { LinkButton } from '../../ui/button'
import { cx } from '../../ui/class-names'

export interface DrawerRowProps {
  /** Names the row for `openSessionSettings(field)`. */
  field: string
  label: string
  /** The control's id, when it is one the label can point at. */
  htmlFor?: string
  state?: 'inherited' | 'here' | undefined
  onReset?: (() => void) | undefined
  /** Right of the name: a count, a small control. */
  end?: ReactNode
  /** The control stands below instead of at the right. */
  children?: ReactNode
  help?: ReactNode
}

/** One setting of a session: its name, whether it is inherited or set here, the way back, the control. */
export function DrawerRow({ field, label, htmlFor, state, onReset, end, children, help }: DrawerRowProps) {
  const { t } = useTranslation()
  return (
    <div className="srow" data-field={field}>
      <div className={cx('top', !children && 'flat')}>
        {htmlFor ? (
          <label className="l" htmlFor={htmlFor}>
            {label}
          </label>
        ) : (
          <span className="l">{label}</span>
        )}
        {state && (
          <Mark tone={state === 'here' ? 'set' : 'plain'}>{t(state === 'here' ? 'setHere' : 'inherited')}</Mark>
        )}
        <span className="grow" />
        {children && end}
        {state === 'here' && onReset && (
          <LinkButton aria-label={`${t('reset')}: ${label}`} onClick={onReset}>
            {t('reset')}
          </LinkButton>
        )}
        {!children && end}
      </div>
      {children}
      {help && <p className="help">{help}</p>}
    </div>
  )
}
