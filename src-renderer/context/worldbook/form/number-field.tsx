import { useEffect, useState } from 'react'
import { TextField } from '../../../ui/field'

export interface NumberFieldProps {
  label: string
  value: number | null
  /** Shown dimmed while nothing is set here. */
  inherited?: number | undefined
  placeholder?: string
  /** A cleared field means null, or this number. */
  whenEmpty?: number
  min?: number
  max?: number
  /** Pixels. */
  width?: number
  onValue(value: number | null): void
}

/** A number that may be left out. What does not parse is kept on screen and not reported. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, inherited, placeholder, whenEmpty, min, max, width = 64, onValue } = props
  const [text, setText] = useState(value === null ? '' : String(value))
  const shown = Number(text)
  useEffect(() => {
    // a change from outside replaces the text; typing "1." or "-" on the way to a number does not
    setText((now) =>
      value === null ? (now.trim() === '' ? now : '') : Number(now) === value && now !== '' ? now : String(value),
    )
  }, [value])
  const bad =
    text.trim() !== '' &&
    (!Number.isFinite(shown) || (min !== undefined && shown < min) || (max !== undefined && shown > max))
  const change = (next: string) => {
    setText(next)
    if (next.trim() === '') return onValue(whenEmpty ?? null)
    const number = Number(next)
    if (Number.isFinite(number) && (min === undefined || number >= min) && (max === undefined || number <= max))
      onValue(number)
  }
  return (
    <TextField
      figures
      inputMode="numeric"
      aria-label={label}
      aria-invalid={bad}
      style={{ width }}
      value={text}
      placeholder={placeholder ?? (inherited === undefined ? '' : String(inherited))}
      onChange={(event) => change(event.target.value)}
      onBlur={() => bad && setText(value === null ? '' : String(value))}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        const from = value ?? inherited ?? whenEmpty ?? 0
        change(String(from + (event.key === 'ArrowUp' ? 1 : -1)))
      }}
    />
  )
}
