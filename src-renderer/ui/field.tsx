import type { ComponentProps, ReactNode } from 'react'
import { useId, useLayoutEffect, useRef } from 'react'
import { cx } from './class-names'
import { Icon } from './icon'

export interface TextFieldProps extends ComponentProps<'input'> {
  mono?: boolean
  quiet?: boolean
  /** Right-aligned figures. */
  figures?: boolean
}

export function TextField({ mono, quiet, figures, className, ...rest }: TextFieldProps) {
  return (
    <input
      className={cx('field', mono && 'mono', quiet && 'quiet', figures && 'num figures', className)}
      autoComplete="off"
      spellCheck={false}
      {...rest}
    />
  )
}

export interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Grows with its text up to this many pixels. */
  growTo?: number
}

export function TextArea({ growTo, className, value, ...rest }: TextAreaProps) {
  const ref = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the value
  useLayoutEffect(() => {
    const area = ref.current
    if (!area || !growTo) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight + 2, growTo)}px`
  }, [value, growTo])
  return <textarea ref={ref} className={cx('field', className)} value={value} {...rest} />
}

export interface SelectOption<V extends string> {
  value: V
  label: string
  disabled?: boolean
}
export interface SelectProps<V extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  value: V
  options: readonly SelectOption<V>[]
  onValue(value: V): void
}

/** The platform's own list: quick, and known to every screen reader. */
export function Select<V extends string>({ value, options, onValue, className, ...rest }: SelectProps<V>) {
  return (
    <span className="sel">
      <select
        className={cx('field', className)}
        value={value}
        onChange={(event) => onValue(event.target.value as V)}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </span>
  )
}

export interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  label: string
  value: string
  onValue(value: string): void
  shortcut?: string | undefined
}

export function SearchField({ label, value, onValue, shortcut, ...rest }: SearchFieldProps) {
  return (
    <div className="search">
      <Icon name="search" size={14} />
      <input
        className="field quiet"
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onValue(event.target.value)}
        {...rest}
      />
      {shortcut && !value && <kbd>{shortcut}</kbd>}
    </div>
  )
}

export interface LabelledProps {
  label: string
  help?: ReactNode
  error?: string | undefined
  /** Gets the id its label points at, and the id of the help or error line. */
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode
}

/** A label above a control, with a help or error line below. */
export function Labelled({ label, help, error, children }: LabelledProps) {
  const id = useId()
  const note = error || help
  return (
    <div className="f">
      <label className="fl" htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': Boolean(error) })}
      {note && (
        <p id={`${id}-note`} className={cx('field-note', error ? 'danger-t' : 'dim')}>
          {note}
        </p>
      )}
    </div>
  )
}

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  label: ReactNode
  onValue(checked: boolean): void
}

export function Checkbox({ label, onValue, className, ...rest }: CheckboxProps) {
  return (
    <label className={cx('chk', className)}>
      <input type="checkbox" onChange={(event) => onValue(event.target.checked)} {...rest} />
      {label}
    </label>
  )
}
