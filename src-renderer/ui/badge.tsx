import type { ComponentProps, ReactNode } from 'react'
import { cx } from './class-names'
import { Icon, type IconName } from './icon'

export interface BadgeProps extends ComponentProps<'button'> {
  icon: IconName
  /** Hidden where the pane is narrow; `count` stays. */
  label: string
  count?: number
  /** A state that is on, such as isolation. */
  on?: boolean
}

/** A pill in a header that opens what it names. */
export function Badge({ icon, label, count, on, className, ...rest }: BadgeProps) {
  return (
    <button
      type="button"
      className={cx('badge', on && 'on', className)}
      aria-label={count === undefined ? label : `${label} ${count}`}
      {...rest}
    >
      <Icon name={icon} size={12} />
      <span className="bl">
        {label}
        {/* keeps the words apart for whoever compares what is seen with the button's name */}
        {count !== undefined && ' '}
      </span>
      {count}
    </button>
  )
}

export interface ChipProps {
  icon?: IconName
  children: ReactNode
  /** Dimmed figures after the name. */
  note?: ReactNode
  removeLabel?: string
  onRemove?: (() => void) | undefined
  className?: string
}

/** A thing that was picked, with a way to drop it. */
export function Chip({ icon, children, note, removeLabel, onRemove, className }: ChipProps) {
  return (
    <span className={cx('chip', className)}>
      {icon && <Icon name={icon} size={14} />}
      <span className="cut">{children}</span>
      {note && <span className="dim num">{note}</span>}
      {onRemove && (
        <button type="button" className="ib" aria-label={removeLabel} onClick={onRemove}>
          <Icon name="x" size={12} />
        </button>
      )}
    </span>
  )
}

export type MarkTone = 'plain' | 'set' | 'warn' | 'bad' | 'ok'

/** A word of state. Colour never carries it alone. */
export function Mark({ tone = 'plain', children }: { tone?: MarkTone; children: ReactNode }) {
  return <span className={cx('mark', tone !== 'plain' && tone)}>{children}</span>
}
