import type { ComponentProps, ReactNode } from 'react'
import { cx } from './class-names'
import { Icon, type IconName } from './icon'
import { tipProps } from './tooltip'

export interface ButtonProps extends ComponentProps<'button'> {
  /** One primary button a view. */
  tone?: 'default' | 'primary' | 'ghost' | 'danger'
  small?: boolean
  icon?: IconName
}

export function Button({ tone = 'default', small, icon, className, children, type = 'button', ...rest }: ButtonProps) {
  const toneClass = { default: '', primary: 'primary', ghost: 'ghost', danger: 'quiet-danger' }[tone]
  return (
    <button type={type} className={cx('btn', toneClass, small && 'sm', className)} {...rest}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconName
  /** Its name for readers, and its tooltip. */
  label: string
  /** Shown beside the label in the tooltip, such as `⌘N`. */
  shortcut?: string | undefined
  small?: boolean
  /** Makes it a toggle. */
  pressed?: boolean
}

export function IconButton({ icon, label, shortcut, small, pressed, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={cx('ib', small && 'sm', className)}
      aria-label={label}
      {...tipProps(label, shortcut)}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      {...rest}
    >
      <Icon name={icon} size={small ? 14 : 16} />
    </button>
  )
}

/** A quiet text button with a chevron that opens a list. Give it to a `Menu` or `Popover` as trigger. */
export function PickButton({
  icon,
  children,
  className,
  chevron = true,
  ...rest
}: ComponentProps<'button'> & { icon?: IconName; children: ReactNode; chevron?: boolean }) {
  return (
    <button type="button" className={cx('pick', className)} {...rest}>
      {icon && <Icon name={icon} size={14} />}
      <span className="cut">{children}</span>
      {chevron && <Icon name="down" size={14} />}
    </button>
  )
}

/** Reads as a link inside text, acts as a button. */
export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={cx('reset', className)} {...rest} />
}
