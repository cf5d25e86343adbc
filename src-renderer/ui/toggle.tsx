import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon'

export interface SwitchProps extends Omit<ComponentProps<'button'>, 'onChange' | 'value'> {
  checked: boolean
  label: string
  onValue(checked: boolean): void
}

export function Switch({ checked, label, onValue, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      onClick={() => onValue(!checked)}
      {...rest}
    />
  )
}

export interface SegmentedProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string; icon?: IconName; disabled?: boolean }[]
  onValue(value: V): void
}

/** Two to five choices side by side. */
export function Segmented<V extends string>({ label, value, options, onValue }: SegmentedProps<V>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings borders and a legend this row has no room for
    <div className="seg-ctl" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.disabled}
          onClick={() => onValue(option.value)}
        >
          {option.icon && <Icon name={option.icon} size={14} />}
          {option.label}
        </button>
      ))}
    </div>
  )
}
